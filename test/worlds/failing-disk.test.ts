/** A reset of a main world whose disk fails: refused, and nothing has changed. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { diskFiles, type Files } from '../../src/storage/files.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { basic, type Send, sendTo, titleBody, titleOf } from '../support/requests.ts';

const admin = basic('admin').headers;
let directory: string;
let atoll: TestAtoll;
let send: Send;
/** The system's error that every new snapshot file meets, while it is set. */
let failure: string | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'atoll-worlds-'));
  failure = undefined;
  const disk = diskFiles('os');
  const files: Files = {
    ...disk,
    create: (path) => {
      if (failure === undefined || !path.includes('snapshot-')) return disk.create(path);
      return Promise.reject(Object.assign(new Error(failure), { code: failure }));
    },
  };
  atoll = await createTestAtoll({ open: { data: join(directory, 'data'), durability: 'os', files } });
  send = sendTo(atoll);
});
afterEach(async () => {
  await atoll.worlds.main.world.store.close();
  await rm(directory, { recursive: true, force: true });
});

/** The files that hold bytes; the folders that they lay in stay. */
const blobs = async (): Promise<number> => {
  const entries = await readdir(join(directory, 'data/blobs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
};

it.each([
  ['ENOSPC', 507],
  ['EIO', 503],
])(
  '%s is answered %i; the records, their bytes and further writes are as if nobody had asked',
  async (code, status) => {
    await send('PATCH', '/node/2?_format=json', titleBody('written'), admin);
    await send('PUT', '/_atoll/snapshots/kept');
    const stored = await blobs();
    failure = code;
    for (const path of ['/_atoll/reset', '/_atoll/snapshots/kept']) {
      const { status: met, body } = await send('POST', path);
      expect([path, met, Object.keys(body as object)]).toEqual([path, status, ['message']]);
    }
    expect([await titleOf(send, '/node/2'), await blobs()]).toEqual(['written', stored]);
    expect((await send('PATCH', '/node/2?_format=json', titleBody('goes on'), admin)).status).toBe(200);
    failure = undefined;
    expect((await send('POST', '/_atoll/reset')).status).toBe(204);
    expect(await titleOf(send, '/node/2')).toBe('Quellan Glass Plates');
  },
);
