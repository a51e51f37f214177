/**
 * A server in another language: openapi-generator makes it of our document (python-fastapi), and `nodes.py` fills it by hand
 * for nodes. Needs Java, Maven (which fetches the generator), and Python with venv. Throws when one of them is missing.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/atoll.ts';
import { freePort } from '../../support/free-port.ts';
import { pythonIn, run } from '../../support/python.ts';
import { send, startServer } from '../../support/server.ts';

const own = import.meta.dirname;
/** Git ignores it. */
const work = join(root, 'coverage/providers');
const requirements = join(own, 'requirements.txt');
const python = join(work, 'venv/bin/python');

/** The version of the generator is that of the guide to SDKs. */
const generator = async (): Promise<string> => {
  const guide = await readFile(join(root, 'docs/use/sdks.md'), 'utf8');
  const [artifact = '', version = ''] = /org\.openapitools:openapi-generator-cli:([\d.]+)/.exec(guide) ?? [];
  const jar = `openapi-generator-cli-${version}.jar`;
  if (!existsSync(join(work, jar))) {
    await run(work, 'mvn', '-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, '-DoutputDirectory=.');
  }
  return jar;
};

/** Makes the server anew of the present document. It generates the operations of nodes alone, which `nodes.py` fills. */
export const generateForeignServer = async (): Promise<void> => {
  await mkdir(work, { recursive: true });
  await rm(join(work, 'server'), { recursive: true, force: true });
  const atoll = await startServer();
  try {
    await writeFile(join(work, 'openapi.json'), (await send(atoll, 'GET', '/openapi-3.0.json')).body);
  } finally {
    await atoll.stop();
  }
  const options = ['-g', 'python-fastapi', '-i', 'openapi.json', '-o', 'server', '--package-name', 'repository'];
  const only = ['--global-property', 'apis=Nodes,models,supportingFiles'];
  await run(work, 'java', '-jar', await generator(), 'generate', ...options, ...only);
  await pythonIn(work, requirements);
};

export type ForeignServer = { readonly url: string; stop(): Promise<void> };

/** Starts what was generated. `change` plants a bug in the text of `nodes.py`; it must change something. */
export const startForeignServer = async (change: (text: string) => string = (text) => text): Promise<ForeignServer> => {
  const port = await freePort();
  // A folder for each server, because each has its own `nodes.py`.
  const folder = join(work, `running-${port}`);
  await cp(join(work, 'server/src'), folder, { recursive: true });
  await cp(join(own, 'serve.py'), join(folder, 'serve.py'));
  await writeFile(join(folder, 'repository/impl/nodes.py'), change(await readFile(join(own, 'nodes.py'), 'utf8')));
  const child = spawn(python, ['serve.py', String(port)], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const url = `http://127.0.0.1:${port}`;
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  try {
    await untilReady(child, url);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const untilReady = async (child: ChildProcess, url: string): Promise<void> => {
  let log = '';
  child.stderr?.on('data', (piece) => (log += String(piece)));
  for (let tries = 0; tries < 600 && child.exitCode === null; tries += 1) {
    const answer = await send({ url }, 'GET', '/node/1?_format=json', { as: null }).catch(() => undefined);
    if (answer !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The foreign server did not answer: ${log.slice(-2000)}`);
};
