/** Makes sample content for any site: objects, collections, media with their bytes, and terms, through the repository itself. */
import { join } from 'node:path';
import { indexKeys } from '../../../core/content/index-keys.ts';
import { Repository } from '../../../core/content/repository.ts';
import type { Entity } from '../../../core/model/entity.ts';
import type { Principal } from '../../../core/model/principal.ts';
import { initialRecords } from '../../../core/site/initial-records.ts';
import { readRegularFile } from '../../../basics/disk/regular-file.ts';
import type { Site } from '../../../core/site/site.ts';
import { createMemoryEntityStore } from '../../../storage/memory-entity-store.ts';
import type { FixtureContent } from '../check-fixture.ts';
import { createNamedUuids, madeRecords } from '../short-fixture/made-records.ts';
import { createHeldBytes } from './held-bytes.ts';
import { makeObjects } from './make-objects.ts';
import { addCandidate } from './make-record.ts';
import { createCandidates, seededDraws, type Making } from './sample-context.ts';

type SampleRequest = { readonly objects: number; readonly seed: string | undefined };

/** `notes` name the bundles of which the model allows no record. */
export type SampleContent = FixtureContent & { readonly notes: readonly string[] };

const usualSeed = 'sample';
/** The time between two records, in seconds. */
const pace = 60;

/** The same site, number and seed give the same records: ids by order, uuids by seed and order, times from the seed time. */
export const makeSample = async (site: Site, { objects, seed = usualSeed }: SampleRequest): Promise<SampleContent> => {
  const own = initialRecords(site);
  const blobs = createHeldBytes();
  const uuids = createNamedUuids();
  let seconds = site.seedTime;
  const repository = new Repository({
    site,
    store: createMemoryEntityStore({ indexes: indexKeys, initialRecords: { entities: own, counters: {} } }),
    blobs: new Map(site.storages.map(({ scheme }) => [scheme, blobs])),
    clock: { now: () => seconds * 1000 },
    ids: { uuid: uuids.next, secret: uuids.next },
    readIcon: (name) => readRegularFile(join(site.iconDirectory, name)),
  });
  const making: Making = {
    ...{ site, repository, draws: seededDraws(seed), candidates: createCandidates(), owners: ownersOf(site) },
    nameUuids: (name) => {
      uuids.begin(`${seed} ${name}`);
      seconds += pace;
    },
    now: () => seconds,
    notes: new Set(),
    impossible: new Set(),
    count: 0,
  };
  for (const record of own.filter(isTarget)) addCandidate(making, record);
  await makeObjects(making, objects);
  return { ...(await madeRecords(repository, own)), blobs, notes: [...making.notes] };
};

const isTarget = ({ type, id }: Entity): boolean => type !== 'user' || id !== 0;

/** The accounts may do everything here: whoever runs the server wants the sample. */
const ownersOf = ({ accounts }: Site): Principal[] => {
  const everything = { roles: [], permissions: new Set<string>(), mayEverything: true };
  const owners = accounts.filter(({ active }) => active).map(({ uid, name }) => ({ uid, name, ...everything }));
  return owners.length > 0 ? owners : [{ uid: 0, name: '', ...everything }];
};
