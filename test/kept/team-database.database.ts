/** The database of a team, with a world and a named snapshot, as a program of the past has left it, in a PostgreSQL within the process. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PGlite } from '@electric-sql/pglite';
import { loadSite } from '../support/site-sources.ts';
import { migrated, storedControlTokens } from '../team/postgres/kept-database.ts';
import { overPglite } from '../team/postgres/pglite.ts';
import { baseUrl } from '../support/atoll.ts';
import { startTestProcess, type TestProcess } from '../team/team-process.ts';
import { copyOf, expectAnswers, keptFolder, keptSite } from './kept.ts';

let engine: PGlite;
let process: TestProcess;
beforeAll(async () => {
  engine = await PGlite.create();
  await engine.exec(await readFile(join(keptFolder, 'team-database-1/database.sql'), 'utf8'));
  // The dump has emptied it for its connection.
  await engine.exec('set search_path to default');
  const site = await loadSite(await keptSite());
  process = await startTestProcess(overPglite(engine), await copyOf('team-database-1/bytes'), site);
}, 120_000);
afterAll(async () => {
  await process.stop();
  await engine.close();
});

const ask =
  (world = '') =>
  (path: string, init: RequestInit): Promise<Response> =>
    process.fetch(`${baseUrl}${world}${path}`, init);

const control = async (method: string, path: string, body: object): Promise<Response> =>
  process.fetch(`${baseUrl}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('The database of a team with the schema 1', () => {
  it('gives the reviewed answers in its main world and in the other one', async () => {
    await expectAnswers(ask(), 'after-snapshot');
    await expectAnswers(ask('/~trial'), 'trial');
  });

  it('has the named control token, with its right', async () => {
    const tokens = await storedControlTokens(overPglite(engine));
    expect(tokens).toMatchObject([{ name: 'ci', right: 'worlds', prefix: 'ci-', expires: null, lastUsed: null }]);
  });

  it('puts one field back from the named snapshot, then everything', async () => {
    const difference = { type: 'node', id: 2, field: 'title', from: 'before-trial' };
    expect((await control('POST', '/_atoll/differences/put-back', difference)).status).toBe(204);
    const title = (await (await ask()('/node/2?_format=json', {})).json()) as { title: { value: string }[] }; // a node
    expect(title.title).toEqual([{ value: 'A view of the quay' }]);
    expect((await control('POST', '/_atoll/reset', { to: 'before-trial' })).status).toBe(204);
    await expectAnswers(ask(), 'format-2');
  });

  it('of a newer schema is refused with one sentence', async () => {
    await engine.exec('update atoll_schema set version = 3, oldest = 2');
    await expect(migrated(overPglite(engine))).rejects.toThrow(
      /^The database has the schema 3 of a newer Atoll; this one knows the schema 1\. Start the newer Atoll\.$/,
    );
  });
});
