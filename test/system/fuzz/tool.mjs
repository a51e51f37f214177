/** Schemathesis in a Python environment of its own, made once from `requirements.txt`. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');
/** Git ignores it. */
export const work = join(root, 'coverage/fuzz');

const requirements = join(import.meta.dirname, 'requirements.txt');

/** The path of the tool. Throws when it cannot be had: a run without it must not pass for one. */
export const prepareTool = () => {
  const environment = join(work, 'venv');
  const tool = join(environment, 'bin/schemathesis');
  const stamp = join(environment, 'made-from.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return tool;
  rmSync(environment, { recursive: true, force: true });
  run(process.env['PYTHON'] ?? 'python3', '-m', 'venv', environment);
  run(join(environment, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', '--requirement', requirements);
  writeFileSync(stamp, wanted);
  return tool;
};

const run = (command, ...given) => {
  const { error, status } = spawnSync(command, given, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (error === undefined && status === 0) return;
  throw new Error(
    `"${command} ${given.join(' ')}" ${error?.message ?? `ended with ${status}`}. ` +
      'This needs Python 3.11 or newer with venv and pip (Debian: python3-venv), and a package index.',
  );
};
