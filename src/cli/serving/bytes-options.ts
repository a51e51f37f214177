/** The option that says in which bucket the bytes of a repository are. */
import type { Command } from 'commander';
import { readBytesAddress } from '../../storage/blobs/bytes-address.ts';
import type { S3Location } from '../../openapi/openapi-records.ts';

export type BytesOptions = { readonly bytes?: string | undefined };

/** Adds `--bytes`. */
export const addBytes = (command: Command): Command =>
  command.option(
    '--bytes <url>',
    'keep the bytes of all files in a bucket, s3://bucket/prefix?region=…&endpoint=…&path-style=true; credentials as for the AWS SDK (or set ATOLL_BYTES)',
  );

/** The bucket of the option or else of the environment. Undefined where none is named. Throws `ConfigurationError`. */
export const readBytes = (
  { bytes }: BytesOptions,
  environment: Readonly<Record<string, string | undefined>>,
): S3Location | undefined => {
  if (bytes !== undefined) return readBytesAddress(bytes, '--bytes');
  const named = environment['ATOLL_BYTES'];
  return named === undefined || named === '' ? undefined : readBytesAddress(named, 'ATOLL_BYTES');
};
