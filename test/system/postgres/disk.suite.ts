/** A full disk of the database. */
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from '@jest/globals';
import { until } from '../../support/until.ts';
import { changeNode, createNode, idIn } from './support/ask.ts';
import { countHistory } from './support/counts.ts';
import { createHistory } from './support/history.ts';
import { compare, startLoad } from './support/load.ts';
import { killAll } from './support/processes.ts';
import {
  healthCodes,
  openStand,
  patienceMs,
  whenAcknowledged,
  whenHealthy,
  whenServing,
  type Stand,
} from './support/stand.ts';

let stand: Stand | undefined;
afterEach(() => stand?.close());
afterAll(killAll);

it('loses no acknowledged write when the disk of PostgreSQL is full, and goes on when it has space', async () => {
  if (process.getuid?.() !== 0) throw new Error('A disk for PostgreSQL can be mounted by root only. Run this as root.');
  stand = await openStand({
    postgres: { diskMegabytes: 120, settings: ['max_wal_size = 8MB', 'min_wal_size = 2MB'] },
    processes: [{}, {}],
  });
  const { team, postgres } = stand;
  const history = createHistory();
  const load = startLoad({ base: () => team.url, history, clients: 8, records: 50 });
  await whenAcknowledged(history, 100);
  const { bavail, bsize } = await statfs(postgres.directory);
  const ballast = join(postgres.directory, 'ballast');
  await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 6_000_000)));
  const text = 'what fills the disk '.repeat(2000);
  const fill = async (): Promise<number> => {
    for (let number = 0; number < 2000; number += 1) {
      // Random bytes, because PostgreSQL makes long values small.
      const field_description = `${number} ${text.replace(/fills/g, () => Math.random().toString(36))}`;
      const { status } = await createNode(team.url, { title: `filling ${number}`, field_description });
      if (status !== 201) return status;
    }
    return 201;
  };
  const refused = await fill();
  expect([503, 507]).toContain(refused);
  const [one] = team.processes;
  if (one === undefined) throw new Error('Not started.');
  const said = postgres.isRunning() && refused === 507 ? 'disk_full' : 'unreachable';
  // Each process knows of its own writes.
  await until(
    async () => (await createNode(one.url, { title: 'x', field_description: text })).status >= 500,
    'refuses',
    patienceMs,
  );
  expect(await healthCodes(one)).toContain(said);
  const isUp = postgres.isRunning();
  await rm(ballast);
  if (!postgres.isRunning()) await postgres.start();
  await Promise.all(team.processes.map(whenServing));
  await whenAcknowledged(history, 100);
  await load.stop();
  const made = await createNode(team.url, { title: 'room again' });
  expect([made.status, (await changeNode(team.url, idIn(made), { title: 'changed' })).status]).toEqual([201, 200]);
  for (const each of team.processes) await whenHealthy(each);
  const { violations } = await compare(team.url, history, [load]);
  const note = `tmpfs of 120 MB; answered ${refused}; PostgreSQL ${isUp ? 'stayed up' : 'gave up and was started again'}`;
  await countHistory('full disk of the database', 1, history, violations, note);
  expect([violations, history.refusals]).toEqual([[], []]);
});
