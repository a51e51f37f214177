/** Reads the option that says in which bucket the bytes of a repository are. */
import { readBytesAddress } from '../../storage/storage.ts';
import type { S3Location } from '../../openapi/openapi-records.ts';
import { commandOptions } from '../options/option-table.ts';

/** The bucket of the option or else of the environment. Undefined where none is named. Throws `ConfigurationError`. */
export const readBytes = (
  { bytes }: { readonly bytes?: string | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): S3Location | undefined => {
  if (bytes !== undefined) return readBytesAddress(bytes, '--bytes');
  const { variable } = commandOptions.bytes;
  const named = environment[variable];
  return named === undefined || named === '' ? undefined : readBytesAddress(named, variable);
};
