/** Reads the secrets of a server from their options, from the files that options name, or from the environment. */
import { readFile } from 'node:fs/promises';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { unreadableReason } from '../../basics/disk/regular-file.ts';
import { errorCode } from '../../basics/error-code.ts';
import { existingSigningKey } from '../../basics/secrets/signing-key.ts';
import { commandOptions } from './option-table.ts';
import type { ReadOptions } from './start-options.ts';

/** The text of a file that holds a secret. An editor ends a file with a line break, which does not belong to it. Throws `ConfigurationError`. */
export const readSecretFile = async (source: string, file: string): Promise<string> => {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError(`${source} ${file}: ${unreadableReason(cause)}.`, { cause });
  });
  return text.replace(/\r?\n$/, '');
};

/**
 * The control token of the options or else of the environment. Undefined where none is given. Throws `ConfigurationError` for a file
 * without a token that a header can carry, and never says it.
 */
export const readControlToken = async ({
  values: { controlToken, controlTokenFile },
  isGiven,
  sourceOf,
}: ReadOptions<'serve'>): Promise<string | undefined> => {
  if (controlTokenFile === undefined || (controlToken !== undefined && !isGiven('controlTokenFile')))
    return controlToken;
  const source = sourceOf('controlTokenFile');
  const token = await readSecretFile(source, controlTokenFile);
  const { accepts, rule } = commandOptions.controlToken.kind;
  if (accepts(token)) return token;
  throw new ConfigurationError(`${source} ${controlTokenFile}: ${rule}`);
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
