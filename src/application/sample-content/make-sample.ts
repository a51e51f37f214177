/** Makes sample content for any site: objects, collections, media with their bytes, and terms, through the repository itself. */
import { type Principal, repositorySite, type Site } from '../../repository/repository.ts';
import { createMemoryBlobStorage } from '../../storage/storage.ts';
import type { MakeSample } from '../../server/server-application.ts';
import { createDraft } from '../short-fixture/draft.ts';
import { readArchive } from './archive.ts';
import { makeObjects } from './make-objects.ts';
import { addCandidate } from './make-record.ts';
import { withPages } from './paged-object.ts';
import { createCandidates, type SampleContext, seededRandom } from './sample-context.ts';
import type { Entity } from '../../openapi/openapi-records.ts';

const usualSeed = 'sample';
/** The time between two records, in seconds. */
const pace = 60;

/** The same site, number and seed give the same records: ids by order, uuids by seed and order, times from the seed time. */
export const makeSample: MakeSample = async (hosted, { objects, seed = usualSeed, root }) => {
  const site = repositorySite(hosted);
  const blobs = createMemoryBlobStorage();
  let seconds = site.seedTime;
  const draft = createDraft(site, { blobs, now: () => seconds * 1000 });
  const { own, repository } = draft;
  const sample: SampleContext = {
    ...{ site, repository, random: seededRandom(seed), candidates: createCandidates(), owners: ownersOf(site) },
    archive: withPages(await readArchive(root)),
    nameUuids: (name) => {
      draft.nameUuids(`${seed} ${name}`);
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
  return { ...(await draft.made()), blobs, notes: [...sample.notes] };
};

const isTarget = ({ type, id }: Entity): boolean => type !== 'user' || id !== 0;

/** The accounts may do everything here: the person who runs the server wants the sample. */
const ownersOf = ({ accounts }: Site): Principal[] => {
  const everything = { roles: [], permissions: new Set<string>(), mayEverything: true };
  const owners = accounts.filter(({ active }) => active).map(({ uid, name }) => ({ uid, name, ...everything }));
  return owners.length > 0 ? owners : [{ uid: 0, name: '', ...everything }];
};
