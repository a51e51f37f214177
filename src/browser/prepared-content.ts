/** Reads a prepared site: its files as a folder, its pictures, its fixtures with their bytes. */
import type * as v from 'valibot';
import type { PreparedBytes, PreparedFixture, PreparedSite } from './prepared-site/prepared-site.ts';
import { initialRecords } from '../repository/repository-sites.ts';
import { ConfigurationError } from '../basics/configuration-error.ts';
import type { SiteFolder, Site } from '../repository/repository.ts';
import type { FixtureContent } from '../server/server-application.ts';
import { readOnlyBlobs } from '../storage/storage-driver.ts';
import { openHeld } from './held-blobs.ts';
import type { BlobStorage, BlobReference } from '../openapi/openapi-records.ts';

/** The files of the site, which were checked when it was prepared. */
export const preparedFolder = ({ name: site, siteFiles, icons }: PreparedSite): SiteFolder => ({
  list: async (part) =>
    Object.keys(siteFiles)
      .filter((name) => name.startsWith(`${part}/`))
      .sort(),
  has: async (name) => Object.hasOwn(siteFiles, name),
  read: async <S extends v.GenericSchema>(name: string): Promise<v.InferOutput<S>> => siteFiles[name], // checked when it was prepared
  pathOf: (name) => `${site}: ${name}`,
  iconDirectory: 'icons',
  hasIcon: async (name) => Object.hasOwn(icons, name),
});

/** The icon of this name, as bytes; empty when there is none. */
export const preparedIcon = ({ icons }: PreparedSite, name: string): Uint8Array =>
  Buffer.from(icons[name] ?? '', 'base64');

/** The records of the site and of one of its fixtures, and their bytes. Throws `ConfigurationError` for another name. */
export const preparedContent = (prepared: PreparedSite, site: Site, name: string): FixtureContent => {
  const fixture = Object.hasOwn(prepared.fixtures, name) ? prepared.fixtures[name] : undefined;
  if (fixture === undefined) {
    const names = Object.keys(prepared.fixtures).join(', ');
    throw new ConfigurationError(`The prepared site "${prepared.name}" has no fixture "${name}". It has: ${names}.`);
  }
  return {
    entities: [...initialRecords(site), ...fixture.entities],
    counters: fixture.counters,
    blobs: preparedBlobs(fixture),
  };
};

const preparedBlobs = ({ blobs }: PreparedFixture): BlobStorage => {
  const read = new Map<string, Promise<Blob>>();
  const blobOf = (key: string, bytes: PreparedBytes): Promise<Blob> => {
    const known = read.get(key) ?? readBytes(bytes);
    read.set(key, known);
    known.catch(() => read.delete(key));
    return known;
  };
  return readOnlyBlobs('The fixture', {
    open: async ({ key, size }: BlobReference, range) => {
      const bytes = blobs[key];
      const blob = bytes === undefined ? undefined : await blobOf(key, bytes);
      return blob?.size === size ? openHeld(blob, range) : undefined;
    },
    keys: async () => Object.keys(blobs).sort(),
  });
};

const readBytes = async (bytes: PreparedBytes): Promise<Blob> => {
  if ('base64' in bytes) return new Blob([Uint8Array.from(Buffer.from(bytes.base64, 'base64'))]);
  const response = await fetch(bytes.url);
  if (!response.ok) throw new Error(`${bytes.url}: ${response.status}`);
  return response.blob();
};
