/** The program whose data directory goes away, and `atoll check --repair`. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, startProgram } from '../support/program.ts';

let place: string;
let data: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'atoll-lost-'));
  data = join(place, 'data');
});
afterEach(() => rm(place, { recursive: true, force: true }));

const authorization = `Basic ${Buffer.from('admin:islandora').toString('base64')}`;
const send = async (url: string, method: string, path: string, body?: string | object, type = 'application/json') => {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization,
      ...(body === undefined ? {} : { 'content-type': type }),
      'content-location': 'public://a.txt',
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
};
const createNode = (url: string) =>
  send(url, 'POST', '/node?_format=json', {
    type: [{ target_id: 'islandora_object' }],
    title: [{ value: 'a node' }],
    field_model: [{ target_id: 23 }],
  });
const idOf = ({ text }: { text: string }): number => (JSON.parse(text) as { nid: [{ value: number }] }).nid[0].value;

describe('a server whose directory is removed', () => {
  it('refuses writes with 503, reports it, leaves the next store alone, and ends with 4', async () => {
    const first = await startProgram(['--data', data]);
    expect((await createNode(first.url)).status).toBe(201);
    await rm(data, { recursive: true });
    expect(JSON.parse((await send(first.url, 'GET', '/_atoll/health')).text)).toMatchObject({ status: 'failed' });
    const second = await startProgram(['--data', data]);
    const refused = await createNode(first.url);
    expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('data directory')]);
    const upload = await send(first.url, 'PUT', '/node/1/media/file/16', 'bytes', 'text/plain');
    expect([upload.status, upload.text]).toEqual([503, expect.stringContaining('data directory')]);
    expect((await createNode(second.url)).status).toBe(201);
    const names = (await readdir(data)).sort();
    expect(await first.stop()).toBe(4);
    expect((await readdir(data)).sort()).toEqual(names);
    expect((await createNode(second.url)).status).toBe(201);
    expect(await second.stop()).toBe(0);
    expect(await run(['check', '--data', data])).toMatchObject({ code: 0 });
  }, 60_000);
});

describe('atoll check --repair', () => {
  it('says what is lost, keeps bytes and files, and gives no id twice', async () => {
    const server = await startProgram(['--data', data]);
    await createNode(server.url);
    const upload = await send(server.url, 'PUT', '/node/1/media/file/16', 'bytes', 'text/plain');
    expect(upload.status).toBe(201);
    const last = idOf(await createNode(server.url));
    await server.stop();
    const blobs = async () =>
      (await readdir(join(data, 'blobs'), { recursive: true })).filter((name) => /[0-9a-f]{32}$/.test(name)).sort();
    const before = await blobs();
    const journal = (await readdir(data)).find((name) => name.startsWith('journal-')) ?? '';
    const bytes = await readFile(join(data, journal));
    await truncate(join(data, journal), bytes.indexOf(10) + 1);

    const refused = await run(['check', '--data', data]);
    expect([refused.code, refused.error]).toEqual([
      4,
      expect.stringContaining(`${journal}, at byte ${bytes.indexOf(10) + 1}`),
    ]);
    const repaired = await run(['check', '--data', data, '--repair']);
    expect([repaired.code, repaired.out]).toEqual([0, expect.stringMatching(/lost: .*batches 1 to 3 cannot be read/)]);
    expect(repaired.out).toContain('it stays after the repair');
    expect((await run(['check', '--data', data, '--repair'])).out).toContain('Nothing has to be repaired');

    const again = await startProgram(['--data', data]);
    expect(idOf(await createNode(again.url))).toBe(last + 1);
    await again.stop();
    expect(await blobs()).toEqual(before);
  }, 60_000);
});
