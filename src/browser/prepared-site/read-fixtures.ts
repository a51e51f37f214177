/** Reads fixtures with all their bytes. */
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Entity } from '../../core/model/entity.ts';
import { initialRecords } from '../../core/site/initial-records.ts';
import type { Site } from '../../core/site/site.ts';
import { createFixtures } from '../../server/worlds/fixtures.ts';
import type { FixtureContent } from '../../server/worlds/check-fixture.ts';
import { packagedFixtureReader } from '../../server/worlds/short-fixture/packaged-fixtures.ts';
import { ownFixture, packagedFixture } from '../../server/worlds/read-fixture.ts';
import type { PreparedBytes, PreparedFixture } from './prepared-site.ts';

type FixtureSource = {
  /** The folder of the package. */
  readonly root: string;
  /** The file that the build prepared. */
  readonly prepared?: string | undefined;
  readonly site: Site;
  /** What a sample is drawn by. */
  readonly seed: string | undefined;
  /** Is told what a sample cannot have. */
  readonly warn: (message: string) => void;
};

/** The name and content of a fixture. `otherFixture` takes its place where it does not fit. Throws `ConfigurationError`. */
export const readFixture = async (
  { root, prepared, site, seed, warn }: FixtureSource,
  named: { readonly fixture: string; readonly otherFixture?: string | undefined },
): Promise<readonly [string, PreparedFixture]> => {
  const packaged = await packagedFixture(root, named.fixture);
  const own = packaged === undefined ? await ownFixture(root, named.fixture, site) : { fixture: packaged };
  const readFixture = packagedFixtureReader(root, prepared);
  const fixtures = createFixtures({ ...own, otherFixture: named.otherFixture, readFixture, site, seed, warn });
  const { entities, counters, blobs } = await fixtures.ownContent();
  // The server adds the records of the site itself, and so does who uses the prepared site.
  const others = [...entities].slice(initialRecords(site).length).map(withoutUndefined);
  const content = { entities: others, counters, blobs: await bytesOf(others, blobs) };
  return [basename(fixtures.ownName()).replace(/\.(ya?ml|json)$/i, ''), content];
};

/** JSON has no undefined. */
const withoutUndefined = (entity: Entity): Entity => JSON.parse(JSON.stringify(entity)) as Entity; // a record is JSON

const bytesOf = async (
  entities: readonly Entity[],
  storage: FixtureContent['blobs'],
): Promise<Record<string, PreparedBytes>> => {
  const found: Record<string, PreparedBytes> = {};
  for (const { id, blob } of entities) {
    if (blob === undefined || Object.hasOwn(found, blob.key)) continue;
    const stream = await storage.open(blob);
    if (stream === undefined) throw new Error(`The bytes of file:${id} (${blob.key}) are missing.`);
    found[blob.key] = { base64: (await buffer(stream)).toString('base64') };
  }
  return found;
};
