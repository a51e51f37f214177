/** Reads all records of a chain of layers in pages, for exports. */
import { entityTypes, type Entity } from '../../model/entity.ts';
import type { Queries } from './database.ts';
import { readPage } from './world-reads.ts';
import type { Chain } from './world-row.ts';

const pageRecords = 500;

/**
 * All visible records, by type and ascending id. Memory holds one page. The chain must be frozen when all are to be of one moment:
 * a snapshot's, or that below the top of a world that was just forked.
 */
export async function* readChain(queries: Queries, chain: Chain): AsyncGenerator<Entity> {
  for (const type of entityTypes) {
    let after = -1;
    for (;;) {
      const { entities } = await readPage(queries, { world: noWorld, chain }, type, { after, limit: pageRecords });
      yield* entities;
      const last = entities.at(-1);
      if (last === undefined || entities.length < pageRecords) break;
      after = last.id;
    }
  }
}

/** Ids of worlds are positive. */
const noWorld = -1;
