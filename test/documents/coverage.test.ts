/** Coverage, gates and faults of a document of one's own. */
import { afterEach, expect, it } from '@jest/globals';
import {
  coverageCells,
  coverageFigures,
  missedGoals,
  type CoverageRecord,
  scopedCoverage,
} from '../../src/contract/contract-coverage.ts';
import { closeOwnServers, startOwn, type OwnServer } from './support/own-document.ts';

let server: OwnServer | undefined;
afterEach(closeOwnServers);

const document = `openapi: 3.1.0
info: { title: Books, version: "1" }
paths:
  /books:
    get:
      operationId: listBooks
      parameters: [{ name: page, in: query, schema: { type: integer } }]
      responses:
        200: { description: ok, content: { application/json; charset=utf-8: {}, image/*: {} } }
        4XX: { description: no, content: { application/problem+json: {} } }
        default: { description: else, content: { application/json: {} } }
  /books/{id}:
    get:
      responses:
        200: { description: ok }
        404: { description: no, content: { application/json: { example: { error: none } } } }
`;

const ask = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${server?.url ?? ''}${path}`, { headers });
  return { status: response.status, text: await response.text() };
};
const record = async (): Promise<CoverageRecord> => (await server?.coverage()) as CoverageRecord;
const met = async (metric: Parameters<typeof coverageCells>[1]) =>
  coverageCells(await record(), metric).map(({ operation, name, count }) => [operation, name, count]);

it('offers and counts ranges and default, errors among them, and media types with parameters and ranges', async () => {
  server = await startOwn({ 'api.yaml': document });
  await ask('/books');
  await ask('/books', { Accept: 'image/gif' });
  await ask('/books?page=x');
  await ask('/books', { Prefer: 'code=503' });
  await ask('/books/1', { Prefer: 'code=404' });
  expect(await met('statuses')).toEqual([
    ['listBooks', '200', 2],
    ['listBooks', '4XX', 1],
    ['listBooks', 'default', 1],
    ['getBooksId', '200', 0],
    ['getBooksId', '404', 1],
  ]);
  expect(await met('errors')).toEqual([
    ['listBooks', '4XX', 1],
    ['listBooks', 'default', 1],
    ['getBooksId', '404', 1],
  ]);
  expect(await met('media-types')).toEqual([
    ['listBooks', '200 application/json; charset=utf-8', 1],
    ['listBooks', '200 image/*', 1],
    ['listBooks', '4XX application/problem+json', 1],
    ['listBooks', 'default application/json', 1],
    ['getBooksId', '404 application/json', 1],
  ]);
  expect(await met('identities')).toEqual([
    ['listBooks', 'anonymous', 4],
    ['getBooksId', 'anonymous', 1],
  ]);
});

it('gates them, and narrows them to a class of statuses', async () => {
  server = await startOwn({ 'api.yaml': document });
  await ask('/books');
  await ask('/books?page=x');
  const whole = await record();
  expect(missedGoals(whole, { statuses: 50 }).map(({ met: covered, of }) => [covered, of])).toEqual([[2, 5]]);
  expect(missedGoals(whole, { statuses: 40 })).toEqual([]);
  const errors = scopedCoverage(whole, { only: ['4xx'], ignore: [], everything: false });
  expect(coverageFigures(errors).find(({ metric }) => metric === 'statuses')).toEqual({
    metric: 'statuses',
    met: 1,
    of: 3,
    percent: 33,
  });
  expect(coverageCells(errors, 'statuses').map(({ name }) => name)).toEqual(['4XX', 'default', '404']);
});

it('breaks an operation by its name or its path, with a documented answer', async () => {
  server = await startOwn({ 'api.yaml': document });
  const first = await server.faults.add({ fault: 'status', operations: ['getBooksId'], parameters: { status: 404 } });
  expect(await ask('/books/1')).toEqual({ status: 404, text: '{"error":"none"}' });
  await server.faults.remove(first);
  await server.faults.add({ fault: 'status', path: '/books', parameters: { status: 503 } });
  expect([(await ask('/books')).status, (await ask('/books/1')).status]).toEqual([503, 200]);
});

it('counts HEAD where the document has an operation for it, as for the repository: not by itself, but with everything', async () => {
  const heads = document.replace(
    '  /books/{id}:',
    '    head: { operationId: headBooks, responses: { 200: { description: ok } } }\n  /books/{id}:',
  );
  server = await startOwn({ 'api.yaml': heads });
  for (const path of ['/books', '/books/1']) await fetch(`${server.url}${path}`, { method: 'HEAD' });
  const scopeOf = (everything: boolean) => ({ only: [], ignore: [], everything });
  const counted = async (everything: boolean) =>
    coverageCells(scopedCoverage(await record(), scopeOf(everything)), 'operations').map(({ operation, count }) => [
      operation,
      count,
    ]);
  expect(await counted(true)).toEqual([
    ['listBooks', 0],
    ['headBooks', 1],
    ['getBooksId', 0],
  ]);
  expect(await counted(false)).toEqual([
    ['listBooks', 0],
    ['getBooksId', 0],
  ]);
});
