/** The bytes of all worlds of a server have one limit. They are on disk where the server has one, and go with their world. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemIds } from '../../src/server/server.ts';
import { createTestAtoll, type TestAtoll, type TestOptions } from '../support/atoll.ts';
import { basic, nodeBody, type Send, sendTo } from '../support/requests.ts';
import { until } from '../support/until.ts';

const admin = basic('admin').headers;
const kB = 1000;
/** The first upload to a world stores an icon, too. */
const limit = 1005 * kB;
let directory: string;
let atoll: TestAtoll;
let send: Send;
/** Runs what waits for a time. */
let timers: (() => void)[];
let close: () => Promise<void>;

const start = async (data: string | undefined, options: TestOptions = {}): Promise<void> => {
  const schedule = (_ms: number, run: () => void) => {
    timers.push(run);
    return () => undefined;
  };
  const open = { data, durability: 'os', ids: systemIds, pooledBytes: limit, schedule, ...options.open } as const;
  atoll = await createTestAtoll({ fixture: 'empty', ...options, open });
  send = sendTo(atoll);
  close = () => atoll.worlds.main.world.store.close();
};

beforeEach(async () => {
  timers = [];
  directory = await mkdtemp(join(tmpdir(), 'atoll-worlds-'));
});
afterEach(async () => {
  await close();
  await rm(directory, { recursive: true, force: true });
});

const fork = async (name: string, from = 'main', ttl?: number): Promise<void> => {
  expect((await send('POST', '/_atoll/worlds', { name, from, ...(ttl === undefined ? {} : { ttl }) })).status).toBe(
    201,
  );
};
const drop = async (name: string): Promise<void> => {
  expect((await send('DELETE', `/_atoll/worlds/${name}`)).status).toBe(204);
};

/** The status of an upload of so many kB to a new media of a new node. */
const upload = async (world: string, character: string, size: number): Promise<number> => {
  const made = await send('POST', `${world}/node?_format=json`, nodeBody(character), admin);
  const id = made.headers['location']?.split('/').at(-1) ?? '';
  const headers = { ...admin, 'Content-Type': 'text/plain', 'Content-Location': `public://${character}.txt` };
  return (await send('PUT', `${world}/node/${id}/media/file/16`, character.repeat(size * kB), headers)).status;
};
const read = async (world: string, character: string): Promise<number> => {
  const { status, text } = await send('GET', `${world}/sites/default/files/${character}.txt`);
  return status === 200 ? text.length / kB : status;
};
/** Bytes go soon after the answer. */
const uploadSoon = (world: string, character: string, size: number): Promise<void> =>
  until(async () => (await upload(world, character, size)) === 201, `an upload to ${world}`);

/** Collects an answer that superagent does not know. */
const asBytes = (response: NodeJS.ReadableStream, done: (error: null, body: Buffer) => void): void => {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () => done(null, Buffer.concat(chunks)));
};
const exported = async (world: string): Promise<Buffer> => {
  const asked = atoll.send('GET', `${world}/_atoll/export`).buffer(true);
  return (await asked.parse(asBytes as never).expect(200)).body as Buffer;
};

const folder = (): string => join(directory, 'data/forks');
const namesIn = async (path: string): Promise<string[]> =>
  (await readdir(path).catch(() => [])).filter((name) => name !== 'temporary');
const emptied = (): Promise<void> => until(async () => (await namesIn(folder())).length === 0, 'the folder is empty');

describe.each([
  ['in memory', () => undefined],
  ['on disk', () => join(directory, 'data')],
])('the bytes of worlds %s', (where, data) => {
  beforeEach(() => start(data()));

  it('have one limit: beyond it 507 in any world, until another one is dropped', async () => {
    await fork('a');
    await fork('b');
    expect(await upload('/~a', 'a', 600)).toBe(201);
    expect([await upload('/~b', 'b', 600), await read('/~b', 'b')]).toEqual([507, 404]);
    expect(await upload('/~b', 'c', 400)).toBe(201);
    await drop('a');
    await uploadSoon('/~b', 'b', 600);
    expect([await read('/~b', 'b'), await read('/~b', 'c')]).toEqual([600, 400]);
  });

  it('go when a world expires and when it is reset', async () => {
    await fork('a', 'main', 60);
    await fork('b');
    expect(await upload('/~a', 'a', 900)).toBe(201);
    for (const run of timers) run();
    await uploadSoon('/~b', 'b', 900);
    expect((await send('POST', '/~b/_atoll/reset')).status).toBe(204);
    await uploadSoon('/~b', 'c', 900);
    expect([await read('/~b', 'b'), await read('/~b', 'c')]).toEqual([404, 900]);
  });

  it('stay as long as a snapshot names them', async () => {
    await fork('a');
    await fork('b');
    expect(await upload('/~a', 'a', 300)).toBe(201);
    await send('PUT', '/~a/_atoll/snapshots/one');
    expect(await upload('/~a', 'b', 300)).toBe(201);
    await send('PUT', '/~a/_atoll/snapshots/two');
    expect(await upload('/~a', 'c', 300)).toBe(201);
    expect((await send('POST', '/~a/_atoll/reset')).status).toBe(204);
    expect([await read('/~a', 'a'), await upload('/~b', 'd', 600)]).toEqual([404, 507]);
    // Those that only the world named have gone with the reset.
    await uploadSoon('/~b', 'd', 400);
    expect((await send('POST', '/~a/_atoll/snapshots/two')).status).toBe(204);
    expect([await read('/~a', 'a'), await read('/~a', 'b'), await read('/~a', 'c')]).toEqual([300, 300, 404]);
    expect((await send('POST', '/~a/_atoll/snapshots/one')).status).toBe(204);
    expect((await send('DELETE', '/~a/_atoll/snapshots/two')).status).toBe(204);
    await uploadSoon('/~b', 'e', 300);
    expect([await read('/~a', 'a'), await read('/~a', 'b')]).toEqual([300, 404]);
    await drop('a');
    await uploadSoon('/~b', 'f', 300);
  });

  it('stay as long as a fork reads them, and no longer', async () => {
    await fork('a');
    expect(await upload('/~a', 'a', 400)).toBe(201);
    await fork('b', 'a');
    expect(await upload('/~a', 'b', 400)).toBe(201);
    await drop('a');
    expect(await read('/~b', 'a')).toBe(400);
    await uploadSoon('/~b', 'c', 600);
    await drop('b');
    await fork('c');
    await uploadSoon('/~c', 'd', 1000);
  });

  it('go when the world is dropped during the upload', async () => {
    await fork('a');
    const world = atoll.worlds.find('a')?.world;
    const storage = world?.blobs.get('public');
    const arriving = (async function* () {
      yield Buffer.alloc(500 * kB);
      atoll.worlds.drop('a');
      yield await Promise.resolve(Buffer.alloc(400 * kB));
    })();
    const received = await storage?.receive(arriving, { maxBytes: limit });
    await received?.keep();
    received?.settle();
    await fork('b');
    await uploadSoon('/~b', 'b', 1000);
  });

  it('are exported, imported, compared and put back', async () => {
    await fork('a');
    expect(await upload('/~a', 'a', 300)).toBe(201);
    const archive = await exported('/~a');
    await send('PUT', '/~a/_atoll/snapshots/with');
    expect((await send('DELETE', '/~a/entity/file/1?_format=json', undefined, admin)).status).toBe(204);
    expect(await read('/~a', 'a')).toBe(404);
    const { body } = await send('GET', '/~a/_atoll/differences?from=with&type=file');
    expect(body).toMatchObject({ removed: 1 });
    const back = { type: 'file', id: 1, from: 'with' };
    expect((await send('POST', '/~a/_atoll/differences/put-back', back)).status).toBe(204);
    expect(await read('/~a', 'a')).toBe(300);
    await drop('a');
    await fork('b');
    await uploadSoon('/~b', 'b', 600);
    const imported = await atoll.send('POST', '/~b/_atoll/import').type('application/x-tar').send(archive);
    expect([imported.status, await read('/~b', 'a'), await read('/~b', 'b')]).toEqual([200, 300, 404]);
    await uploadSoon('/~b', 'c', 700);
    expect((await send('POST', '/~b/_atoll/reset')).status).toBe(204);
    await uploadSoon('/~b', 'd', 1000);
  });

  it('do not count those of the main world on disk, which forks read', async () => {
    expect(await upload('', 'm', 900)).toBe(201);
    await fork('a');
    await fork('b');
    expect([await read('/~a', 'm'), await read('/~b', 'm')]).toEqual([900, 900]);
    const own = [await upload('/~a', 'a', 600), await upload('/~b', 'b', 400)];
    // In memory the main world has the same limit.
    expect(own).toEqual(where === 'on disk' ? [201, 201] : [507, 507]);
    expect(await upload('', 'n', 1000)).toBe(where === 'on disk' ? 201 : 507);
  });
});

describe('the bytes of forks of a server with a data directory', () => {
  const data = (): string => join(directory, 'data');

  it('are in a folder of their own, which is empty when the forks are gone, and gone after the end', async () => {
    await start(data());
    await fork('a');
    expect(await namesIn(data())).not.toContain('forks');
    expect(await upload('/~a', 'a', 300)).toBe(201);
    expect(await upload('/~a', 'b', 300)).toBe(201);
    expect(await namesIn(folder())).toHaveLength(3);
    await drop('a');
    await emptied();
    await fork('b');
    await uploadSoon('/~b', 'c', 900);
    expect(await namesIn(folder())).toHaveLength(2);
  });

  it('are removed by the next start, however the process has ended', async () => {
    await start(data());
    await close();
    await mkdir(join(folder(), 'temporary'), { recursive: true });
    await writeFile(join(folder(), 'ab'.repeat(32)), 'left over');
    await start(data());
    expect(await namesIn(data())).not.toContain('forks');
  });

  it('leave free what the main world needs', async () => {
    await start(data(), {
      site: (site) => ({ ...site, uploads: { ...site.uploads, freeBytes: Number.MAX_SAFE_INTEGER } }),
    });
    await fork('a');
    expect(await upload('/~a', 'a', 10)).toBe(507);
    expect(await namesIn(folder())).toEqual([]);
  });

  it('are refused with 503 while their folder cannot be made, and taken again when it can', async () => {
    await start(data());
    await fork('a');
    await writeFile(folder(), 'no folder');
    expect(await upload('/~a', 'a', 10)).toBe(503);
    await rm(folder());
    expect(await upload('/~a', 'b', 10)).toBe(201);
  });
});
