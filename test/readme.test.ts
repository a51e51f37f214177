/** Runs the walk of the README as it is printed, against the built program. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { root } from './support/atoll.ts';
import { startProgram, type RunningProgram } from './support/program.ts';

const run = promisify(execFile);
let program: RunningProgram;

beforeAll(async () => {
  program = await startProgram(['--memory']);
}, 30_000);

afterAll(async () => {
  await program.stop();
});

/** The blocks marked with `<!-- walk -->`, as one script: later blocks use the variables of earlier ones. */
const walkOf = (readme: string): string[] =>
  [...readme.matchAll(/<!-- walk -->\n+```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);

it('runs every command of the README walk, with the answers it speaks of', async () => {
  const blocks = walkOf(await readFile(`${root}/README.md`, 'utf8'));
  expect(blocks).toHaveLength(8);
  const script = blocks.map((block, index) => `echo; echo "== ${index + 1}"\n${block}`).join('\n');
  const { stdout } = await run(
    'bash',
    ['-euo', 'pipefail', '-c', script.replaceAll('http://localhost:8000', program.url)],
    {
      cwd: root,
    },
  );
  const parts = stdout.split(/^== \d+$/m).slice(1);
  expect(parts[0]?.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
  expect(parts[0]).toContain('rel="related"; title="Original File"');
  expect(parts[0]).toContain('{"@graph":[');
  expect(parts[1]).toMatch(/^\s*http:\/\/localhost:\d+\/node\/\d+\s*$/);
  expect(parts[2]).toContain('"field_member_of":[{"target_id":1,"target_type":"node"');
  expect(parts[3]).toMatch(/^\s*http:\/\/localhost:\d+\/media\/\d+\s*$/);
  expect(parts[4]?.trim()).toBe('the same bytes');
  expect(parts[5]?.trim()).toBe('200');
  expect(parts[6]).toMatch(
    /No authentication credentials provided[\s\S]*401[\s\S]*permission is required[\s\S]*403[\s\S]*title: This value should not be null[\s\S]*422/,
  );
  expect(parts[7]).toMatch(/^\s*204[\s\S]*was not converted for the path[\s\S]*404\s*$/);
}, 30_000);

it('names options of serve that the program has', async () => {
  const readme = await readFile(`${root}/README.md`, 'utf8');
  const table = readme.slice(readme.indexOf('| Option of `serve`'), readme.indexOf('Exit codes:'));
  const named = [...new Set([...table.matchAll(/--[a-z][a-z-]+/g)].map(([option]) => option))];
  const { stdout } = await run(process.execPath, [program.file, 'serve', '--help']);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((option) => !stdout.includes(option))).toEqual([]);
});
