/** The commands of worlds against a running program. */
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

const atoll = (...args: string[]) => runHere([...args, '--url', program.url]);
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

describe('atoll world', () => {
  it('forks, lists and drops', async () => {
    const forked = await atoll('world', 'fork', 'mine', '--ttl', '600', '--caches', 'reference');
    expect(forked).toEqual({ code: 0, out: `${program.url}/~mine\n`, error: '' });
    const read = await fetch(`${program.url}/~mine/node/1?_format=json`);
    expect(read.headers.get('X-Drupal-Cache')).toBe('MISS');
    const asJson = await atoll('world', 'fork', '--from', 'mine', '--json');
    expect(JSON.parse(asJson.out)).toMatchObject({ name: 'w1', url: `${program.url}/~w1`, expires: null });
    const { out } = await atoll('world', 'ls');
    expect(out).toMatch(/^main +\S+\nmine +\S+\/~mine {2}until 2\S+Z\nw1 +\S+\/~w1\n$/);
    const w1 = `${program.url}/~w1`;
    expect((await runHere(['world', 'diff', '--url', w1])).out).toBe('');
    await rename(w1, 'Elsewhere');
    const differing = await runHere(['world', 'diff', '--url', w1]);
    expect(differing.out).toMatch(/^changed {2}node 2 +Elsewhere {2}\(.*title.*\)\n$/);
    const parts = await runHere(['world', 'diff', '--from', 'mine', '--json', '--url', w1]);
    expect(JSON.parse(parts.out)).toMatchObject({ type: 'node', id: 2, change: 'changed' });
    const { code, error } = await runHere(['world', 'diff', '--from', 'nowhere', '--url', w1]);
    expect([code === 0, error]).toEqual([false, expect.stringContaining('There is no world, snapshot or fixture')]);
    expect((await atoll('world', 'drop', 'mine', 'w1')).code).toBe(0);
    expect((await atoll('world', 'ls', '--json')).out.trim().split('\n')).toHaveLength(1);
  });

  it('ends with 2 and the words of the server, or when nobody answers', async () => {
    const refused = await atoll('world', 'drop', 'nobody');
    expect([refused.code, refused.error]).toEqual([2, 'atoll: There is no world "nobody".\n']);
    const alone = await runHere(['world', 'ls', '--url', 'http://localhost:1']);
    expect([alone.code, alone.error]).toEqual([2, expect.stringContaining('Nobody answers at http://localhost:1.')]);
    expect((await atoll('world', 'fork', '--ttl', 'soon')).code).toBe(2);
    expect((await atoll('world', 'fork', '--caches', 'some')).code).toBe(2);
  });
});

describe('atoll snapshot, atoll reset', () => {
  it('keep, list, load, go back and delete, in the world that the URL names', async () => {
    const { out } = await atoll('world', 'fork', 'shots');
    const world = out.trim();
    const there = (...args: string[]) => runHere([...args, '--url', world]);
    const before = await title(world);
    await rename(world, 'kept');
    expect((await there('snapshot', 'save', 'a')).code).toBe(0);
    await rename(world, 'later');
    expect((await there('snapshot', 'ls')).out).toMatch(/^2\S+Z {2}a\n$/);
    expect([(await there('snapshot', 'load', 'a')).code, await title(world)]).toEqual([0, 'kept']);
    expect([(await there('reset')).code, await title(world)]).toEqual([0, before]);
    expect([(await there('reset', '--to', 'a')).code, await title(world)]).toEqual([0, 'kept']);
    expect((await there('snapshot', 'rm', 'a')).code).toBe(0);
    expect((await there('reset', '--to', 'a')).error).toBe('atoll: There is no snapshot "a".\n');
  });

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

describe('atoll clock', () => {
  it('shows, sets and advances', async () => {
    expect((await atoll('clock', 'get')).out).toMatch(/^2\S+Z {2}real\n$/);
    const frozen = await atoll('clock', 'set', '2030-01-02T03:04:05+01:00', '--mode', 'frozen');
    expect(frozen.out).toBe('2030-01-02T02:04:05.000Z  frozen\n');
    expect((await atoll('clock', 'advance', '60')).out).toBe('2030-01-02T02:05:05.000Z  frozen\n');
    expect((await atoll('clock', 'set', '--scale', '60')).out).toMatch(/ {2}scaled ×60\n$/);
    expect((await atoll('clock', 'set', '--mode', 'real')).code).toBe(0);
    for (const wrong of [['set'], ['set', 'soon'], ['advance', '-5'], ['set', '--mode', 'slow']]) {
      expect([wrong, (await atoll('clock', ...wrong)).code]).toEqual([wrong, 2]);
    }
  });
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
