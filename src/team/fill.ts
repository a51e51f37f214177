/** Makes the main world of a new database. The first process fills it; those that start meanwhile wait. */
import { setTimeout as waitFor } from 'node:timers/promises';
import type { Database } from './postgres/database.ts';
import type { FixtureContent } from '../server/server-application.ts';
import { mainName } from '../openapi/openapi-host.ts';
import { returnLease, takeLease } from './lease.ts';
import type { TeamFixtures } from './team-fixtures.ts';
import { findWorld, insertWorld } from './world-rows.ts';
import type { Clock } from '../openapi/openapi-records.ts';

type FillOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly fixtures: Pick<TeamFixtures, 'layerOf'>;
  /** The name and the content of the server's own fixture. */
  readonly ownName: () => string;
  readonly ownContent: () => Promise<FixtureContent>;
  /** The name of this process. */
  readonly process: string;
};

/** A process that dies while it fills is followed by another one after this time, in milliseconds. */
const leaseMs = 30_000;
const lookAgainMs = 200;

/** True when this process has filled the database. False when there was a main world. */
export const fillMain = async (options: FillOptions): Promise<boolean> => {
  const { database, clock, process } = options;
  const lease = { name: 'fill', holder: process };
  for (;;) {
    if ((await findWorld(database, { name: mainName, now: clock.now() })) !== undefined) return false;
    if (await takeLease(database, lease, leaseMs)) break;
    await waitFor(lookAgainMs);
  }
  const renewing = setInterval(() => void takeLease(database, lease, leaseMs).catch(() => undefined), leaseMs / 3);
  try {
    return await fill(options);
  } finally {
    clearInterval(renewing);
    await returnLease(database, lease).catch(() => undefined);
  }
};

const fill = async ({ database, clock, fixtures, ownName, ownContent }: FillOptions): Promise<boolean> => {
  // Another process may have ended between the look and the lease.
  if ((await findWorld(database, { name: mainName, now: clock.now() })) !== undefined) return false;
  const content = await ownContent();
  const name = ownName();
  const origin = await fixtures.layerOf(name, content);
  const source = { kind: 'fixture', name, taken: null } as const;
  const made = await insertWorld(database, {
    ...{ name: mainName, origin, source, now: clock.now(), expires: null, caches: null },
  });
  return made !== undefined;
};
