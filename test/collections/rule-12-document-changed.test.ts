/** Rule 12: the document has changed: records stay, are served as they are, and are listed; what is written must fit. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { closeOwnServers, type OwnServer } from '../documents/support/own-document.ts';
import { documentText, documentWith, now, startRemembering } from './support/remembering.ts';
import {
  absent,
  del,
  get,
  having,
  keeping,
  listOf,
  mocked,
  patch,
  post,
  put,
  type Step,
  walk,
} from './support/steps.ts';

const key = { 'X-Api-Key': 'k' };
let server: OwnServer;
afterEach(closeOwnServers);

const begin = async (): Promise<void> => {
  server = await startRemembering('library');
  await server.clock.set({ now, mode: 'frozen' });
};
const changeTo = async (text: string): Promise<void> => {
  await writeFile(join(server.folder, 'api.yaml'), text);
  const { served, flaws } = await server.reload();
  expect([served, flaws]).toEqual([true, []]);
};
const steps = (...all: Step[]) => walk(server, all);
const titled = '      required: [id, title]\n      properties:\n        id: { type: integer, readOnly: true }\n';
const stricter = documentWith(
  'library',
  titled,
  titled.replace('[id, title]', '[id, title, author, isbn]') + "        isbn: { type: string, pattern: '^[0-9]+$' }\n",
);

it('Records that no longer fit are served as they are: 200, and no fault of the server', async () => {
  await begin();
  await steps(having(key, post('/books', { title: 'Old' }, 201, { id: 8 })));
  await changeTo(stricter);
  await steps(
    get('/books/8', 200, { id: 8, title: 'Old', isbn: absent, author: absent }),
    get('/books?limit=5', 200, listOf('id', 1, 2, 3, 7, 8), { 'X-Total-Count': '5' }),
    get('/books?author=Byrne', 200, listOf('id', 1, 3)),
    keeping({ tag: 'ETag' }, get('/books/8', 200)),
    having({ 'If-None-Match': '<tag>' }, get('/books/8', 304, null)),
  );
  expect(await server.violations()).toEqual([]);
  expect(server.errors.filter((error) => error instanceof Error)).toEqual([]);
});

it('They are listed in health', async () => {
  await begin();
  await steps(having(key, post('/books', { title: 'Old' }, 201, { id: 8 })));
  expect(JSON.stringify(await server.health())).not.toContain('books');
  await changeTo(stricter);
  const health = JSON.stringify(await server.health());
  expect(health).toContain('books');
});

it('What is written must fit: 422 until it does, then 200; nothing is rewritten before', async () => {
  await begin();
  await steps(having(key, post('/books', { title: 'Old' }, 201, { id: 8 })));
  await changeTo(stricter);
  await steps(
    patch('/books/8', { year: 1990 }, 422),
    having(key, put('/books/8', { title: 'Old' }, 422)),
    get('/books/8', 200, { title: 'Old', year: absent }),
    having(key, put('/books/8', { title: 'Old', author: 'A', isbn: '12' }, 200, { id: 8, isbn: '12', addedAt: now })),
    patch('/books/8', { year: 1990 }, 200, { year: 1990, isbn: '12' }),
    having(key, post('/books', { title: 'New', author: 'A', isbn: '13' }, 201, { id: 9 })),
    del('/books/1', 204),
    get('/books/1', 404),
  );
});

it('A document that changes back finds its records as they were', async () => {
  await begin();
  await steps(having(key, post('/books', { title: 'Old' }, 201)), keeping({ tag: 'ETag' }, get('/books/8', 200)));
  await changeTo(stricter);
  await changeTo(documentText('library'));
  await steps(
    get('/books/8', 200, { title: 'Old', addedAt: now }),
    patch('/books/8', { year: 1990 }, 200, { year: 1990 }),
  );
});

it('A new member with a default is not written into old records', async () => {
  await begin();
  await steps(having(key, post('/books', { title: 'Old' }, 201, { id: 8 })));
  await changeTo(documentWith('library', titled, `${titled}        fresh: { type: boolean, default: true }\n`));
  await steps(
    get('/books/8', 200, { title: 'Old', fresh: absent }),
    having(key, post('/books', { title: 'New' }, 201, { fresh: true })),
  );
});

const withoutRooms = (text: string): string =>
  text.replace(/ {2}\/rooms:[\s\S]*(?=\ncomponents:)/, '').replace(/\n+components:/, '\ncomponents:');
const asNoCollection = documentWith('library', '  /rooms:\n', '  /rooms:\n    x-atoll-collection: false\n');

it('A collection that went keeps its records: 404 without its paths, 200 when it is back', async () => {
  await begin();
  await steps(post('/rooms', { number: 70, name: 'Map room' }, 201));
  await changeTo(withoutRooms(documentText('library')));
  await steps(get('/rooms/70', 404), get('/books/1', 200));
  await changeTo(asNoCollection);
  await steps(mocked(get('/rooms/70', 200)));
  await changeTo(documentText('library'));
  await steps(get('/rooms/70', 200, { name: 'Map room' }), post('/rooms', { number: 70 }, 409));
});

it('A collection that was removed begins again after a reset', async () => {
  await begin();
  await steps(post('/rooms', { number: 70, name: 'Map room' }, 201));
  await changeTo(withoutRooms(documentText('library')));
  await server.reset();
  await changeTo(documentText('library'));
  await steps(get('/rooms/70', 404));
});

it('A collection that comes begins with its example, and others stay as they are', async () => {
  server = await startRemembering(withoutRooms(documentText('library')));
  await steps(having(key, post('/books', { title: 'Old' }, 201, { id: 8 })));
  await changeTo(documentText('library'));
  await steps(get('/rooms', 200, [{}, {}, {}]), get('/books/8', 200, { title: 'Old' }));
});

it('Another example changes nothing before a reset, and is there after it', async () => {
  await begin();
  const text = documentWith('library', 'title: Tide tables', 'title: New tables');
  await steps(get('/books/1', 200, { title: 'Tide tables' }));
  await changeTo(text);
  await steps(get('/books/1', 200, { title: 'Tide tables' }));
  await server.reset();
  // open: a reset returns to what the world was made from; for a document that is what it says now.
  await steps(get('/books/1', 200, { title: 'New tables' }));
});
