/** Reads all records that a chain of layers shows, portion by portion. */
import { entityTypes, type Entity } from '../core/model/entity.ts';
import type { Queries } from './postgres/database.ts';

/** How many ids one statement looks at. */
const idsAtOnce = 5_000;

/** By type and ascending id. The layers must not change meanwhile. */
export async function* visibleRecords(queries: Queries, chain: readonly number[]): AsyncGenerator<Entity> {
  for (const type of entityTypes) {
    const [ids] = await queries.query<{ first: number | null; last: number | null }>(
      'select min(id) as first, max(id) as last from atoll_records where layer = any($1::bigint[]) and type = $2',
      [chain, type],
    );
    const last = ids?.last ?? -1;
    for (let from = ids?.first ?? 0; from <= last; from += idsAtOnce) {
      const rows = await queries.query<{ record: string | null }>(
        `select distinct on (id) id, record from atoll_records
          where layer = any($1::bigint[]) and type = $2 and id >= $3 and id < $4 order by id, layer desc`,
        [chain, type, from, from + idsAtOnce],
      );
      for (const { record } of rows) if (record !== null) yield JSON.parse(record) as Entity; // as the store wrote it
    }
  }
}
