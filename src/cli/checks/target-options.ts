/** Reads the options that the commands for other servers share: the target, its accounts, its limits, and its site. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { readAccountFile } from '../../exchange/exchange-target.ts';
import { rewritables, type Rewritable } from '../../checks/checks-choices.ts';
import type { CommandContext } from '../command-context.ts';
import { addDrupalOptions, importSourceOf, type DrupalOptions } from '../options/drupal-options.ts';
import { limitsOf, type LimitOptions } from '../options/limit-options.ts';
import { entriesOf } from '../../basics/options/option-kinds.ts';

export type TargetOptions = DrupalOptions &
  LimitOptions & {
    /** Without a slash at its end. */
    readonly target: string;
    readonly site?: string;
    readonly accounts?: string;
    readonly as?: readonly string[];
  };

/** Adds `--target`, TLS and limits. */
export const withTarget = (command: Command): Command =>
  command
    .addOption(
      new Option('--target <url>', 'the base URL of the server')
        .env('ATOLL_TARGET')
        .argParser(readTargetUrl)
        .makeOptionMandatory(),
    )
    .option('--ca <file>', 'the certificate (PEM) of an authority to trust')
    .option('--insecure', 'trust any certificate, for a test server')
    .option('--timeout <seconds>', 'how long the target may say nothing', positive, 30)
    .option('--rate <number>', 'at most so many requests in a second', positive);

/** Adds the options that name the contract: the site, or an exported configuration that makes one. */
export const withContract = (command: Command): Command =>
  addDrupalOptions(
    command.option('--site <name|dir>', 'the site: starter-site, or a directory (default: the built-in site)'),
  );

/** Adds the options that name accounts. */
export const withAccounts = (command: Command): Command =>
  command
    .option('--as <names>', 'act as these accounts, with commas between them (default: all that are known)', readNames)
    .option('--accounts <file>', 'a YAML file with the credentials of accounts by name');

const readTargetUrl = (text: string): string => {
  if (!/^https?:\/\/./i.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError(`"${text}" is not an address of a server. One begins with http:// or https://.`);
  }
  const { username, password, search, hash } = new URL(text);
  if (username !== '' || password !== '') {
    throw new InvalidArgumentError('Credentials have no place in an address. Name a file with --accounts.');
  }
  if (search !== '' || hash !== '') throw new InvalidArgumentError('A base URL has no query and no fragment.');
  return text.replace(/\/+$/, '');
};

const positive = (text: string): number => {
  const number = Number(text);
  if (number > 0 && Number.isFinite(number)) return number;
  throw new InvalidArgumentError('It must be a number above 0.');
};

const readNames = (text: string): readonly string[] => {
  const names = text.split(',').map((name) => name.trim());
  if (names.some((name) => name === '')) throw new InvalidArgumentError('Write names with commas between them.');
  return names;
};

/** Reads which parts of replies lead clients back: `links,cookies`. */
export const readRewritables = (text: string): Rewritable[] =>
  entriesOf(text).map((name) => {
    const known = rewritables.find((each) => each === name);
    if (known === undefined) throw new InvalidArgumentError(`There are ${rewritables.join(', ')}, and no "${name}".`);
    return known;
  });

/** Reads everything that the options name. Throws `ConfigurationError`. Sends nothing. */
export const openTarget = async (options: TargetOptions, context: CommandContext) => {
  const { readTarget } = await import('../../checks/checks.ts');
  const { target, site, as } = options;
  const accounts = options.accounts === undefined ? [] : await readAccountFile(options.accounts);
  const { root, prepared, environment } = context;
  return readTarget({
    ...{ target, as, accounts, environment, ...(await limitsOf(options)) },
    locations: { root, prepared, site, drupalConfig: importSourceOf(options, context.rim) },
  });
};
