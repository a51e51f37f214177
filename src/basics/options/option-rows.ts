/** Defines the rows of a table of options, and what follows from them: types, defaults, checks, contradictions. */
import { ConfigurationError } from '../configuration-error.ts';
import { type OptionKind, refusalOf } from './option-kinds.ts';

/** What is said of an option. Its name is that of the library; the command line has it with hyphens. */
type OptionWords<Value> = {
  /** The commands and functions that have it: its hosts. */
  readonly holds: readonly string[];
  /** What it does, in Markdown, as in a table: without a capital letter and a full stop. */
  readonly sentence: string;
  /** Other words where the option means something else, with what holds without it. */
  readonly sentenceOn?: Readonly<Record<string, string>>;
  readonly default?: Value;
  /** Where each host has its own. */
  readonly defaults?: Readonly<Record<string, Value>>;
  /** What holds without the option, in words, where there is no default value. */
  readonly otherwise?: string;
  /** Its name on the command line, where that is another one: `overlay` for `overlays`. */
  readonly flag?: string;
  /** What `--no-…` does, for a flag that has both forms. One whose default is true has that form alone. */
  readonly negative?: string;
  /** A variable of the environment that is read where the option is not on the command line. */
  readonly variable?: string;
  /** An option without which this one has no use, and why that is so. */
  readonly needs?: { readonly option: string; readonly because?: string };
  /** Options that have no use together with this one, each with what this one does: `makes the site`. */
  readonly excludes?: Readonly<Record<string, string>>;
};

export type OptionRow<Value = unknown> = OptionWords<Value> & { readonly kind: OptionKind<Value> };
export type OptionRows = Readonly<Record<string, OptionRow>>;

/** Makes a row. */
export const option = <Value, const Words extends OptionWords<Value>>(
  kind: OptionKind<Value>,
  words: Words,
): Words & { readonly kind: OptionKind<Value> } => ({ ...words, kind });

type ValueOf<Row> = Row extends { readonly kind: OptionKind<infer Value> } ? Value : never;

type NamesOn<Rows, On extends string> = {
  [Name in keyof Rows]: Rows[Name] extends { readonly holds: readonly (infer Holding)[] }
    ? On extends Holding
      ? Name
      : never
    : never;
}[keyof Rows];

/** Each may be left out. */
export type OptionValues<Rows, Names extends keyof Rows = keyof Rows> = {
  readonly [Name in Names]?: ValueOf<Rows[Name]> | undefined;
};

/** The options of a host, as a program gives them. */
export type OptionsOf<Rows, On extends string> = OptionValues<Rows, NamesOn<Rows, On>>;

type HasDefault<Row, On extends string> = Row extends { readonly default: unknown }
  ? true
  : Row extends { readonly defaults: { readonly [host in On]: unknown } }
    ? true
    : false;

/** The options of a host with the defaults in place of those that were left out. */
export type SettledOptions<Rows, On extends string> = {
  readonly [Name in NamesOn<Rows, On>]:
    ValueOf<Rows[Name]> | (HasDefault<Rows[Name], On> extends true ? never : undefined);
};

/** The rows of a host, in the order of the table. */
export const rowsOn = (rows: OptionRows, host: string): readonly (readonly [name: string, row: OptionRow])[] =>
  Object.entries(rows).filter(([, { holds }]) => holds.includes(host));

export const defaultOf = (row: OptionRow, host: string): unknown => row.defaults?.[host] ?? row.default;

/** What it does there. */
export const sentenceOf = ({ sentence, sentenceOn }: OptionRow, host: string): string => sentenceOn?.[host] ?? sentence;

/** Fills in the defaults of the host. */
export const settledOptions = <Rows extends OptionRows, On extends string>(
  rows: Rows,
  host: On,
  values: Readonly<Record<string, unknown>>,
): SettledOptions<Rows, On> =>
  Object.fromEntries(
    rowsOn(rows, host).map(([name, row]) => [name, values[name] ?? defaultOf(row, host)]),
  ) as SettledOptions<Rows, On>; // of the kinds that were checked when the values were read

/** Checks what a program has given, and adds the defaults. Throws `ConfigurationError` with the name of the option. */
export const checkedOptions = <Rows extends OptionRows, On extends string>(
  rows: Rows,
  host: On,
  given: OptionsOf<Rows, On>,
): SettledOptions<Rows, On> => {
  const values: Readonly<Record<string, unknown>> = given;
  for (const [name, { kind }] of rowsOn(rows, host)) {
    const value = values[name];
    if (value !== undefined && !kind.accepts(value)) throw new ConfigurationError(refusalOf(name, value, kind));
  }
  const isGiven = (name: string): boolean => values[name] !== undefined;
  refuseConflicts(rows, { isGiven, isThere: isGiven, isKnown: isKnownOn(rows, host), written: (name) => name });
  return settledOptions(rows, host, values);
};

export const isKnownOn =
  (rows: OptionRows, host: string) =>
  (name: string): boolean =>
    rows[name]?.holds.includes(host) === true;

type GivenOptions = {
  /** Whether the user has written it. */
  readonly isGiven: (name: string) => boolean;
  /** Whether it has a value, from wherever. */
  readonly isThere: (name: string) => boolean;
  /** Whether the host has it at all. */
  readonly isKnown: (name: string) => boolean;
  /** As the user writes it. */
  readonly written: (name: string) => string;
};

/** Throws `ConfigurationError` for an option that has no use with another one, or without it. */
export const refuseConflicts = (rows: OptionRows, { isGiven, isThere, isKnown, written }: GivenOptions): void => {
  for (const [name, { needs, excludes = {} }] of Object.entries(rows).filter(([each]) => isGiven(each))) {
    for (const [other, act] of Object.entries(excludes)) {
      if (!isGiven(other)) continue;
      throw new ConfigurationError(`${written(name)} ${act}, so ${written(other)} has no use. Leave out one of them.`);
    }
    if (needs !== undefined && isKnown(needs.option) && !isThere(needs.option)) {
      const remedy = needs.because === undefined ? '. Add it.' : `: ${needs.because}.`;
      throw new ConfigurationError(`${written(name)} goes with ${written(needs.option)}${remedy}`);
    }
  }
};
