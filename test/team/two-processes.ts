/** Two processes over one database, which begins anew, and what tests do with both. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Database } from './postgres/pglite.ts';
import type { ServedWorld } from '../../src/server/server-worlds.ts';
import { baseUrl } from '../support/atoll.ts';
import { startTestProcess, type TestProcess } from './team-process.ts';
import type { Entity } from '../../src/openapi/openapi-records.ts';

export type TwoProcesses = {
  readonly directory: () => string;
  readonly first: () => TestProcess;
  readonly second: () => TestProcess;
};

/** Starts both before the tests. Before each test the main world is as it was filled. */
export const startTwoProcesses = (database: () => Database): TwoProcesses => {
  let directory = '';
  let processes: readonly [TestProcess, TestProcess] | undefined;
  const started = (): readonly [TestProcess, TestProcess] => {
    if (processes === undefined) throw new Error('The processes start before the tests.');
    return processes;
  };
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'atoll-team-'));
    // The bytes of an earlier suite were in another directory.
    await database().query('delete from atoll_state where world = 0');
    await database().query('delete from atoll_worlds where id > 0');
    for (const table of ['fixtures', 'layers', 'records', 'listings', 'keys', 'changes']) {
      await database().query(`delete from atoll_${table}`);
    }
    const first = await startTestProcess(database(), directory);
    processes = [first, await startTestProcess(database(), directory)];
  }, 120_000);
  beforeEach(() => started()[0].worlds.reset('main'));
  afterAll(async () => {
    for (const process of processes ?? []) await process.stop();
    await rm(directory, { recursive: true });
  });
  return { directory: () => directory, first: () => started()[0], second: () => started()[1] };
};

export const get = async ({ fetch }: TestProcess, path: string): Promise<number> =>
  (await fetch(`${baseUrl}${path}`)).status;

/** Throws when the process has no such world. */
export const worldIn = async ({ worlds }: TestProcess, name: string): Promise<ServedWorld> => {
  const world = await worlds.find(name);
  if (world === undefined) throw new Error(`There is no world ${name}.`);
  return world;
};

/** Another version of node 5 of the fixture. */
export const rename = async (process: TestProcess, world: string, title: string): Promise<void> => {
  const { store } = (await worldIn(process, world)).world;
  await store.transact(['node:5'], (view) => {
    const node = view.get('node:5');
    if (node === undefined) throw new Error('The fixture has a node 5.');
    return {
      changes: [{ put: { ...node, fields: { ...node.fields, title: [{ value: title }] } } }],
      result: undefined,
    };
  });
};

/** Its title; undefined when there is no such node. */
export const titleIn = async (process: TestProcess, world: string, id = 5): Promise<unknown> => {
  const [node] = await (await worldIn(process, world)).world.store.getMany([`node:${id}`]);
  return node?.fields['title']?.[0]?.['value'];
};

/** Writes a copy of node 5 with a new id, which it returns. */
export const addNode = async (process: TestProcess, world: string, title: string): Promise<number> => {
  const { store, ids } = (await worldIn(process, world)).world;
  return store.transact(['node:5'], (view) => {
    const node = view.get('node:5');
    if (node === undefined) throw new Error('The fixture has a node 5.');
    const id = view.nextId('node');
    const fields = { ...node.fields, title: [{ value: title }] };
    const put: Entity = { ...node, id, uuid: ids.uuid(), fields };
    return { changes: [{ put }], result: id };
  });
};

export const removeNode = async (process: TestProcess, world: string, id: number): Promise<void> => {
  const { store } = (await worldIn(process, world)).world;
  await store.transact([`node:${id}`], () => ({ changes: [{ remove: `node:${id}` }], result: undefined }));
};
