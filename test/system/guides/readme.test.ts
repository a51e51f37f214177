/** Compares README.md and docs/use/commands.md with the program: the commands, the options. `guides.process.ts` runs the README's commands, `readme.process.ts` its snippet. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from '@jest/globals';
import { root } from '../../support/atoll.ts';
import { programFile } from '../../support/program.ts';

const run = promisify(execFile);
let readme: string;
let commandsPage: string;
beforeAll(async () => {
  readme = await readFile(`${root}/README.md`, 'utf8');
  commandsPage = await readFile(`${root}/docs/use/commands.md`, 'utf8');
});

/** The table of the page on commands whose head begins so. */
const tableOf = (head: string): string => {
  const start = commandsPage.indexOf(`| ${head}`);
  return commandsPage.slice(start, commandsPage.indexOf('\n\n', start));
};

it('is at most 150 lines long', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

it('names options of serve that the program has', async () => {
  const named = [...new Set([...tableOf('Option').matchAll(/--[a-z][a-z-]+/g)].map(([option]) => option))];
  const { stdout } = await run(process.execPath, [programFile, 'serve', '--help']);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((option) => !stdout.includes(option))).toEqual([]);
});

it('names every command that the program has, and no other', async () => {
  const tables = ['Command  ', 'Command of a running server'].map(tableOf);
  const cells = tables.flatMap((table) => table.split('\n').slice(2));
  const named = cells.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([a-z-]+)/g)].map(([, name]) => name));
  const { stdout } = await run(process.execPath, [programFile, '--help']);
  const there = [...stdout.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name);
  expect([...new Set(named)].sort()).toEqual(there.filter((name) => name !== 'help').sort());
});
