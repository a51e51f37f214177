/** `atoll import` and `atoll export` with what they refuse, and a repository on disk that is replaced. */

import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { runHere } from '../support/command.ts';
import { type RunningProgram, startProgram, withDirectory } from '../support/program.ts';
import { basic, titleBody } from '../support/requests.ts';

jest.setTimeout(120_000);

let program: RunningProgram;
beforeAll(async () => {
  program = await startProgram(['--memory', '--seed', 'cli']);
});
afterAll(async () => {
  expect(await program.stop()).toBe(0);
});

const headers = { ...basic('admin').headers, 'Content-Type': 'application/json' };
const rename = (url: string, title: string): Promise<Response> =>
  fetch(`${url}/node/2?_format=json`, { method: 'PATCH', headers, body: JSON.stringify(titleBody(title)) });
const title = async (url: string): Promise<string | undefined> => {
  const node = (await (await fetch(`${url}/node/2?_format=json`)).json()) as { title: { value: string }[] }; // a node
  return node.title[0]?.value;
};

describe('atoll export and import with a running server', () => {
  it('says what is refused, and does not replace what is on disk without --yes', async () => {
    await withDirectory(async (directory) => {
      const place = join(directory, 'broken.tar');
      await writeFile(place, 'no archive');
      const refused = await runHere(['import', place, '--url', program.url]);
      expect([refused.code, refused.error]).toEqual([2, 'atoll: The archive ends too early. Export it again.\n']);
      expect((await runHere(['import', place, '--data', join(directory, 'new')])).code).toBe(2);
      const two = await runHere(['export', place, '--url', program.url, '--data', directory]);
      expect([two.code, two.error]).toEqual([2, expect.stringContaining('Name one repository')]);
      expect((await runHere(['export', '--url', program.url])).error).toContain('Name one target');
      expect((await runHere(['import', '--url', program.url])).error).toContain('Name one source');
      const nobody = await runHere(['export', place, '--url', 'http://localhost:1']);
      expect([nobody.code, nobody.error]).toEqual([2, expect.stringContaining('Nobody answers')]);
      const kept = await startProgram(['--data', join(directory, 'kept')]);
      await rename(kept.url, 'kept');
      const archive = join(directory, 'kept.tar');
      expect((await runHere(['export', archive, '--url', kept.url])).code).toBe(0);
      await rename(kept.url, 'later');
      const unsure = await runHere(['import', archive, '--url', kept.url]);
      expect([unsure.code, unsure.error]).toEqual([2, expect.stringContaining('Add --yes')]);
      expect(await title(kept.url)).toBe('later');
      expect((await runHere(['import', archive, '--url', kept.url, '--yes'])).code).toBe(0);
      expect(await title(kept.url)).toBe('kept');
      expect(await readdir(join(directory, 'kept', 'importing'))).toEqual([]);
      expect(await kept.stop()).toBe(0);
      const again = await startProgram(['--data', join(directory, 'kept')]);
      expect(await title(again.url)).toBe('kept');
      expect(await again.stop()).toBe(0);
    });
  });
});
