/** Gives files the hashes of their bytes, as the module `filehash` does: the bytes are hashed as they arrive, the records get the hashes. */
import * as v from 'valibot';
import { hashedWhileRead } from '../../basics/secrets/digest.ts';
import type { BlobStorage } from '../../core/model/blob-storage.ts';
import { keyOf, type BlobReference, type Entity, type FieldItems } from '../../core/model/entity.ts';
import type { Change } from '../../core/model/entity-store.ts';
import { hashAlgorithms } from '../../core/site/living-file.ts';
import type { Site } from '../../core/site/site.ts';
import type { SectionReactions } from '../reaction.ts';
import { readSection } from '../section.ts';

const section = v.strictObject({
  algorithms: v.array(v.picklist(hashAlgorithms)),
  /** Whether files keep the hash of the bytes that they were made with. */
  original: v.optional(v.boolean(), false),
  /** Whether other bytes of the same file give it another hash. */
  rehash: v.optional(v.boolean(), false),
});
type HashSettings = v.InferOutput<typeof section>;

const settingsOf = (site: Pick<Site, 'living'>): HashSettings | undefined => {
  const settings = readSection(site, 'fileHashes', section);
  return settings?.algorithms.length === 0 ? undefined : settings;
};

/** The storages of a site, which hash what they receive where the site wants it. */
export const hashingBlobs = (
  site: Pick<Site, 'living'>,
  blobs: ReadonlyMap<string, BlobStorage>,
): ReadonlyMap<string, BlobStorage> => {
  const settings = settingsOf(site);
  if (settings === undefined) return blobs;
  return new Map([...blobs].map(([scheme, storage]) => [scheme, hashing(storage, settings)]));
};

const hashing = (storage: BlobStorage, { algorithms }: HashSettings): BlobStorage => ({
  ...storage,
  receive: async (source, options) => {
    const { chunks, hashes } = hashedWhileRead(algorithms, source);
    const received = await storage.receive(chunks, options);
    return { ...received, keep: async () => ({ ...(await received.keep()), hashes: hashes() }) };
  },
});

/** Undefined where files have no hashes. Throws `ConfigurationError`. */
export const hashReactions = (site: Site): SectionReactions | undefined => {
  const settings = settingsOf(site);
  if (settings === undefined) return undefined;
  return {
    inTransaction: (changes, { before }) => {
      // An upload to a media makes its file before the bytes are there, so these are not those that it was made with.
      const isOfMedia = changes.some((change) => 'put' in change && change.put.type === 'media');
      return changes.flatMap((change): readonly Change[] => {
        if (!('put' in change) || change.put.type !== 'file') return [];
        return [{ put: withHashes(before.get(keyOf(change.put)), change.put, { settings, isOfMedia }) }];
      });
    },
  };
};

type Work = {
  readonly settings: HashSettings;
  readonly isOfMedia: boolean;
};

const noBytes: BlobReference = { key: '', size: 0, sha256: '' };

const withHashes = (before: Entity | undefined, after: Entity, { settings, isOfMedia }: Work): Entity => {
  const { hashes, ...blob } = after.blob ?? noBytes;
  const fields: Record<string, FieldItems> = { ...after.fields };
  const set = (name: string, items: FieldItems | undefined): void => {
    if (items === undefined) Reflect.deleteProperty(fields, name);
    else fields[name] = items;
  };
  for (const algorithm of settings.algorithms) {
    const hash = hashes?.[algorithm];
    const own = hash === undefined ? undefined : [{ value: hash }];
    const isNew = before === undefined;
    set(algorithm, own !== undefined && (isNew || settings.rehash) ? own : before?.fields[algorithm]);
    if (!settings.original) continue;
    const original = `original_${algorithm}`;
    set(original, isNew && !isOfMedia ? own : before?.fields[original]);
  }
  return after.blob === undefined ? { ...after, fields } : { ...after, fields, blob };
};
