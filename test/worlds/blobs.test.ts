/** Bytes that a fork or a snapshot names outlive the world that they came from letting go of them, in memory and on disk. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemIds } from '../../src/server/server.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { basic, type Send, sendTo } from '../support/requests.ts';

const admin = basic('admin').headers;
let directory: string;
let atoll: TestAtoll;
let send: Send;
let warnings: string[];

/** Real uuids: after a restart fixed ones would come a second time. */
const start = async (data: string | undefined): Promise<void> => {
  const warn = (message: string): void => void warnings.push(message);
  atoll = await createTestAtoll({ fixture: 'empty', open: { data, durability: 'os', ids: systemIds, warn } });
  send = sendTo(atoll);
};
const stop = (): Promise<void> => atoll.worlds.main.world.store.close();

beforeEach(async () => {
  warnings = [];
  directory = await mkdtemp(join(tmpdir(), 'atoll-worlds-'));
});
afterEach(async () => {
  await stop();
  await rm(directory, { recursive: true, force: true });
});

/** Stores a text as a file under `public`, by a media of a node that is made when it is missing. */
const upload = async (prefix: string, text: string): Promise<{ media: number; url: string }> => {
  const type = [{ target_id: 'islandora_object' }];
  const node = { type, title: [{ value: text }], field_model: [{ target_id: 24 }] };
  const made = await send('POST', `${prefix}/node?_format=json`, node, admin);
  const id = made.headers['location']?.split('/').at(-1) ?? '';
  const headers = { ...admin, 'Content-Type': 'text/plain', 'Content-Location': `public://${text}.txt` };
  const stored = await send('PUT', `${prefix}/node/${id}/media/file/16`, text, headers);
  expect(stored.status).toBe(201);
  return { media: Number(stored.headers['location']?.split('/').at(-1)), url: `/sites/default/files/${text}.txt` };
};
const fileOf = async (prefix: string, media: number): Promise<number> => {
  const { body } = await send('GET', `${prefix}/media/${media}?_format=json`, undefined, admin);
  return (body as { field_media_file: { target_id: number }[] }).field_media_file[0]?.target_id ?? 0; // a media of type file
};
const deleteFile = async (prefix: string, media: number): Promise<void> => {
  const file = await fileOf(prefix, media);
  expect((await send('DELETE', `${prefix}/entity/file/${file}?_format=json`, undefined, admin)).status).toBe(204);
};
const read = async (prefix: string, url: string): Promise<string | number> => {
  const { status, text } = await send('GET', prefix + url);
  return status === 200 ? text : status;
};
/** The files in the data directory that hold bytes. */
const onDisk = async (): Promise<number> => {
  const entries = await readdir(join(directory, 'data/blobs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
};

describe.each([
  ['in memory', () => undefined],
  ['on disk', () => join(directory, 'data')],
])('the bytes of a main world %s', (_where, data) => {
  it('are read in a fork and in a snapshot after the main world has deleted and replaced them', async () => {
    await start(data());
    const [gone, replaced] = [await upload('', 'gone'), await upload('', 'replaced')];
    await send('POST', '/_atoll/worlds', { name: 'fork', from: 'main' });
    await send('PUT', '/_atoll/snapshots/kept');
    await deleteFile('', gone.media);
    const headers = { ...admin, 'Content-Type': 'text/plain' };
    expect((await send('PUT', `/media/${replaced.media}/source`, 'new bytes', headers)).status).toBe(204);
    expect([await read('', gone.url), await read('', replaced.url)]).toEqual([404, 'new bytes']);
    expect([await read('/~fork', gone.url), await read('/~fork', replaced.url)]).toEqual(['gone', 'replaced']);
    expect((await send('POST', '/_atoll/snapshots/kept')).status).toBe(204);
    expect([await read('', gone.url), await read('', replaced.url)]).toEqual(['gone', 'replaced']);
  });

  it('stay in the main world whatever a fork does to them, and those of a fork stay its own', async () => {
    await start(data());
    const { media, url } = await upload('', 'shared');
    await send('POST', '/_atoll/worlds', { name: 'fork', from: 'main' });
    await deleteFile('/~fork', media);
    const own = await upload('/~fork', 'own');
    expect([await read('/~fork', url), await read('/~fork', own.url)]).toEqual([404, 'own']);
    expect([await read('', url), await read('', own.url)]).toEqual(['shared', 404]);
    await send('POST', '/~fork/_atoll/reset');
    expect([await read('/~fork', url), await read('/~fork', own.url)]).toEqual(['shared', 404]);
  });

  it('go through chains: a fork of a fork reads on when the ones between are reset and dropped', async () => {
    await start(data());
    const first = await upload('', 'first');
    await send('POST', '/_atoll/worlds', { name: 'a', from: 'main' });
    const second = await upload('/~a', 'second');
    await send('POST', '/_atoll/worlds', { name: 'b', from: 'a' });
    await deleteFile('/~a', second.media);
    await send('POST', '/~a/_atoll/reset');
    await send('DELETE', '/_atoll/worlds/a');
    await deleteFile('', first.media);
    await send('POST', '/_atoll/reset');
    expect([await read('/~b', first.url), await read('/~b', second.url)]).toEqual(['first', 'second']);
  });
});

describe('a main world on disk', () => {
  it('keeps no bytes longer than the worlds and snapshots that name them', async () => {
    await start(join(directory, 'data'));
    const { media } = await upload('', 'one');
    await upload('', 'two');
    await send('POST', '/_atoll/worlds', { name: 'fork', from: 'main' });
    await send('PUT', '/_atoll/snapshots/kept');
    // A removal waits for the generations of the records too; a reset keeps none of them.
    const stored = await onDisk();
    await deleteFile('', media);
    await send('POST', '/_atoll/reset');
    expect(await onDisk()).toBe(stored);
    await send('DELETE', '/_atoll/worlds/fork');
    expect(await onDisk()).toBe(stored);
    await send('DELETE', '/_atoll/snapshots/kept');
    await send('POST', '/_atoll/reset');
    await send('POST', '/_atoll/reset');
    expect(await onDisk()).toBe(0);
  });

  it('has after a restart what the reset left, whole, and its ids go on from there', async () => {
    await start(join(directory, 'data'));
    await upload('', 'kept');
    await send('PUT', '/_atoll/snapshots/kept');
    const later = await upload('', 'later');
    await send('POST', '/_atoll/snapshots/kept');
    await stop();
    await start(join(directory, 'data'));
    expect([await read('', '/sites/default/files/kept.txt'), await read('', later.url)]).toEqual(['kept', 404]);
    expect((await upload('', 'next')).media).toBe(later.media);
    expect(warnings).toEqual([]);
    await send('POST', '/_atoll/reset');
    await stop();
    await start(join(directory, 'data'));
    expect((await send('GET', '/node/1?_format=json')).status).toBe(404);
    expect([await onDisk(), warnings]).toEqual([0, []]);
  });

  it('leaves no write half in the old and half in the new state: those under way are stored before, or refused with 503', async () => {
    await start(join(directory, 'data'));
    const type = [{ target_id: 'islandora_object' }];
    const node = { type, title: [{ value: 'x' }], field_model: [{ target_id: 24 }] };
    const writes = Array.from({ length: 40 }, () => send('POST', '/node?_format=json', node, admin));
    const reset = send('POST', '/_atoll/reset');
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    expect((await reset).status).toBe(204);
    expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
    // Of those that were acknowledged the earlier ones are gone with the old state, the later ones are in the new one.
    const { total } = await atoll.worlds.main.world.store.list('node', { offset: 0, limit: 99 });
    expect(total).toBeLessThanOrEqual(statuses.filter((status) => status === 201).length);
    const next = await send('POST', '/node?_format=json', node, admin);
    expect(next.headers['location']).toBe(`http://localhost:8000/node/${total + 1}`);
  });
});
