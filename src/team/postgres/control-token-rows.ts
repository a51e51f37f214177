/** Keeps control tokens in the database, for all processes of a repository: a token that one revokes is refused by all at once. */
import { shareNextRun } from '../../basics/semaphore.ts';
import type { ControlTokenStore, StoredControlToken } from '../../openapi/openapi-host.ts';
import { withToken } from '../../storage/storage-driver.ts';
import type { Database, Queries } from './database.ts';
import { installationWorld } from './schema.ts';

/** The topics of `atoll_state`. */
const tokensTopic = 'control-tokens';
const usesTopic = 'control-token-uses';
/** Its only row changes with each token, so that one small question tells whether the local list is still right. */
const revisionTopic = 'control-tokens-revision';

type Row = { readonly topic: string; readonly key: string; readonly value: string };

/** A list of tokens, and the revision that it belongs to. */
type Known = { readonly revision: string | undefined; readonly tokens: readonly StoredControlToken[] };

/**
 * The tokens of the installation. Each `load` asks the database for the revision, once for all calls that wait for it, and reads the
 * tokens when it is another one than last time. All methods reject with a Problem when the database cannot be reached.
 */
export const createControlTokenRows = (database: Database): ControlTokenStore => {
  let known: Known | undefined;
  const load = shareNextRun(async () => {
    if (known === undefined || (await readRevision(database)) !== known.revision) known = await readAll(database);
    return known.tokens;
  });
  return {
    load,
    put: (token, limits) =>
      changed(database, async (queries) => {
        const { tokens } = await readAll(queries);
        const added = withToken(tokens, token, limits);
        if (added.tokens === undefined) return { result: added.result };
        const names = new Set(added.tokens.map(({ name }) => name));
        for (const { name } of tokens) if (!names.has(name)) await removeRows(queries, name);
        // The use of an expired token of this name is not that of the new one.
        await removeRows(queries, token.name);
        await setRow(queries, tokensTopic, token.name, JSON.stringify(token));
        return { result: added.result, isChanged: true };
      }),
    remove: (name) =>
      changed(database, async (queries) => {
        const isThere = (await readAll(queries)).tokens.some((token) => token.name === name);
        if (isThere) await removeRows(queries, name);
        return { result: isThere, isChanged: isThere };
      }),
    markUsed: (name, day) =>
      changed(database, async (queries) => {
        const { tokens } = await readAll(queries);
        const isNew = tokens.some((token) => token.name === name && (token.lastUsed ?? '') < day);
        if (isNew) await setRow(queries, usesTopic, name, JSON.stringify(day));
        return { result: undefined, isChanged: isNew };
      }),
  };
};

/** Runs a change alone: it holds the row of the installation. */
const changed = <T>(
  database: Database,
  work: (queries: Queries) => Promise<{ readonly result: T; readonly isChanged?: boolean }>,
): Promise<T> =>
  database.transaction(async (queries) => {
    await queries.query('select id from atoll_worlds where id = $1 for update', [installationWorld]);
    const { result, isChanged } = await work(queries);
    if (isChanged === true) {
      const revision = Number((await readRevision(queries)) ?? 0) + 1;
      await setRow(queries, revisionTopic, '', String(revision));
    }
    return result;
  });

const readRevision = async (queries: Queries): Promise<string | undefined> => {
  const [row] = await queries.query<Row>(
    {
      name: 'control-tokens-revision',
      text: 'select value from atoll_state where world = $1 and topic = $2 and key = $3',
    },
    [installationWorld, revisionTopic, ''],
  );
  return row?.value;
};

/** The tokens and their revision in one statement, so that both are of one moment. */
const readAll = async (queries: Queries): Promise<Known> => {
  const rows = await queries.query<Row>(
    'select topic, key, value from atoll_state where world = $1 and topic in ($2, $3, $4) and value is not null',
    [installationWorld, tokensTopic, usesTopic, revisionTopic],
  );
  const ofTopic = (topic: string): readonly Row[] => rows.filter((row) => row.topic === topic);
  // The program wrote all of them.
  const uses = new Map(ofTopic(usesTopic).map(({ key, value }) => [key, JSON.parse(value) as string]));
  const tokens = ofTopic(tokensTopic).map(({ value }) => JSON.parse(value) as StoredControlToken);
  return {
    revision: ofTopic(revisionTopic)[0]?.value,
    tokens: tokens
      .map((token) => ({ ...token, lastUsed: uses.get(token.name) ?? token.lastUsed }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
};

const setRow = (queries: Queries, topic: string, key: string, value: string): Promise<unknown> =>
  queries.query(
    `insert into atoll_state (world, topic, key, value) values ($1, $2, $3, $4)
     on conflict (world, topic, key) do update set value = excluded.value`,
    [installationWorld, topic, key, value],
  );

const removeRows = (queries: Queries, name: string): Promise<unknown> =>
  queries.query('delete from atoll_state where world = $1 and topic in ($2, $3) and key = $4', [
    ...[installationWorld, tokensTopic, usesTopic, name],
  ]);
