/** Parses the options that several commands share. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type OptionKind, repeated } from '../../basics/options/option-kinds.ts';

/** Makes the parser of a kind of values. It throws `InvalidArgumentError` with the rule of the kind. */
export const parserOf =
  <Value>(kind: OptionKind<Value>) =>
  (text: string, before?: unknown): Value => {
    const value = kind.parse(text);
    if (!kind.accepts(value)) throw new InvalidArgumentError(kind.rule);
    return kind.isRepeated === true && Array.isArray(before) ? ([...(before as string[]), text] as Value) : value; // a list of texts
  };

/** Makes a parser of numbers. The parser throws `InvalidArgumentError` with this message. */
export const numberParser =
  (isAllowed: (number: number, text: string) => boolean, message: string) =>
  (text: string): number => {
    const number = Number(text);
    if (text.trim() !== '' && isAllowed(number, text)) return number;
    throw new InvalidArgumentError(message);
  };

/** Makes a parser of numbers that match a pattern of digits. */
export const digitsParser = (pattern: RegExp, message: string): ((text: string) => number) =>
  numberParser((_, text) => pattern.test(text), message);

/** Makes a parser of texts that match a pattern. It throws `InvalidArgumentError` with this message. */
export const textParser =
  (pattern: RegExp, message: string) =>
  (text: string): string => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(message);
  };

/** The first option on the command line whose name fits, as it is written there: `--site`. */
export const givenOption = (command: Command, isMeant: (name: string) => boolean): string | undefined => {
  const isGiven = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
  return command.options.find((each) => isMeant(each.attributeName()) && isGiven(each.attributeName()))?.long;
};

/**
 * Lets an option that the command has be given by its former name, such as `--fill` for `--fixture`, for one release: with a warning, and not
 * shown in the help. Its parser, choices and environment variable are those of the present option.
 */
export const addFormerName = (
  command: Command,
  {
    former,
    present,
    warn,
  }: { readonly former: string; readonly present: string; readonly warn: (text: string) => void },
): Command => {
  const option = command.options.find(({ long }) => long === present);
  if (option === undefined) throw new Error(`The command ${command.name()} has no option ${present}.`);
  const [, value = ''] = / (.*)/.exec(option.flags.replace(/^-\w, /, '')) ?? [];
  const name = option.attributeName();
  const hidden = new Option(`${former} ${value}`.trimEnd()).hideHelp();
  hidden.argParser((text) => option.parseArg?.(text, command.getOptionValue(name) as unknown) ?? text);
  command.addOption(hidden);
  return command.on(`option:${hidden.name()}`, () => {
    warn(`atoll: ${former} is called ${present} now. The next release does not know ${former} any more.`);
    command.setOptionValueWithSource(name, command.getOptionValue(hidden.attributeName()), 'cli');
  });
};

/** Documents of one's own that another server is checked against. */
export const checkedDocumentOption = (): Option =>
  new Option(
    '--document <file>',
    'check against an OpenAPI document of your own: alone, or with --site below the path of its servers; PREFIX=FILE for below PREFIX; may be repeated',
  ).argParser(parserOf(repeated('<file>')));
