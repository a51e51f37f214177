/** What is wrong with the writes of this process to the database, for the control interface. */
import type { WriteTally } from '../basics/work-tally.ts';
import { type ReadHealth, reasons } from '../server/server-worlds.ts';
import type { Database } from './postgres/database.ts';
import { installationWorld } from './postgres/schema.ts';
import { Problem } from '../openapi/openapi-terms.ts';

/** After a batch has failed: writes and removes some rows, until that works. That the database does not answer is a matter of readiness. */
export const databaseHealth = (database: Database, writes: Pick<WriteTally, 'failed'>, process: string): ReadHealth => {
  let failedBefore = writes.failed;
  return async () => {
    const { failed } = writes;
    if (failed === failedBefore) return [];
    try {
      await probe(database, process);
      failedBefore = failed;
      return [];
    } catch (error) {
      const isFull = error instanceof Problem && error.status === 507;
      return [isFull ? reasons.diskFull : reasons.writeFailed];
    }
  };
};

/** More than one page: what is full must not have room for it by chance. Random, because the database makes long values small. */
const probeStatement = `insert into atoll_state (world, topic, key, value)
  select $1, 'probe', $2 || '-' || part, repeat(md5(random()::text), 40) from generate_series(1, 32) part
  on conflict (world, topic, key) do update set value = excluded.value`;

const probe = (database: Database, process: string): Promise<void> =>
  database.transaction(async ({ query }) => {
    await query(probeStatement, [installationWorld, process]);
    await query(`delete from atoll_state where world = $1 and topic = 'probe' and key like $2 || '-%'`, [
      installationWorld,
      process,
    ]);
  });
