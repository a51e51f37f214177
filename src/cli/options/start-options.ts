/** Makes of the rows of the table of start options what a command line has, and reads it, with the variables of the environment. */
import { type Command, Option } from 'commander';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import {
  defaultOf,
  isKnownOn,
  type OptionRow,
  refuseConflicts,
  rowsOn,
  sentenceOf,
  settledOptions,
  type SettledOptions,
} from '../../basics/options/option-rows.ts';
import { refusalOf } from '../../basics/options/option-kinds.ts';
import { parserOf } from './option-parsers.ts';
import { commandOptions, rowOf, writtenFlag } from './option-table.ts';

type Rows = typeof commandOptions;

type CommandHost = 'serve' | 'exec';
type Name = keyof Rows;

/** Without the marks of Markdown. */
const plainText = (markdown: string): string => markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');

const helpText = (row: OptionRow, host: string): string => {
  const variable = row.variable === undefined ? '' : ` (or set ${row.variable})`;
  const otherwise = row.otherwise === undefined ? '' : ` (default: ${row.otherwise})`;
  return plainText(sentenceOf(row, host) + variable + otherwise);
};

const optionWith = (flags: string, row: OptionRow, host: string): Option => {
  const { kind } = row;
  const made = new Option(flags, helpText(row, host));
  if (kind.choices !== undefined) made.choices(kind.choices);
  else if (kind.placeholder !== undefined && kind.isSecret !== true) made.argParser(parserOf(kind));
  const value = defaultOf(row, host);
  return value === undefined ? made : made.default(value);
};

/** Most rows are one option; a flag is two where it has both forms, and where its default is true only that with `--no-`. */
const optionsOf = (name: string, row: OptionRow, host: string): readonly Option[] => {
  const flag = writtenFlag(name);
  const { placeholder } = row.kind;
  if (placeholder !== undefined) return [optionWith(`${flag} ${placeholder}`, row, host)];
  const negative = row.negative && new Option(flag.replace('--', '--no-'), plainText(row.negative));
  const isOn = defaultOf(row, host) === true;
  return [
    ...(isOn ? [] : [optionWith(flag, row, host)]),
    ...(negative === undefined || negative === '' ? [] : [negative]),
  ];
};

/** Adds some of the options, as `host` has them: for a command that starts or checks a server in its own way. */
export const addOptions = (command: Command, names: readonly Name[], host: CommandHost = 'serve'): Command => {
  for (const name of names) for (const each of optionsOf(name, commandOptions[name], host)) command.addOption(each);
  return command;
};

/** Adds all options of a host. */
export const addStartOptions = (command: Command, host: CommandHost): Command =>
  addOptions(
    command,
    rowsOn(commandOptions, host).map(([name]) => name as Name),
    host,
  ); // names of the same table

type Environment = Readonly<Record<string, string | undefined>>;

/** The options of a command, with those of the environment and the defaults. */
export type ReadOptions<On extends CommandHost> = {
  readonly values: SettledOptions<Rows, On>;
  /** Where a value is from, for messages: `--bytes` or `ATOLL_BYTES`. */
  readonly sourceOf: (name: Name) => string;
  /** Whether it is on the command line. */
  readonly isGiven: (name: Name) => boolean;
};

/**
 * `only`: the names of those that were added, for a command that does not have all. Throws `ConfigurationError` for a variable or a secret
 * that no such option can be. It never says a secret.
 */
export const readOptions = <On extends CommandHost>(
  command: Command,
  host: On,
  environment: Environment,
  only?: readonly Name[],
): ReadOptions<On> => {
  const isGiven = givenTo(command);
  const variables = new Set<string>();
  const values: Record<string, unknown> = {};
  for (const [name, row] of rowsOn(commandOptions, host)) {
    if (only?.some((each) => each === name) === false) continue;
    if (isGiven(name))
      values[name] = checkedSecret(writtenFlag(name), row, command.getOptionValue(attributeOf(name)) as unknown);
    else if (row.variable !== undefined && environment[row.variable] !== undefined) {
      values[name] = valueOfVariable(row.variable, row, environment[row.variable] ?? '');
      variables.add(name);
    }
  }
  return {
    values: settledOptions(commandOptions, host, values),
    sourceOf: (name) => (variables.has(name) ? (rowOf(name)?.variable ?? name) : writtenFlag(name)),
    isGiven,
  };
};

const givenTo =
  (command: Command) =>
  (name: string): boolean =>
    command.getOptionValueSource(attributeOf(name)) === 'cli';

/** What commander calls the value of an option: that of `--no-pages` is `pages`. */
const attributeOf = (name: string): string => new Option(writtenFlag(name)).attributeName();

const checkedSecret = (source: string, { kind }: OptionRow, value: unknown): unknown => {
  if (kind.isSecret !== true || kind.accepts(value)) return value;
  throw new ConfigurationError(refusalOf(source, value, kind));
};

/** Whatever the variable of a flag holds, it is set. An empty text that could be a value is none. */
const valueOfVariable = (variable: string, { kind }: OptionRow, text: string): unknown => {
  if (kind.placeholder === undefined) return true;
  const value = kind.parse(text);
  if (kind.accepts(value)) return text === '' ? undefined : value;
  throw new ConfigurationError(refusalOf(variable, text, kind));
};

/** Throws `ConfigurationError` for options of which one has no use with another, or without it. `values`: when they were read. */
export const refuseContradictions = (
  command: Command,
  values: Readonly<Record<string, unknown>> = command.opts(),
  host: string = 'serve',
): void =>
  refuseConflicts(commandOptions, {
    isGiven: givenTo(command),
    isThere: (name) => values[name] !== undefined,
    isKnown: isKnownOn(commandOptions, host),
    written: writtenFlag,
  });
