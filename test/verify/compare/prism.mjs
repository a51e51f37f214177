/** Prism's proxy in front of a server: which answers it calls violations. Prism is the one of `bench/package.json`. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { root, work } from './bundled-mutants.mjs';

const program = join(work, 'node_modules/@stoplight/prism-cli/dist/index.js');
const lock = 'package-lock.json';

/** Installs what the lock file of `bench` names, once. Throws when that cannot be had. */
export const installPrism = () => {
  const wanted = readFileSync(join(root, 'bench', lock), 'utf8');
  const stamp = join(work, 'installed-lock.json');
  if (existsSync(program) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  for (const name of ['package.json', lock]) cpSync(join(root, 'bench', name), join(work, name));
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--silent'], { cwd: work, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm ci for Prism ended with ${status}.`);
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

/** Starts the proxy and waits until it answers. */
export const startPrism = async (document, upstream) => {
  const port = await freePort();
  const file = join(work, 'openapi.json');
  writeFileSync(file, document);
  const child = spawn(process.execPath, [program, 'proxy', file, upstream, '-p', String(port), '-v', 'error'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (piece) => (log = (log + piece).slice(-2000)));
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; !(await answers(`${url}/node/1?_format=json`)); tries += 1) {
    if (child.exitCode !== null || tries > 600) throw new Error(`Prism did not answer: ${log}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { url, stop: () => child.kill('SIGKILL') };
};

const answers = (url) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

/** What Prism says of an answer: its violations of the document, without those of the request. */
export const violationsOf = ({ headers }) =>
  (headers['sl-violations'] ?? [])
    .flatMap((text) => JSON.parse(text))
    .filter(({ location: [part] }) => part === 'response')
    .map(({ location, code, message }) => `${location.join('.')} ${code}: ${message}`);
