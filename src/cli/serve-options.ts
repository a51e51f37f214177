/** Checks options of `atoll serve` that contradict each other or cannot be read. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { existingSigningKey } from '../basics/secrets/signing-key.ts';
import { exportedConfiguration } from '../sites/drupal/folders/exported-configuration.ts';
import type { ExportedConfiguration, ImportReport } from '../core/site/exported-configuration.ts';
import { counted } from '../basics/counted.ts';
import { ConfigurationError } from '../basics/configuration-error.ts';
import { errorCode } from '../basics/error-code.ts';
import { appendValue, readList } from './option-parsers.ts';

/** Throws `ConfigurationError` for options of which one has no use together with the other. */
export const refuseContradictions = (command: Command): void => {
  const isNamed = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
  if (isNamed('memory') && isNamed('data')) {
    throw new ConfigurationError('--memory writes no file, so --data has no use. Leave out one of them.');
  }
  if (isNamed('site') && isNamed('drupalConfig')) {
    throw new ConfigurationError('--drupal-config makes the site, so --site has no use. Leave out one of them.');
  }
  const alone = ['also', 'terms', 'enable'].find((name) => isNamed(name) && !isNamed('drupalConfig'));
  if (alone !== undefined) throw new ConfigurationError(`--${alone} goes with --drupal-config. Add it.`);
};

export type DrupalOptions = {
  readonly drupalConfig?: string | undefined;
  readonly also?: readonly string[] | undefined;
  readonly terms?: readonly string[] | undefined;
  readonly enable?: readonly string[] | undefined;
};

/** Adds the options that make a site from an exported configuration. */
export const addDrupalOptions = (command: Command): Command =>
  command
    .option('--drupal-config <dir>', 'make the site from the configuration that a Drupal repository exports')
    .option('--also <dir>', 'a folder that lies over that of --drupal-config; may be repeated', appendValue)
    .option('--terms <file>', 'with --drupal-config: a table of terms in CSV; may be repeated', appendValue)
    .option(
      '--enable <types>',
      'with --drupal-config: records to serve all the same, such as node,media,term',
      readList,
    );

/** The folders and tables of these options. Undefined when they name none. */
export const importSourceOf = ({
  drupalConfig,
  also = [],
  terms = [],
  enable,
}: DrupalOptions): ExportedConfiguration | undefined =>
  drupalConfig === undefined ? undefined : exportedConfiguration({ folders: [drupalConfig, ...also], terms, enable });

/** One line for the log of a server that has imported its site. */
export const importLine = ({ taken, partly, notJudged }: ImportReport): string => {
  const places = (notes: ImportReport['partly']): number => notes.reduce((sum, { where }) => sum + where.length, 0);
  const lost = places(partly.filter((note) => note.lost));
  return (
    `imported ${counted(taken['fields'] ?? 0, 'field')} and ${counted(taken['terms'] ?? 0, 'term')}; ` +
    `taken in part: ${lost}, not judged: ${places(notJudged)} (atoll site import lists them)`
  );
};

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a directory',
};

/** The PEM that `--jwt-key` names. Throws `ConfigurationError` when it is not a key that tokens can be signed with. */
export const readSigningKey = async (file: string | undefined): Promise<string | undefined> => {
  if (file === undefined) return undefined;
  const pem = await readFile(file, 'utf8').catch((cause: unknown) => {
    const reason = unreadable[errorCode(cause) ?? ''] ?? 'it cannot be read';
    throw new ConfigurationError(`--jwt-key ${file}: ${reason}. Name a PEM file.`, { cause });
  });
  try {
    existingSigningKey(pem);
    return pem;
  } catch (cause) {
    const remedy = 'Make one: openssl genrsa -out key.pem 2048';
    throw new ConfigurationError(
      `--jwt-key ${file}: it holds no private RSA key of at least 2048 bits without a passphrase. ${remedy}`,
      { cause },
    );
  }
};
