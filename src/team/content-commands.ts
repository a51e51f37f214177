/** Takes the content of a world in the database, and replaces it, while requests go on. */
import { schemeOf } from '../core/content/repository.ts';
import type { Counters } from '../core/model/entity-store.ts';
import { writeProblem } from '../storage/write-problem.ts';
import { copyBlobs } from '../server/worlds/copy-blobs.ts';
import type { ServedData } from '../server/worlds/world-view.ts';
import type { Worlds } from '../server/worlds/worlds.ts';
import type { RegistryParts } from './registry.ts';
import { whileWriting } from './lease.ts';
import { resetWorld } from './reset-world.ts';
import { findNamed } from './snapshots.ts';
import { copyUnlisted } from './unlisted-worlds.ts';
import { visibleRecords } from './visible-records.ts';
import { writeLayer } from './write-layer.ts';

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
        await database.transaction(async (queries) => {
          const now = clock.now();
          const frozen = await writeLayer(queries, records, now);
          await resetWorld(queries, await findNamed(queries, { name, now, lock: true }), frozen, now);
        });
      });
    },
  };
};
