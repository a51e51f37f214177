/** `/_atoll/health`: every trouble of every store is a reason, which ends when the store works again. */
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createReadiness } from '../../src/server/control/readiness.ts';
import { diskFiles, type Files, type OpenFile } from '../../src/basics/disk/files.ts';
import type { HealthReason } from '../../src/server/server-worlds.ts';
import { storeDamaged } from '../../src/storage/storage-export.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { basic, type Send, sendTo } from '../support/requests.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { retryLater } from '../../src/openapi/openapi-terms.ts';

jest.setTimeout(60_000);

const admin = basic('admin').headers;
let directory: string;
let atoll: TestAtoll | undefined;
let send: Send;
/** A part of the names of files that cannot be made or written, while it is set. */
let broken: string | undefined;

const failing = (): Files => {
  const disk = diskFiles('os');
  const refuse = (path: string): void => {
    if (broken !== undefined && path.includes(broken)) throw Object.assign(new Error('EIO'), { code: 'EIO' });
  };
  const watched = (path: string, file: OpenFile): OpenFile => ({
    ...file,
    write: async (bytes, position) => {
      refuse(path);
      await file.write(bytes, position);
    },
  });
  return {
    ...disk,
    create: async (path) => {
      refuse(path);
      return watched(path, await disk.create(path));
    },
    reopen: async (path) => watched(path, await disk.reopen(path)),
  };
};

beforeEach(async () => {
  broken = undefined;
  directory = await mkdtemp(join(tmpdir(), 'atoll-health-'));
});
afterEach(async () => {
  await atoll?.worlds.main.world.store.close();
  atoll = undefined;
  await rm(directory, { recursive: true, force: true });
});

const openOnDisk = async (): Promise<void> => {
  atoll = await createTestAtoll({
    open: {
      ...{ data: join(directory, 'data'), durability: 'os', files: failing() },
      compaction: { smallJournalBytes: 1, retryMs: 20 },
    },
  });
  send = sendTo(atoll);
};

type Health = { readonly status: string; readonly reasons: readonly HealthReason[] };
const health = async (): Promise<Health> => (await send('GET', '/_atoll/health')).body as Health; // the control document's own schema
const codes = async (): Promise<string[]> => (await health()).reasons.map(({ code }) => code);

const upload = (bytes = 'text') =>
  send('PUT', '/node/1/media/file/16', bytes, {
    ...admin,
    'Content-Type': 'text/plain',
    'Content-Location': 'public://health.txt',
  });
const patch = (title: string, field_description = '') => {
  const fields = { title: [{ value: title }], field_description: [{ value: field_description }] };
  return send('PATCH', '/node/2?_format=json', { type: [{ target_id: 'islandora_object' }], ...fields }, admin);
};

describe('The health of a data directory', () => {
  beforeEach(openOnDisk);

  it('is degraded while bytes cannot be written, and ok again when they can', async () => {
    const blobs = join(directory, 'data/blobs');
    expect(await health()).toMatchObject({ status: 'ok', reasons: [] });
    await rename(blobs, `${blobs}-away`);
    expect((await upload()).status).toBe(503);
    const { status, reasons } = await health();
    expect(status).toBe('degraded');
    expect(reasons).toContainEqual({
      code: 'bytes_unwritable',
      message: 'The bytes of public:// cannot be written. Uploads to it are refused with 503.',
    });
    await rm(blobs, { recursive: true, force: true });
    await rename(`${blobs}-away`, blobs);
    expect([(await upload()).status, await codes()]).toEqual([201, []]);
  });

  it('is degraded while only the folder of arriving bytes is missing', async () => {
    const folder = join(directory, 'data/blobs/public/temporary');
    await rm(folder, { recursive: true });
    expect(await codes()).toEqual(['bytes_unwritable']);
    await mkdir(folder);
    expect(await codes()).toEqual([]);
  });

  it('is degraded after a compaction that failed, which is tried again also when nobody writes', async () => {
    broken = 'snapshot-';
    // A journal that is longer than the records makes a compaction due.
    expect((await patch('long', 'x'.repeat(600_000))).status).toBe(200);
    await until(async () => (await codes()).includes('compaction_failed'), 'health says so');
    expect((await patch('writes go on')).status).toBe(200);
    broken = undefined;
    await until(async () => (await codes()).length === 0, 'it has worked again');
  });

  it('is degraded after a write that failed, and looks by itself whether writing works again', async () => {
    broken = 'journal-';
    expect((await patch('refused')).status).toBe(503);
    expect(await codes()).toEqual(['write_failed']);
    broken = undefined;
    expect(await codes()).toEqual([]);
    expect((await patch('taken')).status).toBe(200);
  });
});

describe('The health of a server', () => {
  it('is degraded while a check of its readiness fails', async () => {
    const readiness = createReadiness();
    atoll = await createTestAtoll({ app: { readiness } });
    send = sendTo(atoll);
    let isReady = false;
    readiness.serve([
      { name: 'database', check: async () => ({ name: 'database', isReady, message: 'It is read-only.' }) },
    ]);
    expect((await health()).reasons).toEqual([{ code: 'unreachable', message: 'database: It is read-only.' }]);
    isReady = true;
    expect((await health()).status).toBe('ok');
  });

  it('is read without the records, which may be in a database that does not answer', async () => {
    const away = () => Promise.reject(retryLater('The database cannot be reached.'));
    atoll = await createTestAtoll({
      around: (world) => ({ ...world, store: { ...world.store, list: away, getMany: away, lookupMany: away } }),
    });
    await atoll.send('GET', '/_atoll/health').expect(200);
  });
});

it('is 503 with the reason for who has asked during a start that fails', async () => {
  let asked: Promise<Response> | undefined;
  const openDatabase = async ({ baseUrl }: { readonly baseUrl: string }): Promise<never> => {
    asked = fetch(`${baseUrl}/_atoll/health`);
    // Each answer comes after the one before it has been read: by now the first request waits.
    for (let times = 0; times < 5; times += 1) expect((await fetch(`${baseUrl}/_atoll/ready`)).status).toBe(503);
    throw storeDamaged('journal-1.jsonl', 0, 'the line is not as it was written');
  };
  await expect(startServer({ openDatabase })).rejects.toThrow('not as it was written');
  const answer = await asked;
  expect([answer?.status, await answer?.json()]).toEqual([
    503,
    { message: 'The server has not started. Its log says why.' },
  ]);
});
