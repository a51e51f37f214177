/** Chooses what the worlds of documents alone begin with: the records of collections, and no content. */
import { createMemoryBlobStorage } from '../../storage/storage.ts';
import { allBegun } from '../../openapi/openapi-records.ts';
import type { FixturesOf } from '../application.ts';
import type { FixtureContent } from '../worlds/fixture-content.ts';
import { ownFixture, packagedFixture } from '../worlds/read-fixture.ts';
import { plainContent } from './plain-content.ts';

/** The collections begin with examples, unless the fixture is `empty` or a file. */
export const plainFixtures: FixturesOf = async ({ root, fixture }, { site }) => {
  const named = async (name: string): Promise<string | undefined> => (name === 'empty' ? name : undefined);
  const isOfPackage = fixture === undefined || (await packagedFixture(root, fixture)) !== undefined;
  const packaged =
    fixture === 'empty'
      ? { fixture: 'empty', records: withoutExamples }
      : { fixture: 'examples', records: withoutContent };
  return {
    ...{ otherFixture: undefined, fixturesFit: true, fixtureNamed: named },
    readFixture: async () => withoutExamples,
    ...(isOfPackage ? packaged : await ownFixture(root, fixture, { rules: plainContent, site })),
  };
};

const withoutContent: FixtureContent = { entities: [], counters: {}, blobs: createMemoryBlobStorage() };
/** No collection begins with the examples of its document. */
const withoutExamples: FixtureContent = { ...withoutContent, counters: { [allBegun]: 1 } };
