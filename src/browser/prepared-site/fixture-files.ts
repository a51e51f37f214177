/** Takes the bytes of fixtures out of a prepared site, so that they can lie next to it as files. */
import { extname } from 'node:path';
import { digest } from '../../basics/secrets/digest.ts';
import type { PreparedBytes, PreparedFixture, PreparedSite } from './prepared-site.ts';

type Fixtures = PreparedSite['fixtures'];

type SeparatedFixtures = {
  /** The fixtures with the addresses of their bytes: `base`, then the name of the file. */
  readonly fixtures: Fixtures;
  /** The files by their names, which come from their content. */
  readonly files: ReadonlyMap<string, Uint8Array>;
};

/** `base` comes before the name of a file in its address, such as `bytes/`. */
export const separateBytes = (fixtures: Fixtures, base: string): SeparatedFixtures => {
  const files = new Map<string, Uint8Array>();
  const addressOf = (key: string, bytes: PreparedBytes): PreparedBytes => {
    if ('url' in bytes) return bytes;
    const content = Buffer.from(bytes.base64, 'base64');
    // A host tells the media type by it.
    const ending = /^\.[a-z0-9]{1,8}$/i.exec(extname(key))?.[0] ?? '';
    const name = `${digest('sha256', content, 'hex').slice(0, 32)}${ending}`;
    files.set(name, content);
    return { url: `${base}${name}` };
  };
  const withoutBytes = ({ blobs, ...fixture }: PreparedFixture): PreparedFixture => ({
    ...fixture,
    blobs: Object.fromEntries(Object.entries(blobs).map(([key, bytes]) => [key, addressOf(key, bytes)])),
  });
  return {
    fixtures: Object.fromEntries(Object.entries(fixtures).map(([name, fixture]) => [name, withoutBytes(fixture)])),
    files,
  };
};

/** How many bytes a prepared site holds itself. */
export const heldBytesOf = (fixtures: Fixtures): number =>
  Object.values(fixtures)
    .flatMap(({ blobs }) => Object.values(blobs))
    .reduce((sum, bytes) => sum + ('base64' in bytes ? (bytes.base64.length / 4) * 3 : 0), 0);
