/** Parses the options that several commands share. */
import { callbackTarget } from '../server/events/send-callbacks.ts';
import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ConfigurationError } from '../basics/configuration-error.ts';
import { unreadableReason } from '../basics/disk/regular-file.ts';
import { cacheModes } from '../core/site/site.ts';

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

/** Parses a port, 0 for any free one. */
export const readPort = numberParser(
  (port, text) => /^\d{1,5}$/.test(text) && port <= 65_535,
  'A port is a number from 0 to 65535.',
);

/** Parses seconds, more than 0. */
export const readSeconds = numberParser(
  (seconds) => seconds > 0 && seconds < Infinity,
  'Seconds are a number above 0.',
);

/** Makes a parser of texts that match a pattern. It throws `InvalidArgumentError` with this message. */
export const textParser =
  (pattern: RegExp, message: string) =>
  (text: string): string => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(message);
  };

/** How reads are answered. */
export const cachesOption = (): Option =>
  new Option(
    '--caches <mode>',
    'answer reads from caches as those of a real site, or always fresh (default: as the site says)',
  ).choices(cacheModes);

/** Whether browsers get pages. */
export const pagesOption = (): Option =>
  new Option(
    '--no-pages',
    'answer a browser at the address of a record as any other client, without a page for people',
  );

/** How many requests are remembered. */
export const trafficOption = (): Option =>
  new Option(
    '--traffic <number>',
    'how many requests each world remembers, in 4 KiB each, together at least 4 MiB; 0 turns traffic off',
  )
    .argParser(digitsParser(/^\d{1,5}$/, 'A number of requests is from 0 to 99999.'))
    .default(1000);

/** When a site does what it does by itself after a write. */
export const reactionsDelayOption = (): Option =>
  new Option('--reactions-delay <seconds>', 'from a write to what the site does by itself some time after it')
    .argParser(numberParser((seconds) => seconds >= 0 && seconds <= 86_400, 'A delay is from 0 to 86400 seconds.'))
    .default(0);

/** Where the messages of sites go. Its text may hold a password, so an error does not repeat it. */
export const eventsOption = (): Option =>
  new Option(
    '--events <target>',
    'where messages that sites send after writes go: services (built-in ones make the derivatives), none, stomp://HOST:PORT, or a webhook’s address',
  ).default('services');

/** Parses a comma-separated list. */
export const readList = (text: string): string[] => text.split(',').map((part) => part.trim());

/** Whose pages may change something through the control interface. */
export const controlOriginsOption = (): Option =>
  new Option(
    '--control-origins <origins>',
    'origins of other servers whose pages may use the control interface, comma-separated (default: none)',
  ).argParser(readList);

/** Who is asked for a name and a password by HTTP Basic. */
export const basicChallengeOption = (): Option =>
  new Option(
    '--basic-challenge <clients>',
    'which clients get WWW-Authenticate: Basic with a 401, which opens a dialog in browsers',
  )
    .choices(['always', 'outside-browsers', 'never'])
    .default('always');

/** The first option on the command line whose name fits, as it is written there: `--site`. */
export const givenOption = (command: Command, isMeant: (name: string) => boolean): string | undefined => {
  const isGiven = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
  return command.options.find((each) => isMeant(each.attributeName()) && isGiven(each.attributeName()))?.long;
};

/** The text of a file that holds a secret. An editor ends a file with a line break, which does not belong to it. Throws `ConfigurationError`. */
export const readSecretFile = async (source: string, file: string): Promise<string> => {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError(`${source} ${file}: ${unreadableReason(cause)}.`, { cause });
  });
  return text.replace(/\r?\n$/, '');
};

/** Collects the values of an option that may be repeated. */
export const appendValue = (value: string, before: readonly string[] = []): string[] => [...before, value];

/** A service container of a pipeline has an environment and no command line. */
export const demoAccountsOption = (): Option =>
  new Option(
    '--demo-accounts',
    'allow accounts with published passwords on a host that others can reach; with any value of the variable',
  ).env('ATOLL_DEMO_ACCOUNTS');

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

/** Documents of one's own. */
export const documentOption = (): Option =>
  new Option(
    '--document <file>',
    'an OpenAPI document of your own: alone, or with --site below the path of its servers; PREFIX=FILE serves it below PREFIX; may be repeated',
  ).argParser(appendValue);

/** Documents of one's own that another server is checked against. */
export const checkedDocumentOption = (): Option =>
  new Option(
    '--document <file>',
    'check against an OpenAPI document of your own: alone, or with --site below the path of its servers; PREFIX=FILE for below PREFIX; may be repeated',
  ).argParser(appendValue);

/** Whether they forget. */
export const statelessOption = (): Option =>
  new Option('--stateless', 'answer your documents from their examples alone: what clients write is not remembered');

/** The callbacks of such documents. */
export const callbacksOption = (): Option =>
  new Option(
    '--callbacks <target>',
    'sends the callbacks of your documents after the answer: to loopback addresses (loopback), or to one origin',
  ).argParser(callbackTarget);
