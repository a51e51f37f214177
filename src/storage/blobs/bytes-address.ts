/** Reads the address of a bucket, and has all bytes of a site kept there. */
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { S3Location } from '../../openapi/openapi-records.ts';

const form = 's3://BUCKET/PREFIX?region=…&endpoint=…&path-style=true';

/**
 * `s3://bucket/prefix?region=…&endpoint=…&path-style=true`. `source` is the option or variable that has it. Throws
 * `ConfigurationError`, which never repeats the address: credentials may have been written into it.
 */
export const readBytesAddress = (text: string, source: string): S3Location => {
  const refuse = (reason: string): never => {
    throw new ConfigurationError(`${source}: ${reason} Write ${form}.`);
  };
  if (!URL.canParse(text) || !text.startsWith('s3://')) refuse('it is not an address of a bucket.');
  const { hostname, username, password, pathname, searchParams, hash } = new URL(text);
  if (username !== '' || password !== '') {
    refuse('credentials do not belong here: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(hostname) || hash !== '') refuse('it names no bucket.');
  const prefix = pathname.replaceAll(/^\/+|\/+$/g, '');
  if (!/^(?:[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*)?$/.test(prefix)) {
    refuse('its path has letters, digits, dots, hyphens, underscores and slashes.');
  }
  const unknown = [...searchParams.keys()].find((name) => !['region', 'endpoint', 'path-style'].includes(name));
  if (unknown !== undefined) refuse('it has region, endpoint and path-style, and no other parameter.');
  const endpoint = searchParams.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !(URL.canParse(endpoint) && /^https?:\/\//.test(endpoint))) {
    refuse('its endpoint begins with http:// or https://.');
  }
  return {
    bucket: hostname,
    region: searchParams.get('region') ?? 'us-east-1',
    endpoint,
    pathStyle: searchParams.get('path-style') === 'true',
    keyPrefix: prefix === '' ? '' : `${prefix}/`,
    keys: undefined,
  };
};

/** The same site, with the bytes of each scheme below its name in the bucket. */
export const withBytesAt = <S extends { readonly storages: readonly { readonly scheme: string }[] }>(
  site: S,
  location: S3Location | undefined,
): S =>
  location === undefined
    ? site
    : {
        ...site,
        storages: site.storages.map((mount) => ({
          ...mount,
          s3: { ...location, keyPrefix: `${location.keyPrefix}${mount.scheme}/` },
        })),
      };
