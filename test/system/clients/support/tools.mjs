/** The tools of this suite, at the versions of its own lock file. Git ignores where they are. */
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './shell.mjs';

export const root = join(import.meta.dirname, '../../../..');
export const work = join(root, 'coverage/clients');

const own = join(import.meta.dirname, '..');
const installed = join(work, 'tools');
const stamp = join(installed, 'installed-lock.json');

let installing;

/** The command of a tool, installed first if it is not there. Throws when it cannot be had: a run without it must not pass. */
export const commandOf = async (name) => {
  installing ??= install();
  await installing;
  return join(installed, 'node_modules/.bin', name);
};

const install = async () => {
  const lock = join(own, 'package-lock.json');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === readFileSync(lock, 'utf8')) return;
  await rm(installed, { recursive: true, force: true });
  await mkdir(installed, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) await cp(join(own, name), join(installed, name));
  const { code, output } = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    folder: installed,
  });
  if (code !== 0) throw new Error(`The tools cannot be installed: ${output}`);
  await cp(lock, stamp);
};
