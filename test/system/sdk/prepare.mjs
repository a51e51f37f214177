/** What the suite needs before its first row: the tools of its own lock file, the generator's archive, a running Atoll. */
import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { builtProgram } from '../../support/built-program.mjs';
import { commandsOf } from './guide.mjs';
import { run } from './shell.mjs';

const own = import.meta.dirname;

/** Empties the folder but for tools that are the locked ones already, and installs them if they are not. */
export const installTools = async (folder) => {
  await mkdir(folder, { recursive: true });
  const textOf = (file) => readFile(file, 'utf8').catch(() => undefined);
  const lock = await textOf(join(own, 'package-lock.json'));
  const isInstalled = (await textOf(join(folder, 'installed-lock.json'))) === lock;
  const kept = isInstalled ? ['node_modules', 'installed-lock.json'] : [];
  const others = (await readdir(folder)).filter((name) => !kept.includes(name));
  await Promise.all(others.map((name) => rm(join(folder, name), { recursive: true })));
  await Promise.all(['package.json', 'package-lock.json'].map((name) => cp(join(own, name), join(folder, name))));
  if (isInstalled) return;
  await run('npm ci --ignore-scripts --no-audit --no-fund', { folder });
  await cp(join(own, 'package-lock.json'), join(folder, 'installed-lock.json'));
};

/** Fetches the generator that is written in Java, as the guide says. */
export const fetchGenerator = async (folder) => {
  for (const command of commandsOf('openapi-generator')) await run(command, { folder });
};

/** The built program in memory on a port of its own; every answer is held to the document. */
export const startAtoll = async () => {
  const options = ['serve', '--memory', '--port', '0', '--json', '--check-replies', 'fail'];
  const child = spawn(process.execPath, [await builtProgram(), ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = () => child.kill('SIGTERM');
  const line = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (piece) => {
      output += piece;
      if (output.includes('\n')) resolve(output);
    });
    child.on('exit', (code) => reject(new Error(`atoll ended with ${code} before it was ready.`)));
  });
  return { url: JSON.parse(line).url, stop };
};
