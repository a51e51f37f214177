/** A main world whose disk fails: what is refused changes nothing, and damaged bytes are found in the background. */
import { repositoryOnDisk } from '../../src/application/application-disk.ts';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { exitCodeOf, exitCodes } from '../cli/program.ts';
import { loadSite } from '../support/site-sources.ts';
import type { Site } from '../../src/repository/repository.ts';
import { openDiskReaders, verifyInBackground } from '../../src/server/worlds/blob-readers.ts';
import { diskFiles, type Files, type OpenFile } from '../../src/basics/disk/files.ts';
import { openWorlds, type OpenedWorlds } from '../../src/server/server-worlds.ts';
import {
  createClock,
  createIds,
  createTestAtoll,
  readFixture,
  root,
  starter,
  type TestAtoll,
} from '../support/atoll.ts';
import { basic, type Send, sendTo, titleBody, titleOf } from '../support/requests.ts';
import { until } from '../support/until.ts';
import type { Entity } from '../../src/openapi/openapi-records.ts';

const admin = basic('admin').headers;
let directory: string;
let atoll: TestAtoll;
let send: Send;
/** The system's error that files meet, while it is set. */
let failure: string | undefined;
/** What is in the path of those files: new ones, and what is written to them. */
let met = 'snapshot-';

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'atoll-worlds-'));
  failure = undefined;
  met = 'snapshot-';
  const disk = diskFiles('os');
  const failed = (path: string): Promise<never> | undefined =>
    failure === undefined || !path.includes(met)
      ? undefined
      : Promise.reject(Object.assign(new Error(failure), { code: failure }));
  const failing = (path: string, file: OpenFile): OpenFile => ({
    ...file,
    write: (bytes, position) => failed(path) ?? file.write(bytes, position),
    writeAll: (pieces, position) => failed(path) ?? file.writeAll(pieces, position),
  });
  const files: Files = {
    ...disk,
    create: async (path) => failing(path, await (failed(path) ?? disk.create(path))),
    createNew: async (path) => failing(path, await (failed(path) ?? disk.createNew(path))),
    reopen: async (path) => failing(path, await disk.reopen(path)),
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

it.each([
  ['ENOSPC', 507],
  ['EIO', 503],
])('%s is answered %i when a deleted file is put back; a later attempt succeeds', async (code, status) => {
  const file = { type: 'file', id: 1 };
  await send('DELETE', '/entity/file/1?_format=json', undefined, admin);
  [failure, met] = [code, ''];
  const refused = await send('POST', '/_atoll/differences/put-back', file);
  expect([refused.status, Object.keys(refused.body as object)]).toEqual([status, ['message']]);
  failure = undefined;
  expect((await send('POST', '/_atoll/differences/put-back', file)).status).toBe(204);
});

it('a fixture that does not fit on the disk ends the start with code 5, and a later start fills the repository', async () => {
  const site = await loadSite(join(root, 'data/site'));
  const data = join(directory, 'small');
  const opened = (of: Site): Promise<OpenedWorlds> =>
    openWorlds({
      application: repositoryOnDisk,
      ...{ site: of, data, baseUrl: 'http://localhost:8000', fixture: starter, readFixture },
      ...{ durability: 'os', clock: createClock(), ids: createIds(), warn: () => undefined },
    });
  const full: Site = { ...site, uploads: { ...site.uploads, freeBytes: Number.MAX_SAFE_INTEGER } };
  const error: unknown = await opened(full).catch((thrown: unknown) => thrown);
  expect([exitCodeOf(error), String(error)]).toEqual([exitCodes.permissionOrSpace, expect.stringContaining('space')]);
  const later = await opened(site);
  expect(later.isNew).toBe(true);
  await later.close();
});

it('the background check names a file whose bytes changed, and no other', async () => {
  const data = join(directory, 'data');
  const readers = openDiskReaders(await loadSite(join(root, 'data/site')), data);
  const { store } = atoll.worlds.main.world;
  const { entities } = await store.list('file', { offset: 0, limit: 100 });
  const [changed] = entities.filter(({ fields }) => JSON.stringify(fields['uri']).includes('public://'));
  const path = join(data, 'blobs/public', changed?.blob?.key ?? '');
  const bytes = await readFile(path);
  await writeFile(
    path,
    bytes.map((byte, at) => (at === 0 ? byte ^ 1 : byte)),
  );

  const damaged: Entity[] = [];
  const end = verifyInBackground({
    ...{ currentStore: () => store, readers, firstAfterMs: 0, bytesPerSecond: Number.MAX_SAFE_INTEGER },
    onDamage: (file) => damaged.push(file),
  });
  await until(() => damaged.length > 0, 'the changed file is named');
  await end();
  expect(damaged.map(({ id }) => id)).toEqual([changed?.id]);
});
