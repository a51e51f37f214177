/** Rule 11: what answers first: a handler, a fault, what the client prefers, the collection, the mock. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeOwnServers } from '../documents/support/own-document.ts';
import { newWorld, rows, startRemembering } from './support/remembering.ts';
import { del, get, having, listOf, mocked, patch, post, walk } from './support/steps.ts';

const key = { 'X-Api-Key': 'k' };
rows(
  'Rule 11: what the client prefers',
  { document: 'library' },
  {
    'beats the collection: the mock answers, and nothing is stored': [
      mocked(having({ Prefer: 'code=404' }, get('/books/1', 404))),
      mocked(having({ Prefer: 'code=422', ...key }, post('/books', { title: 'A' }, 422))),
      mocked(having({ Prefer: 'example=lost' }, get('/books/1', 200, { id: 2, status: 'lost' }))),
      mocked(having({ Prefer: 'code=204' }, del('/books/1', 204))),
      mocked(having({ Prefer: 'dynamic=true', ...key }, post('/books', { title: 'A' }, 201))),
      get('/books?limit=5', 200, listOf('id', 1, 2, 3, 7)),
    ],
    'but not where it names nothing that a mock can have': [
      having({ Prefer: 'return=minimal' }, get('/books/3', 200, { id: 3 })),
      having({ Prefer: 'respond-async' }, patch('/books/3', { year: 1932 }, 200)),
      get('/books/3', 200, { year: 1932 }),
    ],
  },
);

const handlers = {
  'h/books.mjs': `export const getBook = ({ path }) => {
  if (path.bookId === 3) throw Object.assign(new Error('Not with me.'), { status: 404 });
  return path.bookId === 1 ? { body: { id: 1, title: 'Of the handler' } } : undefined;
};
export const deleteBook = async ({ path }, world) => {
  await world.collection('books').delete(String(path.bookId));
  return { status: 204 };
};
export const listAuthors = async (_request, world) => {
  const { total, records } = await world.collection('books').list({ offset: 1, limit: 2 });
  return { body: [{ authorId: total, name: records.map(({ id, value }) => id + value.title[0]).join(), joined: '2020-01-01T00:00:00Z' }] };
};
`,
};

rows(
  'Rule 11: a handler',
  { document: 'library', files: handlers },
  {
    'beats the collection, for its own operation alone': [
      get('/books/1', 200, { title: 'Of the handler' }),
      get('/books/3', 404),
      get('/books', 200, listOf('title', 'Tide tables', 'Almanac', 'Harbour lights')),
    ],
    // open: today a handler that returns nothing leaves the answer to the mock; with a collection it is the collection's.
    'that returns nothing leaves the answer to the collection': [
      get('/books/2', 200, { title: 'Almanac', author: 'Moore' }),
    ],
    'shares its records with the operations that have none': [
      del('/books/1', 204),
      get('/books?limit=5', 200, listOf('id', 2, 3, 7)),
      having(key, post('/books', { title: 'A' }, 201, { id: 8 })),
      get('/authors', 200, [{ authorId: 4, name: '3H,7Z' }]),
    ],
  },
);

describe('Rule 11: a fault', () => {
  afterEach(closeOwnServers);
  const world = async (): Promise<Awaited<ReturnType<typeof newWorld>>> => newWorld(await startRemembering('library'));

  it('beats the collection and what the client prefers, and nothing is stored', async () => {
    const place = await world();
    await place.faults.add({ fault: 'status', operations: ['createBook'], parameters: { status: 503 } });
    await walk(place, [
      having(key, post('/books', { title: 'A' }, 503)),
      having({ ...key, Prefer: 'code=422' }, post('/books', { title: 'A' }, 503)),
      get('/books?limit=5', 200, listOf('id', 1, 2, 3, 7)),
    ]);
    await place.faults.clear();
    await walk(place, [having(key, post('/books', { title: 'A' }, 201, { id: 8 }))]);
  });

  it('before the request leaves the record; behind it the record has gone, although no answer comes', async () => {
    const place = await world();
    await place.faults.add({ fault: 'connection-reset', operations: ['deleteBook'] });
    await expect(place.fetch('/books/1', { method: 'DELETE' })).rejects.toThrow();
    await walk(place, [get('/books/1', 200)]);
    await place.faults.clear();
    await place.faults.add({ fault: 'cut-answer', operations: ['changeBook'], parameters: { afterBytes: 0 } });
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const cut = place.fetch('/books/1', { method: 'PATCH', headers, body: '{"year":1950}' });
    await expect(cut.then((response) => response.text())).rejects.toThrow();
    await walk(place, [get('/books/1', 200, { year: 1950 })]);
  });
});

describe('Traffic and coverage', () => {
  afterEach(closeOwnServers);
  it('have the answers of collections as they have those of handlers: with operation, status and no fault', async () => {
    const server = await startRemembering('library');
    await walk(server, [
      having(key, post('/books', { title: 'A' }, 201)),
      get('/books/8', 200),
      get('/books/99', 404),
      del('/books/8', 204),
    ]);
    const { entries } = await server.traffic();
    expect(entries.map(({ operation, status }) => [operation, status])).toEqual([
      ['createBook', 201],
      ['getBook', 200],
      ['getBook', 404],
      ['deleteBook', 204],
    ]);
    expect(await server.violations()).toEqual([]);
  });
});
