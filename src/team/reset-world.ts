/** Gives a world other records, and the state that goes with them. */
import { lastingTopics } from '../openapi/openapi-host.ts';
import type { Queries } from './postgres/database.ts';
import { changeText, emptyChange } from './postgres/world-row.ts';
import type { FrozenChain, TeamWorldRow } from './world-rows.ts';

/**
 * A locked world continues with frozen records, in a new generation. Its shared state ends, but for what outlasts its data. What it
 * costs does not depend on the number of records.
 */
export const resetWorld = async (
  queries: Queries,
  world: Pick<TeamWorldRow, 'id'>,
  { chain, counters, totals }: FrozenChain,
  now: number,
): Promise<void> => {
  await queries.query('delete from atoll_state where world = $1 and not (topic = any($2::text[]))', [
    world.id,
    lastingTopics,
  ]);
  await queries.query(
    `with top as (insert into atoll_layers (id, created) values (nextval('atoll_layer_ids'), $2) returning id),
      replaced as (update atoll_worlds set chain = array_prepend(top.id, $3::bigint[]), top_used = false, counters = $4,
        totals = $5, seq = seq + 1, generation = generation + 1
        from top where atoll_worlds.id = $1 returning atoll_worlds.id, seq)
      insert into atoll_changes (world, seq, payload, at) select id, seq, $6, $2 from replaced`,
    [world.id, now, chain, counters, totals, changeText(emptyChange)],
  );
};

/** A fork continues with what outlasts the data of its origin: the clock. */
export const copyClock = async (queries: Queries, from: number, to: number): Promise<void> => {
  await queries.query(
    `insert into atoll_state (world, topic, key, value)
      select $2::bigint, topic, key, value from atoll_state where world = $1 and topic = any($3::text[]) and value is not null`,
    [from, to, lastingTopics],
  );
};
