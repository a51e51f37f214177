/** Checks options of `atoll serve` that contradict each other or cannot be read. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { existingSigningKey } from '../access/signing-key.ts';
import { ConfigurationError } from '../site/read-yaml.ts';
import { errorCode } from '../storage/files.ts';

/** Throws `ConfigurationError` when `--data` stands beside `--memory`, which would keep nothing there. */
export const refuseContradictions = (command: Command): void => {
  const isNamed = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
  if (!isNamed('memory') || !isNamed('data')) return;
  throw new ConfigurationError('--memory writes no file, so --data has no use. Leave out one of them.');
};

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a directory',
};

/** The PEM that `--jwt-key` names. Throws `ConfigurationError` when it is no key that tokens can be signed with. */
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
