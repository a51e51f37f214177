/** The bytes of forked worlds and a process that is stopped or killed. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { startProgram, withDirectory } from '../support/program.ts';
import { basic } from '../support/requests.ts';

jest.setTimeout(120_000);

const headers = { ...basic('admin').headers, 'Content-Type': 'text/plain' };
const put = async (url: string, name: string): Promise<number> => {
  const { status } = await fetch(`${url}/node/2/media/file/16`, {
    ...{ method: 'PUT', body: name.repeat(100_000) },
    headers: { ...headers, 'Content-Location': `public://${name}.txt` },
  });
  return status;
};
const forkAndPut = async (url: string): Promise<number> => {
  const body = JSON.stringify({ name: 'a' });
  await fetch(`${url}/_atoll/worlds`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  return put(`${url}/~a`, 'forked');
};

it('bytes of forks are gone after a stop and after kill -9, and those of the main world are there', async () => {
  await withDirectory(async (directory) => {
    const data = join(directory, 'data');
    const first = await startProgram(['--data', data]);
    expect([await put(first.url, 'main'), await forkAndPut(first.url)]).toEqual([201, 201]);
    expect(await readdir(join(data, 'forks'))).toHaveLength(2);
    expect(await first.stop()).toBe(0);
    expect(await readdir(data)).not.toContain('forks');

    const second = await startProgram(['--data', data]);
    expect(await forkAndPut(second.url)).toBe(201);
    const killed = new Promise((resolve) => second.child.once('close', resolve));
    second.child.kill('SIGKILL');
    await killed;
    expect(await readdir(data)).toContain('forks');

    const third = await startProgram(['--data', data]);
    expect(await readdir(data)).not.toContain('forks');
    const read = async (world: string, name: string): Promise<number> =>
      (await fetch(`${third.url}${world}/sites/default/files/${name}.txt`)).status;
    expect([await read('', 'main'), await read('', 'forked'), await read('/~a', 'main')]).toEqual([200, 404, 404]);
    expect(await forkAndPut(third.url)).toBe(201);
    expect(await third.stop()).toBe(0);
  });
});
