/** Collections belong to a world: two of them, fork, reset, snapshots, archive and differences. Several documents beside each other. */
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeOwnServers, startOwn, type OwnServer } from '../documents/support/own-document.ts';
import { documentText, startRemembering } from './support/remembering.ts';
import { del, get, having, listOf, patch, post, put, walk } from './support/steps.ts';

const key = { 'X-Api-Key': 'k' };
afterEach(closeOwnServers);
const library = (): Promise<OwnServer> => startRemembering('library');
const add = (title: string, id: number) => having(key, post('/books', { title }, 201, { id }));
const all = (...ids: number[]) => get('/books?limit=5', 200, listOf('id', ...ids));

describe('Worlds', () => {
  it('are apart, and begin with the same records', async () => {
    const server = await library();
    const [one, two] = [await server.world(), await server.world()];
    await walk(one, [add('A', 8), add('B', 9), del('/books/1', 204)]);
    await walk(two, [all(1, 2, 3, 7), add('C', 8), all(1, 2, 3, 7, 8)]);
    await walk(server, [all(1, 2, 3, 7)]);
    await walk(one, [get('/books/8', 200, { title: 'A' })]);
    await walk(two, [get('/books/8', 200, { title: 'C' })]);
  });

  it('are forked with their records and counters, and go apart from there', async () => {
    const server = await library();
    const one = await server.world({ name: 'one' });
    await walk(one, [add('A', 8), add('B', 9), del('/books/9', 204)]);
    const two = await server.world({ name: 'two', from: 'one' });
    await walk(two, [all(1, 2, 3, 7, 8), add('C', 10), patch('/books/8', { title: 'Changed' }, 200)]);
    await walk(one, [all(1, 2, 3, 7, 8), get('/books/8', 200, { title: 'A' }), add('D', 10)]);
  });

  it('are reset to what they were made from', async () => {
    const server = await library();
    await walk(server, [add('A', 8), del('/books/1', 204), patch('/books/2', { year: 1900 }, 200)]);
    await server.reset();
    await walk(server, [all(1, 2, 3, 7), get('/books/2', 200, { year: 1890 }), add('B', 8)]);
    const one = await server.world({ from: 'main' });
    await walk(one, [add('C', 9)]);
    await one.reset();
    await walk(one, [all(1, 2, 3, 7, 8), get('/books/8', 200, { title: 'B' }), get('/books/9', 404)]);
  });

  it('reset what was never asked for, and what was emptied', async () => {
    const server = await library();
    await walk(
      server,
      [1, 2, 3, 7].map((id) => del(`/books/${id}`, 204)),
    );
    await walk(server, [get('/books', 200, [])]);
    const fork = await server.world({ from: 'main' });
    // What is empty stays empty: a collection begins once.
    await walk(fork, [get('/books', 200, [])]);
    await server.reset();
    await walk(server, [all(1, 2, 3, 7)]);
  });

  it('have snapshots with their records', async () => {
    const server = await library();
    await walk(server, [add('A', 8)]);
    await server.snapshots.save('one');
    await walk(server, [del('/books/8', 204), add('B', 9)]);
    await server.snapshots.load('one');
    await walk(server, [all(1, 2, 3, 7, 8), get('/books/8', 200, { title: 'A' })]);
    const fork = await server.world({ from: 'one' });
    await walk(fork, [get('/books/8', 200, { title: 'A' })]);
  });

  it('are exported, and imported into another server', async () => {
    const server = await library();
    await walk(server, [add('A', 8), del('/books/1', 204), add('B', 9), del('/books/9', 204)]);
    const archive = await new Response(await server.exportRepository()).blob();
    const other = await library();
    await walk(other, [add('Other', 8), add('Others', 9)]);
    await other.importRepository(archive);
    await walk(other, [all(2, 3, 7, 8), get('/books/8', 200, { title: 'A' }), add('C', 10)]);
  });

  it('are compared, and a record is put back', async () => {
    const server = await library();
    await walk(server, [patch('/books/2', { year: 1900 }, 200)]);
    const { entries } = await server.differences();
    expect(entries).toHaveLength(1);
    expect(JSON.stringify(entries[0])).toContain('books');
  });

  it('put their links and Location below their own address', async () => {
    const server = await library();
    const one = await server.world({ name: 'one' });
    const headers = { ...key, 'Content-Type': 'application/json' };
    const made = await one.fetch('/books', { method: 'POST', headers, body: '{"title":"A"}' });
    expect(new URL(made.headers.get('Location') ?? '', `${one.url}/books`).href).toBe(`${one.url}/books/8`);
    const link = (await one.fetch('/books')).headers.get('Link') ?? '';
    expect(new URL(/<([^>]*)>/.exec(link)?.[1] ?? '', `${one.url}/books`).href).toContain(`${one.url}/books?`);
  });

  it('write one after another, however many write at once', async () => {
    const server = await library();
    const headers = { ...key, 'Content-Type': 'application/json' };
    const made = await Promise.all(
      Array.from({ length: 40 }, (_each, at) =>
        server.fetch('/books', { method: 'POST', headers, body: JSON.stringify({ title: `T${at}` }) }),
      ),
    );
    const ids = await Promise.all(made.map(async (each) => ((await each.json()) as { id: number }).id));
    expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_each, at) => at + 8));
    const put = await Promise.all(
      [1, 2].map((year) => server.fetch('/books/8', { method: 'DELETE', headers: { 'X-Year': String(year) } })),
    );
    expect(put.map(({ status }) => status).sort()).toEqual([204, 404]);
  });
});

describe('Several documents', () => {
  it('have collections of their own, also where their paths are the same below two prefixes', async () => {
    const server = await startOwn(
      { 'one.yaml': documentText('library'), 'two.yaml': documentText('library') },
      (folder) => ({
        ...{ port: false, seed: 'net' },
        documents: [`/one=${join(folder, 'one.yaml')}`, `/two=${join(folder, 'two.yaml')}`],
      }),
    );
    await walk(server, [
      having(key, post('/one/books', { title: 'A' }, 201, { id: 8 }, { Location: '/one/books/8' })),
      del('/one/books/1', 204),
      get('/two/books?limit=5', 200, listOf('id', 1, 2, 3, 7)),
      get('/two/books/8', 404),
      having(key, post('/two/books', { title: 'B' }, 201, { id: 8 }, { Location: '/two/books/8' })),
      get('/one/books/8', 200, { title: 'A' }),
    ]);
  });

  it('of different paths are served side by side', async () => {
    const server = await startOwn(
      { 'one.yaml': documentText('orders'), 'two.yaml': documentText('weblog') },
      (folder) => ({ port: false, seed: 'net', documents: [join(folder, 'one.yaml'), join(folder, 'two.yaml')] }),
    );
    await walk(server, [
      put('/v1/carts/x', { cartId: 'x' }, 200),
      post('/tags', { name: 'x' }, 201),
      get('/v1/carts/x', 200, { cartId: 'x' }),
      get('/tags', 200, [{ name: 'x' }]),
    ]);
  });

  it('beside the repository remember as they do alone', async () => {
    const server = await startOwn(
      { 'api.yaml': documentText('library') },
      { port: false, site: 'default', fixture: 'empty' },
    );
    await walk(server, [
      having(key, post('/v1/books', { title: 'A' }, 201, { id: 1 })),
      get('/v1/books/1', 200, { title: 'A' }),
      del('/v1/books/1', 204),
      get('/v1/books', 200, []),
    ]);
  });
});
