/** Rule 13: bounds: 100,000 records a world. Run by `npm run test:suite -- crawl`, for these records take seven seconds of a processor. */
import { afterEach, it } from '@jest/globals';
import { closeOwnServers } from '../documents/support/own-document.ts';
import { startRemembering } from './support/remembering.ts';
import { del, get, having, listOf, post, put, walk } from './support/steps.ts';

const key = { 'X-Api-Key': 'k' };

afterEach(closeOwnServers);

it('A world has 100,000 records: the next one is 507, and one can be made where one went', async () => {
  const books = Array.from({ length: 100_000 }, (_each, at) => ({ id: at + 1, title: 'A' }));
  const text = JSON.stringify({ collections: { books, authors: [], rooms: [] } });
  const server = await startRemembering('library', { fixture: 'fixture.yaml' }, { 'fixture.yaml': text });
  await walk(server, [
    get('/books/100000', 200, { title: 'A' }, {}),
    get('/books?page=33334', 200, listOf('id', 100_000), { 'X-Total-Count': '100000' }),
    having(key, post('/books', { title: 'B' }, 507)),
    post('/rooms', { number: 1 }, 507),
    get('/rooms', 200, []),
    having(key, put('/books/5', { title: 'B' }, 200, { title: 'B' })),
    del('/books/7', 204),
    having(key, post('/books', { title: 'B' }, 201)),
    post('/rooms', { number: 1 }, 507),
  ]);
}, 120_000);
