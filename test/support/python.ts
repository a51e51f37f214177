/** Makes a Python with packages of its own, in a folder that Git ignores. Needs `python3` with venv, and PyPI. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Runs a program in a folder, and resolves to what it printed; rejects with its last lines when it fails or is not there. */
export const run = (folder: string, file: string, ...args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let [output, printed] = ['', ''];
    child.stdout.on('data', (piece) => (printed += String(piece)));
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += String(piece)));
    const fail = (reason: string): void => {
      reject(new Error(`${file} ${args.join(' ')}: ${reason}\n${output.slice(-2000)}`));
    };
    child.on('error', ({ message }) => fail(message));
    child.on('close', (code) => (code === 0 ? resolve(printed) : fail(`exit code ${code}`)));
  });

/** The program of the virtual environment in the folder, made again when the requirements have changed. */
export const pythonIn = async (folder: string, requirements: string): Promise<string> => {
  const [python, stamp] = [join(folder, 'venv/bin/python'), join(folder, 'venv/made-from.txt')];
  const wanted = await readFile(requirements, 'utf8');
  if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === wanted) return python;
  await mkdir(folder, { recursive: true });
  await rm(join(folder, 'venv'), { recursive: true, force: true });
  await run(folder, process.env['PYTHON'] ?? 'python3', '-m', 'venv', 'venv');
  const quietly = ['--quiet', '--disable-pip-version-check', '--requirement', requirements];
  await run(folder, python, '-m', 'pip', 'install', ...quietly);
  await writeFile(stamp, wanted);
  return python;
};
