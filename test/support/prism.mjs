/** Prism, the one of `bench/package.json`: as a mock of a document, or as a proxy in front of a server. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** Git ignores it. */
const work = join(root, 'coverage/prism');
const program = join(work, 'node_modules/@stoplight/prism-cli/dist/index.js');
const lock = 'package-lock.json';

/** Installs what the lock file of `bench` names, once. Throws when that cannot be had. */
export const installPrism = () => {
  mkdirSync(work, { recursive: true });
  const wanted = readFileSync(join(root, 'bench', lock), 'utf8');
  const stamp = join(work, 'installed-lock.json');
  if (existsSync(program) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  for (const name of ['package.json', lock]) cpSync(join(root, 'bench', name), join(work, name));
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--silent'], { cwd: work, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm ci for Prism ended with ${status}.`);
  // Jest takes it for a package of this project.
  rmSync(join(work, 'package.json'));
  writeFileSync(stamp, wanted);
};

export const prismVersion = () =>
  JSON.parse(readFileSync(join(work, 'node_modules/@stoplight/prism-cli/package.json'), 'utf8')).version;

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Starts it with `mock FILE` or `proxy FILE URL`, and waits until it answers. */
export const startPrism = async (...given) => {
  const port = await freePort();
  const child = spawn(process.execPath, [program, ...given, '-p', String(port), '-v', 'error'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (piece) => (log = (log + piece).slice(-2000)));
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; !(await answers(url)); tries += 1) {
    if (child.exitCode !== null || tries > 600) throw new Error(`Prism did not answer: ${log}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { url, stop: () => child.kill('SIGKILL') };
};

const answers = (url) =>
  fetch(url).then(
    () => true,
    () => false,
  );
