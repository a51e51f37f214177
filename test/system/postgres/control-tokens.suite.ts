/** Control tokens in a real PostgreSQL. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createControlTokenRows } from '../../../src/team/postgres/control-token-rows.ts';
import type { Database } from '../../../src/team/postgres/database.ts';
import { openPostgres } from '../../../src/team/postgres/open-postgres.ts';
import { migrate } from '../../../src/team/postgres/schema.ts';
import { token } from '../../storage/control-tokens/control-token-store.suite.ts';
import { describeControlTokens } from '../../team/postgres/control-tokens.suite.ts';
import { startPostgres, type Postgres } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';

let postgres: Postgres;
let one: Database;
let other: Database;
beforeAll(async () => {
  postgres = await startPostgres();
  const url = await postgres.database();
  [one, other] = [await openPostgres({ url }), await openPostgres({ url })];
  await migrate(one);
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await postgres.close();
});

describeControlTokens('PostgreSQL', () => [one, other]);

it('a store of control tokens without its database refuses with 503, and knows its tokens again afterwards', async () => {
  const store = createControlTokenRows(other);
  await createControlTokenRows(one).put(token('b'), { now: 0, most: 100 });
  const before = await store.load();
  expect(before).not.toEqual([]);
  await postgres.stop('immediate');
  await expect(store.load()).rejects.toMatchObject({ status: 503 });
  await postgres.start();
  const isBack = (): Promise<boolean> =>
    store.load().then(
      (tokens) => tokens.length === before.length,
      () => false,
    );
  await until(isBack, 'the tokens are known again', 60_000);
});
