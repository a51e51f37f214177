/** Opens the key that signs the tokens of a data directory, which is made when it is first needed. */
import { stat } from 'node:fs/promises';
import { writeWhole, type Files } from '../../basics/disk/files.ts';
import { notRegularCode, readRegularFile, unreadableReason } from '../../basics/disk/regular-file.ts';
import { errorCode, ifThere } from '../../basics/error-code.ts';
import { existingSigningKey, generatedSigningKey, type SigningKeySource } from '../../basics/secrets/signing-key.ts';
import { storeDamaged } from '../../storage/storage-export.ts';

type KeyOptions = {
  /** The PEM of a key that is used in place of that of the directory. */
  readonly signingKey?: string | undefined;
  readonly warn: (message: string) => void;
};

/** The key in a file of the data directory. Undefined when there is no file. A damaged one is never replaced. */
const keyAt = async (file: string): Promise<SigningKeySource | undefined> => {
  const advice = 'Put the right file back, or move it away: then a new key is made, and earlier tokens are refused.';
  const pem = await ifThere(readRegularFile(file)).catch((error: unknown) => {
    if (errorCode(error) === notRegularCode) throw storeDamaged(file, 0, unreadableReason(error), advice);
    throw error;
  });
  if (pem === undefined) return undefined;
  try {
    return existingSigningKey(pem.toString());
  } catch {
    throw storeDamaged(
      file,
      0,
      pem.length === 0 ? 'the file is empty' : 'it is not a whole RSA private key (PEM)',
      advice,
    );
  }
};

export const openSigningKey = async (options: KeyOptions, files: Files, file: string): Promise<SigningKeySource> => {
  if (options.signingKey !== undefined) return existingSigningKey(options.signingKey);
  const pem = await keyAt(file);
  if (pem !== undefined) return pem;
  const note = `${file}.made`;
  if ((await ifThere(stat(note))) !== undefined) {
    options.warn(
      `${file} is missing, and there was one: tokens that were issued are not valid any more. Put it back from a copy.`,
    );
  }
  // Atomic: a start that is killed here must not leave half a key.
  return generatedSigningKey(async (made) => {
    await writeWhole(files, file, made);
    await writeWhole(files, note, 'A key was made. Without jwt-key.pem the next start says so.\n');
  });
};
