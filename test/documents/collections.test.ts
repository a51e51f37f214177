/** What the control interface and the commands say of the collections of a document, on a whole server. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { components } from '../../src/client/generated/control.ts';
import { root } from '../support/atoll.ts';
import { runHere } from '../support/command.ts';
import { closeOwnServers, type OwnServer, startOwn } from './support/own-document.ts';

type Schemas = components['schemas'];

const library = readFileSync(join(root, 'test/documents/support/library.yaml'), 'utf8');
const handlers = `export const search = async ({ body }, world) => {
  await world.collection('searches').put(String(world.clock.now()), body ?? null);
  return { body: [] };
};`;

let server: OwnServer;
beforeEach(async () => {
  server = await startOwn({ 'api.yaml': library, 'h/search.mjs': handlers });
  await server.clock.set({ now: '2026-01-02T03:04:05Z', mode: 'frozen' });
});
afterEach(closeOwnServers);

const json = { 'Content-Type': 'application/json' };
const post = (path: string, body: object) =>
  server.fetch(path, { method: 'POST', headers: json, body: JSON.stringify(body) });
const collectionOf = async (name: string): Promise<Schemas['CollectionSummary'] | undefined> =>
  (await server.collections()).collections.find((each) => each.name === name);
const atoll = (...args: string[]) => runHere([...args, '--url', server.url]);

describe('The collections of a document', () => {
  it('are listed with their paths, their records and their parents, and other paths with the reason', async () => {
    await post('/books/1/notes', { text: 'Read it.' });
    await post('/searches', { words: 'emma' });
    const own = { document: 'Library', unfit: 0, begun: true };
    expect(await server.collections()).toEqual({
      collections: [
        { ...own, name: 'books', records: 2, path: '/books', parent: null, idMember: 'id', single: false },
        { ...own, name: 'settings', records: 1, path: '/settings', parent: null, idMember: null, single: true },
        {
          ...{ ...own, name: 'books/notes', records: expect.any(Number), path: '/books/{id}/notes', parent: 'books' },
          ...{ idMember: 'noteId', single: false },
        },
        {
          ...{ name: 'searches', records: 1, unfit: 0, begun: true, path: null, document: null, parent: null },
          ...{ idMember: null, single: false },
        },
      ],
      others: [{ path: '/searches', reason: expect.stringMatching(/./) }],
    });
  });

  it('show what a client has created, and answer clients with what the console has changed', async () => {
    const created = await post('/books', { title: 'Persuasion' });
    const { id } = (await created.json()) as { id: number };
    const books = server.collection<{ id: number; title: string }>('books');
    expect(await books.get(String(id))).toEqual({ id, title: 'Persuasion' });
    expect(await books.put(String(id), { id, title: 'Changed' })).toEqual([]);
    expect(await (await server.fetch(`/books/${id}`)).json()).toEqual({ id, title: 'Changed' });
    expect((await books.list({ limit: 1 })).records).toEqual([
      { id: '1', value: { id: 1, title: 'Emma' }, fits: true },
    ]);
    expect([await books.delete(String(id)), await books.delete(String(id)), await books.get(String(id))]).toEqual([
      true,
      false,
      undefined,
    ]);
    expect((await server.fetch(`/books/${id}`)).status).toBe(404);
    expect(await server.collection('nothing').list()).toEqual({ total: 0, records: [] });
  });

  it('have the one record of a singleton under the id "only"', async () => {
    expect(await server.collection('settings').get('only')).toEqual({ theme: 'dark' });
    await server.collection('settings').put('only', { theme: 'light' });
    expect(await (await server.fetch('/settings')).json()).toEqual({ theme: 'light' });
  });

  it('say of a record what the document does not allow in it, store it, and serve it', async () => {
    const faults = await server.collection('books').put('7', { id: 7, title: 7 });
    expect(faults).toEqual([{ pointer: '/title', message: 'must be string' }]);
    expect((await server.fetch('/books/7')).status).toBe(200);
    expect(await collectionOf('books')).toMatchObject({ records: 3, unfit: 1 });
    expect(await server.health()).toMatchObject({ status: 'ok', unfit: [{ collection: 'books', records: 1 }] });
    const unfit = await (await server.fetch('/_atoll/collections/books?fits=false')).json();
    expect(unfit).toMatchObject({ total: 1, records: [{ id: '7', fits: false }] });
    const fitting = await (await server.fetch('/_atoll/collections/books?fits=true')).json();
    expect(fitting).toMatchObject({ total: 2, records: [{ id: '1' }, { id: '2' }] });
    await server.collection('books').put('7', { id: 7, title: 'Seven' });
    expect(await server.health()).not.toHaveProperty('unfit');
  });

  it('have a difference for each change, which is put back at its place', async () => {
    await server.snapshots.save('begin');
    await server.collection('books').put('1', { id: 1, title: 'Changed' });
    await server.collection('books').delete('2');
    await server.collection('books').put('x', { title: 'New' });
    const { entries } = await server.differences({ from: 'begin', type: 'collection_record' });
    expect(entries.map(({ change, bundle, title }) => [change, bundle, title])).toEqual([
      ['changed', 'books', '1'],
      ['removed', 'books', '2'],
      ['added', 'books', 'x'],
    ]);
    expect((await atoll('world', 'diff', '--from', 'begin')).out.split('\n').slice(0, 2)).toEqual([
      'changed  books               1  (value)',
      'removed  books               2',
    ]);
    for (const { type, id } of entries) await server.putBack({ type, id, from: 'begin' });
    expect(await (await server.fetch('/books')).json()).toEqual([
      { id: 1, title: 'Emma' },
      { id: 2, title: 'Ulysses' },
    ]);
    expect(await server.differences({ from: 'begin' })).toMatchObject({ total: 0 });
  });
});

describe('atoll ls', () => {
  it('lists the collections of a server of documents, and why other paths are none', async () => {
    const { code, out, error } = await atoll('ls');
    expect([code, out.split('\n').slice(0, 2)]).toEqual([
      0,
      ['books                  2 records  /books', 'settings                1 record  /settings'],
    ]);
    expect(error).toMatch(/^\/searches is not a collection: ./);
    expect((await atoll('ls', 'collections')).out).toBe(out);
    const [first = ''] = (await atoll('ls', 'collections', '--json')).out.split('\n');
    expect(JSON.parse(first)).toMatchObject({ name: 'books', records: 2 });
  });

  it('lists the records of one collection, all of them, with --json as they are', async () => {
    const books = server.collection('books');
    for (let id = 3; id <= 203; id += 1) await books.put(String(id), { id, title: `Book ${id}` });
    await books.put('9\u001b[31m', { id: 'x'.repeat(300) });
    const lines = (await atoll('ls', '--collection', 'books')).out.trimEnd().split('\n');
    expect(lines).toHaveLength(204);
    expect(lines[0]).toBe('1         {"id":1,"title":"Emma"}');
    expect(lines.at(-1)).toMatch(/^9\[31m {3,}\(does not fit\) {2}\{"id":"x{113}…$/);
    const unfit = (await atoll('ls', '--collection', 'books', '--unfit', '--json')).out.trimEnd().split('\n');
    expect(unfit.map((line) => JSON.parse(line) as unknown)).toEqual([
      { id: '9\u001b[31m', value: { id: 'x'.repeat(300) }, fits: false },
    ]);
    expect((await atoll('health')).error).toBe(
      'The collection "books" has 1 record not fitting the document. "atoll ls --collection books --unfit" lists them.\n',
    );
  });

  it('ends with 2 and the words of the server for a collection that there is not', async () => {
    expect(await atoll('ls', '--collection', 'boks')).toEqual({
      ...{ code: 2, out: '', error: 'atoll: There is no collection "boks".\n' },
    });
  });
});

describe('A document that has changed', () => {
  const stricter = library.replace('required: [title]', 'required: [title, isbn]');
  const note = (id: string) => `note: books "${id}" does not fit the document: must have required property 'isbn'.`;

  it('is held against the stored records at a reload, which stay and are served as they are', async () => {
    expect(stricter).not.toBe(library);
    await writeFile(join(server.folder, 'api.yaml'), stricter);
    expect(await server.reload()).toMatchObject({ served: true, flaws: [] });
    expect(await server.health()).toMatchObject({ status: 'ok', unfit: [{ collection: 'books', records: 2 }] });
    const answer = await server.fetch('/books/1');
    expect([answer.status, await answer.json()]).toEqual([200, { id: 1, title: 'Emma' }]);
    const { faults } = (await (
      await server.fetch('/_atoll/collections/books/1')
    ).json()) as Schemas['CollectionRecord'];
    expect(faults).toEqual([{ pointer: '', message: "must have required property 'isbn'" }]);
    await writeFile(join(server.folder, 'api.yaml'), library);
    await server.reload();
    expect(await server.health()).not.toHaveProperty('unfit');
  });

  it('is held against a directory by atoll check, which notes each record that does not fit', async () => {
    const placed = (name: string) => join(server.folder, name);
    const [data, archive, strict] = [placed('data'), placed('export'), placed('strict.yaml')];
    await writeFile(strict, stricter);
    const onDisk = await startOwn({ 'api.yaml': library }, { data });
    await onDisk.collection('books').put('3', { id: 3, title: 'Persuasion', isbn: '978' });
    expect((await runHere(['export', archive, '--url', onDisk.url])).code).toBe(0);
    await onDisk.close();
    const check = (directory: string, ...args: string[]) => runHere(['check', '--data', directory, ...args]);
    expect((await check(data, '--document', join(server.folder, 'api.yaml'))).out).toBe(
      `${data} is whole: no faults, 0 notes.\n`,
    );
    for (const directory of [data, archive])
      expect(await check(directory, '--document', strict)).toEqual({
        ...{ code: 0, error: '' },
        out: `${note('1')}\n${note('2')}\n${directory} is whole: no faults, 2 notes.\n`,
      });
  });
});
