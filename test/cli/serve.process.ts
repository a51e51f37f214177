/** The running program: what it prints, what it keeps, and how it ends. */
import { request as httpRequest } from 'node:http';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { pngBytes } from '../support/png.ts';
import { run, startProgram, withDirectory } from '../support/program.ts';
import { basic } from '../support/requests.ts';
import { until } from '../support/until.ts';

jest.setTimeout(30_000);

const admin = { ...basic('admin').headers };
const json = { ...admin, 'Content-Type': 'application/json' };
const node = JSON.stringify({
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'Kept' }],
  field_model: [{ target_id: 24 }],
});

describe('what serve prints', () => {
  it('a table: URL, document, accounts, entry points, a curl that works, data, and at last Ready; --memory writes no file', () =>
    withDirectory(async (directory) => {
      const { code, out } = await run(['serve', '--memory', '--port', '0'], { cwd: directory, until: 'Ready' });
      expect(code).toBe(0);
      const url = /^Atoll\n +(http:\/\/localhost:\d+)$/m.exec(out)?.[1] ?? 'missing';
      expect(out).toContain(`${url}/_atoll/`);
      expect(out).toContain(`${url}/openapi.yaml`);
      expect(out).toContain('admin / islandora, editor / editor, viewer / viewer');
      for (const entry of ['A collection: ', 'An image object: ', 'Its media']) expect(out).toContain(entry);
      expect(out).toContain(`curl -i "${url}/node/1?_format=json"`);
      expect(out).toContain('in memory only');
      expect(out.trimEnd().split('\n').at(-1)).toBe('Ready');
      expect(await readdir(directory)).toEqual([]);
    }));

  it('with --json one line, and logs as JSON lines on standard error', () =>
    withDirectory(async (directory) => {
      const data = join(directory, 'data');
      const { code, out, error } = await run(['serve', '--port', '0', '--data', data, '--fixture', 'empty', '--json'], {
        until: '\n',
      });
      expect(code).toBe(0);
      expect(out.trimEnd().split('\n')).toHaveLength(1);
      expect(JSON.parse(out)).toEqual({ ready: true, url: expect.stringMatching(/^http:\/\/localhost:\d+$/), data });
      for (const line of error.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg');
    }));
});

describe('a data directory', () => {
  it('keeps everything over a restart, and ids go on where they stopped', () =>
    withDirectory(async (directory) => {
      const data = join(directory, 'made', 'here');
      await mkdir(join(directory, 'made'));
      const first = await startProgram(['--data', data]);
      const post = (url: string) => fetch(`${url}/node?_format=json`, { method: 'POST', headers: json, body: node });
      const created = await post(first.url);
      expect([created.status, created.headers.get('location')]).toEqual([201, `${first.url}/node/31`]);
      const dropped = await post(first.url);
      await fetch(`${dropped.headers.get('location') ?? ''}?_format=json`, { method: 'DELETE', headers: admin });
      const upload = await fetch(`${first.url}/node/31/media/image/16`, {
        method: 'PUT',
        headers: { ...admin, 'Content-Type': 'image/png', 'Content-Location': 'public://kept.png' },
        body: new Uint8Array(pngBytes()),
      });
      expect(upload.status).toBe(201);
      const read = async (url: string) =>
        Promise.all<unknown>(
          ['/node/31', '/media/64', '/entity/file/67'].map(async (path) =>
            (await fetch(`${url}${path}?_format=json`, { headers: admin })).json(),
          ),
        );
      const before = await read(first.url);
      const { token } = (await (await fetch(`${first.url}/jwt/token?_format=json`, { headers: admin })).json()) as {
        token: string;
      }; // the document says so
      const { port } = new URL(first.url);
      expect(await first.stop()).toBe(0);

      const second = await startProgram(['--data', data, '--fixture', 'empty'], Number(port));
      expect(await read(second.url)).toEqual(before);
      const content = await fetch(`${second.url}/sites/default/files/kept.png`);
      expect(Buffer.from(await content.arrayBuffer())).toEqual(pngBytes());
      const next = await post(second.url);
      expect(next.headers.get('location')).toBe(`${second.url}/node/33`);
      const bearer = { Authorization: `Bearer ${token}` };
      expect((await fetch(`${second.url}/media/64?_format=json`, { headers: bearer })).status).toBe(200);
      expect(await second.stop()).toBe(0);
      await until(() => second.log().includes('the fixture empty is ignored'), 'the warning');
    }));
});

describe('the end', () => {
  it('SIGTERM while a request is under way: the request is answered, new ones are refused, exit 0', async () => {
    const program = await startProgram(['--memory', '--fixture', 'starter']);
    const { port } = new URL(program.url);
    const bytes = pngBytes(60, 60);
    const sent = httpRequest({
      port,
      host: '127.0.0.1',
      method: 'PUT',
      path: '/node/22/media/image/16',
      headers: {
        ...admin,
        'Content-Type': 'image/png',
        'Content-Location': 'public://slow.png',
        'Content-Length': bytes.length,
        Expect: '100-continue',
      },
    });
    const status = new Promise<number | undefined>((resolve, reject) => {
      sent.on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
    });
    // The server has begun to read the body when it says "continue".
    await new Promise<void>((resolve) => {
      sent.on('continue', () => resolve());
      sent.flushHeaders();
    });
    sent.write(bytes.subarray(0, 20));
    const stopped = program.stop();
    await until(() => program.log().includes('stopping'), 'the server says that it stops');
    // It says so before it closes its port.
    const isRefused = (): Promise<boolean> =>
      fetch(`${program.url}/node/1?_format=json`).then(
        () => false,
        () => true,
      );
    await until(isRefused, 'new requests are refused');
    sent.end(bytes.subarray(20));
    expect(await status).toBe(201);
    expect(await stopped).toBe(0);
  });
});
