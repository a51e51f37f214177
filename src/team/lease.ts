/** Work that one process at a time does: it takes a lease in the database, renews it, and gives it back. */
import type { Queries } from './postgres/database.ts';
import { installationWorld } from './postgres/schema.ts';

type Lease = {
  /** What the work is. */
  readonly name: string;
  /** The process that wants to do it. */
  readonly holder: string;
};

const topic = 'lease';

/**
 * True when the lease is `holder`'s for the next `ms` milliseconds: nobody had it, it was over, or `holder` had it. The clock is
 * that of the database.
 */
export const takeLease = async (queries: Queries, { name, holder }: Lease, ms: number): Promise<boolean> => {
  const rows = await queries.query(
    `insert into atoll_state (world, topic, key, value)
      values ($1, $2, $3, $4::text || ' ' || (floor(extract(epoch from clock_timestamp()) * 1000)::bigint + $5::bigint)::text)
      on conflict (world, topic, key) do update set value = excluded.value
      where split_part(atoll_state.value, ' ', 1) = $4::text
        or split_part(atoll_state.value, ' ', 2)::bigint < floor(extract(epoch from clock_timestamp()) * 1000)::bigint
      returning key`,
    [installationWorld, topic, name, holder, ms],
  );
  return rows.length > 0;
};

/** Nothing happens when another one has it. */
export const returnLease = async (queries: Queries, { name, holder }: Lease): Promise<void> => {
  await queries.query(
    "delete from atoll_state where world = $1 and topic = $2 and key = $3 and split_part(value, ' ', 1) = $4",
    [installationWorld, topic, name, holder],
  );
};

/** Work that stores bytes long before their records can be seen. Several processes may do it at once. */
const writing = 'writing';

/** How long one of them may take, in milliseconds. */
const writingMs = 6 * 3_600_000;

/** While `work` runs, no process removes bytes that no record names. */
export const whileWriting = async <T>(queries: Queries, id: string, work: () => Promise<T>): Promise<T> => {
  const lease = { name: `${writing} ${id}`, holder: id };
  await takeLease(queries, lease, writingMs);
  try {
    return await work();
  } finally {
    await returnLease(queries, lease).catch(() => undefined);
  }
};

export const isSomebodyWriting = async (queries: Queries): Promise<boolean> => {
  const rows = await queries.query(
    `select key from atoll_state where world = $1 and topic = $2 and key like '${writing} %'
      and split_part(value, ' ', 2)::bigint >= floor(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    [installationWorld, topic],
  );
  return rows.length > 0;
};
