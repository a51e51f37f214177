/** Rule 13: bounds: 200 collections, 1 MiB a record. The 100,000 records of a world: `rule-13-world.crawl.ts`. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeOwnServers } from '../documents/support/own-document.ts';
import { newWorld, rows, startRemembering } from './support/remembering.ts';
import { absent, get, having, jsonPatch, patch, post, put } from './support/steps.ts';

const key = { 'X-Api-Key': 'k' };
const free = '11111111-2222-4333-8444-555555555555';
const one = '/v1/orders/3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const mebibyte = 1024 * 1024;

rows(
  'Rule 13: a record',
  { document: 'library' },
  {
    'of less than 1 MiB is stored: 201': [
      having(key, post('/books', { title: 'A', more: 'x'.repeat(mebibyte - 2000) }, 201, { id: 8 })),
      get('/books/8', 200, { title: 'A' }),
    ],
    'of more is refused: 413, and nothing is stored': [
      having(key, post('/books', { title: 'A', more: 'x'.repeat(mebibyte) }, 413)),
      having(key, post('/books', { title: 'A', more: 'é'.repeat(mebibyte / 2) }, 413)),
      having(key, put('/books/1', { title: 'A', more: 'x'.repeat(mebibyte) }, 413)),
      get('/books?limit=5', 200, undefined, { 'X-Total-Count': '4' }),
      get('/books/1', 200, { title: 'Tide tables', more: absent }),
    ],
    'that grows beyond it by a patch is refused: 413': [
      patch('/books/1', { more: 'x'.repeat(mebibyte / 2) }, 200),
      patch('/books/1', { further: 'x'.repeat(mebibyte / 2) }, 413),
      get('/books/1', 200, { title: 'Tide tables', further: absent }),
    ],
  },
);

rows(
  'Rule 13: patches that grow',
  { document: 'orders' },
  {
    'copying a list into itself ends: 413 or 422': [
      patch(one, { extra: ['xxxxxxxxxxxxxxxx'] }, 200),
      jsonPatch(
        one,
        Array.from({ length: 40 }, () => ({ op: 'copy', from: '/extra', path: '/extra/-' })),
        [413, 422],
      ),
      get(one, 200, { extra: ['xxxxxxxxxxxxxxxx'] }),
    ],
    'a PUT that would create it is refused, too: 413': [
      put(`/v1/orders/${free}`, { quantity: 1, more: 'x'.repeat(mebibyte) }, 413),
      get(`/v1/orders/${free}`, 404),
    ],
  },
);

describe('Rule 13: a world', () => {
  afterEach(closeOwnServers);
  const handler = `export const getSettings = async (_request, world) => {
  const refused = [];
  for (let at = 0; at < 210; at += 1)
    await world.collection('c' + at).put('x', { at }).catch(({ status }) => refused.push(status));
  return { body: { theme: 'light', size: refused.length, statuses: [...new Set(refused)] } };
};`;

  it('A world has 200 collections: a handler gets an error with the status 507 for others', async () => {
    const server = await startRemembering('weblog', {}, { 'h/settings.mjs': handler });
    const world = await newWorld(server);
    const { size, statuses } = (await (await world.fetch('/settings')).json()) as { size: number; statuses: number[] };
    expect(statuses).toEqual([507]);
    // The collections of the document may count, whether they have begun or not.
    expect(size).toBeGreaterThanOrEqual(10);
    expect(size).toBeLessThanOrEqual(30);
  });

  it('A document may have more than 200 collections: 200 of them remember', async () => {
    const schema = {
      type: 'object',
      properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
    };
    const json = { content: { 'application/json': { schema } } };
    const pair = (at: number) => ({
      [`/c${at}`]: { post: { requestBody: json, responses: { 201: { description: 'made', ...json } } } },
      [`/c${at}/{id}`]: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { responses: { 200: { description: 'ok', ...json } } },
      },
    });
    const paths = Object.assign({}, ...Array.from({ length: 205 }, (_each, at) => pair(at))) as object;
    const document = JSON.stringify({ openapi: '3.1.0', info: { title: 'Many', version: '1' }, paths });
    const server = await startRemembering(document, { fixture: 'empty' });
    const statuses = new Map<string, number>();
    for (let at = 0; at < 205; at += 1) {
      const headers = { 'Content-Type': 'application/json' };
      const { status, headers: got } = await server.fetch(`/c${at}`, { method: 'POST', headers, body: '{"name":"x"}' });
      const kind = got.has('Atoll-Mocked') ? 'mocked' : String(status);
      statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
    }
    // open: the others are not collections, and the table says so; or the first record of one of them is refused: 507.
    expect([
      [
        ['201', 200],
        ['mocked', 5],
      ],
      [
        ['201', 200],
        ['507', 5],
      ],
    ]).toContainEqual([...statuses]);
  });
});
