/** Gives files the hashes of their bytes, as the module `filehash` does: the bytes are hashed as they arrive, the records get the hashes. */
import * as v from 'valibot';
import { type DigestName, digestNames, hashedWhileRead } from '../../../basics/secrets/digest.ts';
import { fileWithHash } from '../../model/index-keys.ts';
import { isTemporary } from '../../content/verdicts.ts';
import { labelOf } from '../../model/entity.ts';
import { may, type Principal } from '../../model/principal.ts';
import type { Site } from '../../site/site.ts';
import type { SectionReactions } from '../reaction.ts';
import { readSection } from '../section.ts';
import {
  type BlobStorage,
  firstValue,
  keyOf,
  textOf,
  type BlobReference,
  type Entity,
  type FieldItems,
  type Change,
  type StoreView,
} from '../../../openapi/openapi-records.ts';
import { unprocessable } from '../../../openapi/openapi-terms.ts';

const section = v.strictObject({
  /** Files have no hash by those that are not known. */
  algorithms: v.array(v.string()),
  /** Whether files keep the hash of the bytes that they were made with. */
  original: v.optional(v.boolean(), false),
  /** Whether other bytes of the same file give it another hash. */
  rehash: v.optional(v.boolean(), false),
  /** Which files may not be uploaded a second time: 0 for none, 1 for those that a media uses, 2 for temporary ones, too. */
  dedupe: v.optional(v.picklist([0, 1, 2]), 0),
  /** Whether the bytes that a file was made with count as its own. */
  dedupe_original: v.optional(v.boolean(), false),
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
  const known = digestNames.filter((name) => settings.algorithms.includes(name));
  return new Map([...blobs].map(([scheme, storage]) => [scheme, hashing(storage, known)]));
};

const hashing = (storage: BlobStorage, known: readonly DigestName[]): BlobStorage => ({
  ...storage,
  receive: async (source, options) => {
    const { chunks, hashes } = hashedWhileRead(known, source);
    const received = await storage.receive(chunks, options);
    return { ...received, keep: async () => ({ ...(await received.keep()), hashes: hashes() }) };
  },
});

/** Undefined where files have no hashes. Throws `ConfigurationError`. */
export const hashReactions = (site: Site): SectionReactions | undefined => {
  const settings = settingsOf(site);
  if (settings === undefined) return undefined;
  return {
    inTransaction: (changes, { before }, { principal, isOfSite = false }) => {
      // An upload to a media makes its file before the bytes are there, so these are not those that it was made with, and nobody looks
      // whether another file has them.
      const isOfMedia = changes.some((change) => 'put' in change && change.put.type === 'media');
      return changes.flatMap((change): readonly Change[] => {
        if (!('put' in change) || change.put.type !== 'file') return [];
        const present = before.get(keyOf(change.put));
        const put = withHashes(present, change.put, { settings, isOfMedia });
        if (present === undefined && !isOfMedia && !isOfSite)
          refuseDuplicate(put, settings, { view: before, principal });
        return [{ put }];
      });
    },
  };
};

/** Throws 422 with the text of the module, which names the other file to those who may see the list of files. */
const refuseDuplicate = (
  file: Entity,
  { algorithms, original, dedupe, dedupe_original: withOriginals }: HashSettings,
  { view, principal }: { readonly view: StoreView; readonly principal: Principal },
): void => {
  if (dedupe === 0) return;
  for (const algorithm of algorithms) {
    const hash = firstValue(file, algorithm);
    if (hash === undefined) continue;
    const names = original && withOriginals ? [algorithm, `original_${algorithm}`] : [algorithm];
    const [other] = view
      .lookup(fileWithHash(textOf(hash)))
      .filter((each) => names.some((name) => firstValue(each, name) === hash) && (dedupe === 2 || !isTemporary(each)));
    if (other === undefined) continue;
    const why = may(principal, 'access files overview')
      ? `This file has already been uploaded as ${labelOf(other)}.`
      : 'Sorry, duplicate files are not permitted.';
    throw unprocessable(`Unprocessable Entity: file validation failed.\n${why}`);
  }
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
    const known = before?.fields[algorithm];
    set(algorithm, own !== undefined && (isNew || settings.rehash || known === undefined) ? own : known);
    if (!settings.original) continue;
    const original = `original_${algorithm}`;
    set(original, isNew && !isOfMedia ? own : before?.fields[original]);
  }
  return after.blob === undefined ? { ...after, fields } : { ...after, fields, blob };
};
