/** The kinds of values that options have: how a value is written, what it may be, and how it is read from a text. */

export type OptionKind<Value> = {
  /** What stands for a value in help: `<number>`. Undefined for a flag, which has none. */
  readonly placeholder: string | undefined;
  /** A sentence that says what a value has to be. */
  readonly rule: string;
  readonly accepts: (value: unknown) => value is Value;
  /** A value that `accepts` is asked about. */
  readonly parse: (text: string) => unknown;
  readonly choices?: readonly string[];
  /** Whether the option may be repeated on a command line, each time with one entry of the list. */
  readonly isRepeated?: boolean;
  /** Whether no message may repeat the text, which could hold a secret. */
  readonly isSecret?: boolean;
};

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isTextList = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

/** The sentence about a value that `name` cannot have. It never says a secret. */
export const refusalOf = (name: string, value: unknown, { choices, rule, isSecret }: OptionKind<unknown>): string => {
  if (choices !== undefined) return `${name} is one of ${choices.join(', ')}.`;
  return isSecret === true || typeof value === 'object' ? `${name}: ${rule}` : `${name} ${shown(value)}: ${rule}`;
};

const shown = (value: unknown): string => (isText(value) ? `"${value.slice(0, 100)}"` : String(value));

export const flag: OptionKind<boolean> = {
  placeholder: undefined,
  rule: 'It is true or false.',
  accepts: (value) => typeof value === 'boolean',
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};

/** Any text, or one that matches a pattern and passes a check. */
export const text = (
  placeholder: string,
  {
    pattern = /^/,
    rule = 'It is a text.',
    isSecret = false,
    isValid = () => true,
  }: { pattern?: RegExp; rule?: string; isSecret?: boolean; isValid?: (text: string) => boolean } = {},
): OptionKind<string> => ({
  ...{ placeholder, rule, isSecret },
  accepts: (value): value is string => isText(value) && pattern.test(value) && isValid(value),
  parse: (given) => given,
});

/** The path of a file or a folder. Whether it is there, its reader finds out. */
export const path = (placeholder: '<dir>' | '<file>'): OptionKind<string> =>
  text(placeholder, { pattern: /./, rule: 'It is a path.' });

export const choice = <const Choice extends string>(
  placeholder: string,
  choices: readonly Choice[],
): OptionKind<Choice> => ({
  ...{ placeholder, choices },
  rule: `It is one of ${choices.join(', ')}.`,
  accepts: (value): value is Choice => choices.some((each) => each === value),
  parse: (given) => given,
});

type Bounds = { readonly least: number; readonly most: number };

/** `noun` begins the rule: `A number of requests`. */
export const wholeNumber = (noun: string, { least, most }: Bounds): OptionKind<number> => ({
  placeholder: '<number>',
  rule: `${noun} is from ${least} to ${most}.`,
  accepts: (value): value is number => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  parse: (given) => (/^\d+$/.test(given) ? Number(given) : undefined),
});

/** Seconds above 0, or those that `accepts` allows. */
export const seconds = (
  rule = 'Seconds are a number above 0.',
  isAllowed = (value: number): boolean => value > 0,
): OptionKind<number> => ({
  ...{ placeholder: '<seconds>', rule },
  accepts: (value): value is number => Number.isFinite(value) && isAllowed(Number(value)),
  parse: (given) => (given.trim() === '' ? undefined : Number(given)),
});

/** The entries of a text with commas between them. */
export const entriesOf = (text: string): string[] => text.split(',').map((part) => part.trim());

/** A list, on the command line with commas between its entries. */
export const list = (placeholder: string): OptionKind<readonly string[]> => ({
  placeholder,
  rule: 'It is a list of texts.',
  accepts: isTextList,
  parse: entriesOf,
});

/** A list, on the command line with one entry for each use of the option. */
export const repeated = (placeholder: string): OptionKind<readonly string[]> => ({
  ...{ placeholder, isRepeated: true },
  rule: 'It is a list of texts.',
  accepts: isTextList,
  parse: (given) => [given],
});
