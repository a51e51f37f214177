/** Keeps control tokens in a file of the data directory that only its owner may read. */
import { join } from 'node:path';
import type { ControlTokenStore, StoredControlToken } from '../../openapi/openapi-host.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { requireFormat } from '../../basics/disk/require-format.ts';
import { parsedJson } from '../../basics/json.ts';
import { readRegularFile, unreadableReason } from '../../basics/disk/regular-file.ts';
import { ifThere } from '../../basics/error-code.ts';
import { diskFiles, writeWhole, type Files } from '../../basics/disk/files.ts';
import { writeProblem } from '../write-problem.ts';
import { createListedTokens } from './token-list.ts';

/** The name of the file in the data directory. */
export const controlTokensName = 'control-tokens.json';

/**
 * Opens the tokens of a data directory that this process has locked. The file is made with the first token, with mode 0600. Each
 * change writes a whole new one, which is durable before the change is answered. Rejects with `ConfigurationError` when the
 * file is there and cannot be read.
 */
export const openFileControlTokens = async (
  directory: string,
  files: Files = diskFiles('full'),
): Promise<ControlTokenStore> => {
  const file = join(directory, controlTokensName);
  return createListedTokens(await readTokens(file), async (tokens) => {
    try {
      await writeWhole(files, file, `${JSON.stringify({ format, tokens }, undefined, 1)}\n`);
      await files.syncDirectory(directory);
    } catch (error) {
      throw writeProblem(error);
    }
  });
};

const format = 1;

const readTokens = async (file: string): Promise<readonly StoredControlToken[]> => {
  const bytes = await ifThere(readRegularFile(file)).catch((cause: unknown) => {
    throw unusable(file, unreadableReason(cause), cause);
  });
  if (bytes === undefined) return [];
  requireFormat(file, parsedJson(bytes.toString()), format);
  try {
    const content = JSON.parse(bytes.toString()) as { readonly format?: unknown; readonly tokens?: unknown } | null;
    if (content?.format === format && Array.isArray(content.tokens) && content.tokens.every(isToken)) {
      return content.tokens;
    }
  } catch (cause) {
    throw unusable(file, 'it is no JSON', cause);
  }
  throw unusable(file, 'it is not a list of control tokens of this version');
};

const unusable = (file: string, reason: string, cause?: unknown): ConfigurationError =>
  new ConfigurationError(
    `${file}: ${reason}. Put the right file back, or move it away: then all named control tokens are revoked.`,
    { cause },
  );

const isToken = (value: unknown): value is StoredControlToken => {
  if (typeof value !== 'object' || value === null) return false;
  const token = value as Readonly<Record<string, unknown>>; // checked member by member
  return (
    typeof token['name'] === 'string' &&
    ['read', 'worlds', 'everything'].includes(String(token['right'])) &&
    (token['right'] === 'worlds') === (typeof token['prefix'] === 'string' && token['prefix'] !== '') &&
    /^[0-9a-f]{64}$/.test(String(token['secretHash'])) &&
    typeof token['created'] === 'number' &&
    (token['expires'] === null || typeof token['expires'] === 'number') &&
    (token['lastUsed'] === null || typeof token['lastUsed'] === 'string')
  );
};
