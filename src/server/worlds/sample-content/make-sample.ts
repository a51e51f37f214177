/** Makes sample content for any site: objects, collections, media with their bytes, and terms, through the repository itself. */
import { hashingBlobs } from '../../../living/hashes/file-hashes.ts';
import { transactionReactions } from '../../../living/create-reactions.ts';
import { join } from 'node:path';
import { readRegularFile } from '../../../basics/disk/regular-file.ts';
import { indexKeys } from '../../../core/content/index-keys.ts';
import { Repository } from '../../../core/content/repository.ts';
import type { BlobStorage } from '../../../core/model/blob-storage.ts';
import type { Entity } from '../../../core/model/entity.ts';
import type { Principal } from '../../../core/model/principal.ts';
import { initialRecords } from '../../../core/site/initial-records.ts';
import type { Site } from '../../../core/site/site.ts';
import { type HeldBytes, heldBytes, openHeld } from '../../../storage/blobs/held-bytes.ts';
import { receiveBody } from '../../../storage/blobs/receive-body.ts';
import { createMemoryEntityStore } from '../../../storage/memory-entity-store.ts';
import type { FixtureContent } from '../check-fixture.ts';
import { createNamedUuids, madeRecords } from '../short-fixture/made-records.ts';
import { readArchive } from './archive.ts';
import { makeObjects } from './make-objects.ts';
import { addCandidate } from './make-record.ts';
import { withPages } from './paged-object.ts';
import { createCandidates, type SampleContext, seededRandom } from './sample-context.ts';

/** Nothing is removed from it: worlds that are made from the sample share it. */
const createHeldBytes = (): BlobStorage => {
  const held = new Map<string, HeldBytes>();
  return {
    receive: async (source, options) => {
      const parts: Uint8Array[] = [];
      const received = await receiveBody(source, options, async (part) => void parts.push(part));
      const { size, sha256 } = received;
      const key = sha256.slice(0, 32);
      return {
        ...received,
        keep: () => {
          if (!held.has(key)) held.set(key, heldBytes(parts));
          return Promise.resolve({ key, size, sha256 });
        },
        settle: () => undefined,
        discard: () => Promise.resolve(),
      };
    },
    open: ({ key, size }, range) => {
      const bytes = held.get(key);
      return Promise.resolve(bytes?.length === size ? openHeld(bytes, range) : undefined);
    },
    sweep: () => Promise.resolve([]),
    keys: () => Promise.resolve([...held.keys()].sort()),
  };
};

type SampleRequest = {
  readonly objects: number;
  readonly seed: string | undefined;
  /** The folder of the package, which has the archive that the sample shows. */
  readonly root: string;
};

/** `notes` name the bundles of which the model allows no record. */
export type SampleContent = FixtureContent & { readonly notes: readonly string[] };

const usualSeed = 'sample';
/** The time between two records, in seconds. */
const pace = 60;

/** The same site, number and seed give the same records: ids by order, uuids by seed and order, times from the seed time. */
export const makeSample = async (
  site: Site,
  { objects, seed = usualSeed, root }: SampleRequest,
): Promise<SampleContent> => {
  const own = initialRecords(site);
  const blobs = createHeldBytes();
  const uuids = createNamedUuids();
  let seconds = site.seedTime;
  const repository = new Repository({
    site,
    store: createMemoryEntityStore({ indexes: indexKeys, initialRecords: { entities: own, counters: {} } }),
    blobs: hashingBlobs(site, new Map(site.storages.map(({ scheme }) => [scheme, blobs]))),
    clock: { now: () => seconds * 1000 },
    ids: { uuid: uuids.next, secret: uuids.next },
    reactions: transactionReactions(site),
    readIcon: (name) => readRegularFile(join(site.iconDirectory, name)),
  });
  const sample: SampleContext = {
    ...{ site, repository, random: seededRandom(seed), candidates: createCandidates(), owners: ownersOf(site) },
    archive: withPages(await readArchive(root)),
    nameUuids: (name) => {
      uuids.begin(`${seed} ${name}`);
      seconds += pace;
    },
    now: () => seconds,
    setTime: (next) => {
      seconds = next;
    },
    notes: new Set(),
    impossible: new Set(),
    count: 0,
  };
  for (const record of own.filter(isTarget)) addCandidate(sample, record);
  await makeObjects(sample, objects);
  return { ...(await madeRecords(repository, own)), blobs, notes: [...sample.notes] };
};

const isTarget = ({ type, id }: Entity): boolean => type !== 'user' || id !== 0;

/** The accounts may do everything here: the person who runs the server wants the sample. */
const ownersOf = ({ accounts }: Site): Principal[] => {
  const everything = { roles: [], permissions: new Set<string>(), mayEverything: true };
  const owners = accounts.filter(({ active }) => active).map(({ uid, name }) => ({ uid, name, ...everything }));
  return owners.length > 0 ? owners : [{ uid: 0, name: '', ...everything }];
};
