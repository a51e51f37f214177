/** Worlds of a running program: a reset on disk, how it is started, who may command, and the self-test. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { freePort } from '../support/free-port.ts';
import { runHere } from '../support/command.ts';
import { type RunningProgram, startProgram, withDirectory } from '../support/program.ts';
import { basic, titleBody } from '../support/requests.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

jest.setTimeout(120_000);

let program: RunningProgram;
beforeAll(async () => {
  program = await startProgram(['--memory', '--seed', 'cli']);
});
afterAll(async () => {
  expect(await program.stop()).toBe(0);
});
const rename = (url: string, title: string): Promise<Response> =>
  fetch(`${url}/node/2?_format=json`, {
    method: 'PATCH',
    headers: { ...basic('admin').headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(titleBody(title)),
  });
const title = async (url: string): Promise<string | undefined> => {
  const node = (await (await fetch(`${url}/node/2?_format=json`)).json()) as { title: { value: string }[] }; // a node
  return node.title[0]?.value;
};

describe('atoll snapshot, atoll reset', () => {
  it('a reset of a repository on disk wants --yes, and is there after a restart', () =>
    withDirectory(async (directory) => {
      const data = join(directory, 'data');
      const onDisk = await startProgram(['--data', data]);
      await rename(onDisk.url, 'written');
      const refused = await runHere(['reset', '--url', onDisk.url]);
      expect([refused.code, refused.error]).toEqual([2, expect.stringContaining('Add --yes')]);
      expect(await title(onDisk.url)).toBe('written');
      expect((await runHere(['reset', '--yes', '--url', onDisk.url])).code).toBe(0);
      expect(await onDisk.stop()).toBe(0);
      const again = await startProgram(['--data', data]);
      expect(await title(again.url)).toBe('Quellan Glass Plates');
      expect(await again.stop()).toBe(0);
    }));
});

describe('serve', () => {
  it('--seed gives the same uuids at every start, and is refused without --memory', async () => {
    const again = await startServer({ seed: 'cli' });
    const made = async (url: string): Promise<unknown> => {
      const { port } = new URL(url);
      const { out } = await runHere(['world', 'fork', '--from', 'main', '--url', url, '--json']);
      const fork = (JSON.parse(out) as { url: string }).url; // a world
      const response = await fetch(`${fork}/node?_format=json`, {
        method: 'POST',
        headers: { ...basic('admin').headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...titleBody(port), field_model: [{ target_id: 24 }] }),
      });
      const location = response.headers.get('location') ?? '';
      return ((await (await fetch(`${location}?_format=json`)).json()) as { uuid: unknown }).uuid; // a node
    };
    expect(await made(again.url)).toEqual(await made(program.url));
    await again.stop();
    expect((await runHere(['serve', '--seed', 'x', '--data', '/nonexistent/data'])).code).toBe(2);
  });

  it('--control-token is asked of all, here and at the environment, but for health', async () => {
    const closed = await startProgram(['--memory', '--control-token', 'let-me-in']);
    const status = async (path: string, token?: string): Promise<number> =>
      (await fetch(closed.url + path, { headers: token === undefined ? {} : { 'Atoll-Control': token } })).status;
    expect([await status('/_atoll/health'), await status('/_atoll/worlds'), await status('/_atoll/docs')]).toEqual([
      200, 403, 200,
    ]);
    expect([await status('/_atoll/worlds', 'let-me-out'), await status('/_atoll/worlds', 'let-me-in')]).toEqual([
      403, 200,
    ]);
    expect((await runHere(['world', 'ls', '--url', closed.url])).error).toContain('Atoll-Control');
    expect((await runHere(['world', 'ls', '--url', closed.url, '--control-token', 'let-me-in'])).code).toBe(0);
    expect((await runHere(['ls', '--url', closed.url])).error).toContain('Atoll-Control');
    expect((await runHere(['ls', '--url', closed.url, '--control-token', 'let-me-in'])).code).toBe(0);
    expect(await closed.stop()).toBe(0);
    expect((await runHere(['serve', '--memory', '--control-token', 'short'])).code).toBe(2);
  });

  it('with a base URL of another machine the token is needed in any case, and nobody has one', async () => {
    const port = await freePort();
    const elsewhere = ['--memory', '--demo-accounts', '--base-url', 'https://repository.test'];
    const proxied = await startProgram(elsewhere, port);
    const status = async (path: string): Promise<number> => (await fetch(`http://localhost:${port}${path}`)).status;
    expect([await status('/node/1?_format=json'), await status('/_atoll/health')]).toEqual([200, 200]);
    expect([await status('/_atoll/worlds'), await status('/_atoll/')]).toEqual([403, 403]);
    const warning = 'answers nobody, since https://repository.test is not this machine';
    await until(() => proxied.log().includes(warning), 'the warning');
    expect(await proxied.stop()).toBe(0);
  });
});
