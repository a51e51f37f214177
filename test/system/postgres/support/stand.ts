/** What most tests of the suite stand on: a PostgreSQL with an empty database, and processes of Atoll over it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../../support/until.ts';
import { startPostgres, type Postgres, type PostgresOptions } from '../../../support/postgres.ts';
import { ask, createNode, type Answer } from './ask.ts';
import type { History } from './history.ts';
import { stopLoads } from './load.ts';
import { startTeam, type AtollOptions, type AtollProcess, type Team } from './processes.ts';

/** How long a test waits for what has to happen. It says nothing about how fast it has to be. */
export const patienceMs = 120_000;

export type Stand = {
  readonly postgres: Postgres;
  /** The connection text of the database, straight to the server. */
  readonly store: string;
  /** The directory of bytes that the processes share. */
  readonly data: string;
  readonly team: Team;
  /** Ends everything and removes it, once. */
  close(): Promise<void>;
};

export type StandOptions = {
  readonly postgres?: PostgresOptions;
  /** What is different for each process; as many processes as there are entries. */
  readonly processes: readonly Partial<AtollOptions>[];
  /** Makes of the connection text that of the process with this number: through a proxy, for example. */
  readonly storeOf?: (store: string, index: number) => string | Promise<string>;
};

export const openStand = async ({ postgres: options, processes, storeOf }: StandOptions): Promise<Stand> => {
  const postgres = await startPostgres(options);
  const data = await mkdtemp(join(tmpdir(), 'atoll-team-'));
  const remove = async (): Promise<void> => {
    await postgres.close();
    await rm(data, { recursive: true, force: true });
  };
  try {
    const store = await postgres.database();
    const each: AtollOptions[] = [];
    for (const [index, more] of processes.entries()) {
      const own = (await storeOf?.(store, index)) ?? store;
      each.push({ store: own, data, ...more, args: ['--fixture', 'empty', ...(more.args ?? [])] });
    }
    const team = await startTeam(each);
    const close = async (): Promise<void> => {
      const ending = stopLoads();
      await Promise.all(team.processes.map((one) => one.kill()));
      await team.stop();
      await ending;
      await remove();
    };
    let closing: Promise<void> | undefined;
    return { postgres, store, data, team, close: () => (closing ??= close()) };
  } catch (error) {
    await remove();
    throw error;
  }
};

/** Resolves when the history has so many more acknowledged writes. */
export const whenAcknowledged = async ({ counts, refusals, lastUnknown }: History, more: number): Promise<void> => {
  const wanted = counts.acknowledged + more;
  try {
    await until(() => counts.acknowledged >= wanted, `${more} more acknowledged writes`, patienceMs);
  } catch (error) {
    throw new Error(`${JSON.stringify(counts)} ${lastUnknown() ?? ''} ${refusals.slice(-5).join('; ')}`, {
      cause: error,
    });
  }
};

/** Resolves when the process answers a read of the repository. */
export const whenServing = ({ url }: AtollProcess): Promise<void> =>
  until(
    async () => (await ask(url, 'GET', '/_atoll/entities?type=node&limit=1')).status === 200,
    `${url} serves`,
    patienceMs,
  );

/** What a process says is wrong; its answer is 200 all the same. */
export const healthCodes = async ({ url }: AtollProcess): Promise<readonly string[]> => {
  const { status, bytes } = await ask(url, 'GET', '/_atoll/health');
  if (status !== 200) throw new Error(`The health of ${url} is answered ${status}: ${bytes.toString()}`);
  const { reasons } = JSON.parse(bytes.toString()) as { readonly reasons: readonly { readonly code: string }[] }; // the control contract
  return reasons.map(({ code }) => code);
};

export const whenHealthy = (process: AtollProcess): Promise<void> =>
  until(async () => (await healthCodes(process)).length === 0, `${process.url} is well`, patienceMs);

/** Asks until a write is refused because the database is not there, and answers the refusal. */
export const refusalOf = async ({ url }: AtollProcess): Promise<Answer> => {
  let refused = await createNode(url, { title: 'while it is down', field_rights: '' });
  await until(
    async () => {
      if (refused.status === 503) return true;
      refused = await createNode(url, { title: 'while it is down' });
      return false;
    },
    `${url} refuses`,
    patienceMs,
  );
  return refused;
};
