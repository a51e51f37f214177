/** Builds the console as the package has it, when its sources are newer than what was built. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../support/atoll.ts';

const sources = ['console/src', 'src/client'];
const built = join(root, 'dist/console/index.html');
const lock = join(root, 'coverage/console-build');
/** A build takes seconds; a lock that is older was left by a run that was ended. */
const longestBuildMs = 60_000;

/** Returns when `dist/console` is as the sources say. Test files run at the same time, so one of them builds. */
export const buildConsole = async (): Promise<void> => {
  while (!(await takeLock())) await new Promise((resolve) => setTimeout(resolve, 100));
  try {
    if (await isOld()) await build();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
};

const build = async (): Promise<void> => {
  const child = spawn(process.execPath, ['scripts/console.mjs'], { cwd: root, stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
  if (code !== 0) throw new Error(`The console cannot be built: the script ended with ${code}.`);
};

const takeLock = async (): Promise<boolean> => {
  try {
    await mkdir(lock);
    return true;
  } catch {
    const taken = await timeOf(lock);
    if (taken !== undefined && Date.now() - taken > longestBuildMs) await rm(lock, { recursive: true, force: true });
    return false;
  }
};

const timeOf = async (path: string): Promise<number | undefined> =>
  existsSync(path) ? (await stat(path)).mtimeMs : undefined;

const isOld = async (): Promise<boolean> => {
  const made = await timeOf(built);
  if (made === undefined) return true;
  for (const folder of sources) {
    for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && (await stat(join(entry.parentPath, entry.name))).mtimeMs > made) return true;
    }
  }
  return false;
};
