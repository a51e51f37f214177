/** Takes the content of a world in the database, and replaces it, while requests go on. */
import { entityTypes } from '../repository/repository.ts';
import { copyBlobs, type Worlds } from '../server/server-worlds.ts';
import type { ServedData } from '../server/server-application.ts';
import { writeProblem } from '../storage/storage.ts';
import { whileWriting } from './lease.ts';
import type { Queries } from './postgres/database.ts';
import type { RegistryParts } from './registry.ts';
import { resetWorld } from './reset-world.ts';
import { findNamed } from './snapshots.ts';
import { copyUnlisted } from './unlisted-worlds.ts';
import { writeLayer } from './write-layer.ts';
import { type Counters, type Entity, schemeOf } from '../openapi/openapi-records.ts';

/** How many ids one statement looks at. */
const idsPerQuery = 5_000;

/** By type and ascending id. The layers must not change meanwhile. */
async function* visibleRecords(queries: Queries, chain: readonly number[]): AsyncGenerator<Entity> {
  for (const type of entityTypes) {
    const [ids] = await queries.query<{ first: number | null; last: number | null }>(
      'select min(id) as first, max(id) as last from atoll_records where layer = any($1::bigint[]) and type = $2',
      [chain, type],
    );
    const last = ids?.last ?? -1;
    for (let from = ids?.first ?? 0; from <= last; from += idsPerQuery) {
      const rows = await queries.query<{ record: string | null }>(
        `select distinct on (id) id, record from atoll_records
          where layer = any($1::bigint[]) and type = $2 and id >= $3 and id < $4 order by id, layer desc`,
        [chain, type, from, from + idsPerQuery],
      );
      for (const { record } of rows) if (record !== null) yield JSON.parse(record) as Entity; // as the store wrote it
    }
  }
}

type ContentParts = RegistryParts & Pick<ServedData, 'blobs' | 'ids'>;

export const createContentCommands = (parts: ContentParts): Pick<Worlds, 'hold' | 'replaceContent'> => {
  const { database, clock, blobs } = parts;
  return {
    hold: async (name) => {
      const copy = await copyUnlisted(parts, name);
      const { frozen } = copy;
      const entities = { [Symbol.asyncIterator]: () => visibleRecords(database, frozen.chain) };
      const counters = JSON.parse(frozen.counters) as Counters; // as the store wrote it
      return {
        content: { entities, counters, blobsOf: (file) => blobs.get(schemeOf(file)) },
        release: () => copy.end(),
      };
    },
    replaceContent: async (name, content) => {
      await findNamed(database, { name, now: clock.now() });
      await whileWriting(database, parts.ids.uuid(), async () => {
        const records = await copyBlobs(content, () => content.blobs, blobs).catch((error: unknown) => {
          throw writeProblem(error);
        });
        const write = database.transaction(async (queries) => {
          const now = clock.now();
          const frozen = await writeLayer(queries, records, now);
          await resetWorld(queries, await findNamed(queries, { name, now, lock: true }), frozen, now);
        });
        await write.finally(records.settle);
      });
    },
  };
};
