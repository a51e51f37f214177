/** `atoll export` and `atoll import` with a running server, with tar files, and with what an archive of another program has. */
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { connectAtoll, startAtoll } from '../../src/cli/entries/atoll.ts';
import { runHere } from '../support/command.ts';
import { withDirectory } from '../support/program.ts';
import { basic, titleBody } from '../support/requests.ts';
import { startServer, type TestServer } from '../support/server.ts';

jest.setTimeout(120_000);

let program: TestServer;
beforeAll(async () => {
  program = await startServer({ seed: 'cli' });
});
afterAll(async () => {
  await program.stop();
});

const headers = { ...basic('admin').headers, 'Content-Type': 'application/json' };
const rename = (url: string, title: string): Promise<Response> =>
  fetch(`${url}/node/2?_format=json`, { method: 'PATCH', headers, body: JSON.stringify(titleBody(title)) });
const title = async (url: string): Promise<string | undefined> => {
  const node = (await (await fetch(`${url}/node/2?_format=json`)).json()) as { title: { value: string }[] }; // a node
  return node.title[0]?.value;
};
const fork = async (name: string): Promise<string> =>
  (await runHere(['world', 'fork', name, '--url', program.url])).out.trim();

/** The files below a folder with their bytes. */
const filesIn = async (folder: string): Promise<readonly (readonly [string, string])[]> => {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  return Promise.all(names.map(async (name) => [name.slice(folder.length), await readFile(name, 'base64')] as const));
};

describe('atoll export and import with a running server', () => {
  it('moves a repository by a directory or a tar file, from world to world and to a new folder', async () => {
    await withDirectory(async (directory) => {
      const at = (name: string): string => join(directory, name);
      const from = await fork('from');
      await rename(from, 'moved');
      expect(await runHere(['export', at('made'), '--url', from])).toMatchObject({ code: 0, error: '' });
      expect(await runHere(['export', at('made.tar'), '--url', from])).toEqual({
        ...{ code: 0, error: '' },
        out: `Exported ${from} to ${at('made.tar')}.\n`,
      });
      await mkdir(at('unpacked'));
      execFileSync('tar', ['-xf', at('made.tar'), '-C', at('unpacked')]);
      const files = await filesIn(at('made'));
      expect(files.length).toBeGreaterThan(100);
      expect(await filesIn(at('unpacked'))).toEqual(files);
      for (const place of ['made', 'made.tar']) {
        const to = await fork(`to-${place.length}`);
        const { code, out, error } = await runHere(['import', at(place), '--url', to]);
        expect([code, out, error]).toEqual([0, expect.stringMatching(/^Imported \d+ records from \S+ to http/), '']);
        expect(await title(to)).toBe('moved');
      }
      expect(await runHere(['import', at('made.tar'), '--data', at('data')])).toMatchObject({ code: 0, error: '' });
      expect(await runHere(['export', at('again.tar'), '--data', at('data')])).toMatchObject({ code: 0, error: '' });
      expect((await readFile(at('again.tar'))).equals(await readFile(at('made.tar')))).toBe(true);
    });
  });
});

describe('world.exportRepository and world.importRepository', () => {
  it('send and take the archive of a world, in this process and over HTTP', async () => {
    const here = await startAtoll();
    const there = connectAtoll(program.url);
    await rename(program.url, 'from afar');
    const archive = await new Response(await there.exportRepository()).blob();
    const { records } = await here.importRepository(archive);
    expect(records).toBe((await here.worlds())[0]?.records);
    expect(await (await here.fetch('/node/2?_format=json')).json()).toMatchObject({ title: [{ value: 'from afar' }] });
    const back = await new Response(await here.exportRepository()).blob();
    expect(Buffer.from(await back.arrayBuffer()).equals(Buffer.from(await archive.arrayBuffer()))).toBe(true);
    await expect(here.importRepository(new Blob(['nothing']))).rejects.toMatchObject({ status: 422 });
    await here.close();
  });
});
