/** Which collections begin with records in a world: none of a fixture that has them, and none at all with the fixture `empty`. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HostedWorld } from '../../src/openapi/openapi-host.ts';
import { startServer, type ServerOptions } from '../support/server.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-collections-'));
  const paths = { '/books': { get: { responses: { 200: { description: 'ok' } } } } };
  await writeFile(
    join(folder, 'api.json'),
    JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths }),
  );
  await writeFile(join(folder, 'fixture.yaml'), 'collections: { books: [{ id: a }], none: [] }\n');
});
afterAll(() => rm(folder, { recursive: true }));

const documents = () => [{ file: join(folder, 'api.json'), prefix: undefined }];

/** Whether the collections begin now, one after another. */
const begins = async (world: HostedWorld, ...names: string[]): Promise<unknown> => {
  const { collections } = world;
  if (collections === undefined) throw new Error('The world has no collections.');
  const before = names.map((name) => collections.hasBegun(name));
  const begin = await collections.transact((view) => names.map((name) => view.begin(name)));
  const after = names.map((name) => collections.hasBegun(name));
  expect(after).toEqual(names.map(() => true));
  expect(begin).toEqual(before.map((has) => !has));
  return begin;
};

describe.each([
  ['of documents alone', {}],
  ['with a repository', { site: 'default' }],
] as const)('A server %s', (_, options) => {
  const serving = async (
    more: Partial<ServerOptions>,
    use: (started: Awaited<ReturnType<typeof startServer>>) => Promise<void>,
  ): Promise<void> => {
    const server = await startServer({ ...options, documents: documents(), ...more });
    try {
      await use(server);
    } finally {
      await server.stop();
    }
  };

  it('begins each collection once in each world, and again after a reset', () =>
    serving({}, async ({ world, worlds }) => {
      expect(await begins(world, 'books', 'films')).toEqual([true, true]);
      expect(await begins(world, 'books', 'films')).toEqual([false, false]);
      await worlds.reset('main');
      expect(await begins(worlds.main.world, 'books')).toEqual([true]);
    }));

  it('with the fixture empty begins none, also after a reset, in a fork and after a restart', () =>
    serving({ fixture: 'empty' }, async ({ world, worlds }) => {
      expect(await begins(world, 'books')).toEqual([false]);
      await world.collection('books').put('a', 1);
      await worlds.reset('main');
      const reset = worlds.main.world;
      expect([await begins(reset, 'books'), (await reset.collection('books').list()).total]).toEqual([[false], 0]);
    }));

  it('keeps on the disk that none begins', async () => {
    const data = await mkdtemp(join(tmpdir(), 'atoll-collections-data-'));
    const starting = (fixture?: string) =>
      startServer({
        ...options,
        documents: documents(),
        ...(fixture === undefined ? {} : { fixture }),
        data,
      } as object);
    try {
      await (await starting('empty')).stop();
      const second = await starting();
      expect(await begins(second.world, 'books')).toEqual([false]);
      await second.stop();
    } finally {
      await rm(data, { recursive: true });
    }
  });
});

it('A fixture has begun its own collections, also one without records', async () => {
  const server = await startServer({ documents: documents(), fixture: join(folder, 'fixture.yaml') });
  expect(await begins(server.world, 'books', 'none', 'others')).toEqual([false, false, true]);
  expect((await server.world.collection('books').list()).records).toEqual([{ id: 'a', value: { id: 'a' } }]);
  await server.stop();
});

it('A world that is made from the fixture empty begins no collection', async () => {
  const server = await startServer({ documents: documents() });
  await server.worlds.fork({ name: 'none', from: 'empty' });
  const none = await server.worlds.find('none');
  expect(none === undefined ? undefined : await begins(none.world, 'books')).toEqual([false]);
  expect(await begins(server.world, 'books')).toEqual([true]);
  await server.stop();
});

it('A fork has begun what its world had', async () => {
  const server = await startServer({ documents: documents() });
  await begins(server.world, 'books');
  await server.worlds.fork({ name: 'copy', from: 'main' });
  const copy = await server.worlds.find('copy');
  expect(copy === undefined ? undefined : await begins(copy.world, 'books', 'films')).toEqual([false, true]);
  await server.stop();
});
