/** `npm start`: a signal to npm ends the server, and only a changed source is built again. */
import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { root } from '../../support/atoll.ts';

type Started = { readonly url: string; readonly stop: () => Promise<number | string | null> };

const npmStart = async (): Promise<Started> => {
  const args = ['start', '--silent', '--', '--memory', '--port', '0', '--json', '--log-level', 'error'];
  const child = spawn('npm', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<number | string | null>((resolve) => {
    child.on('exit', (code, signal) => resolve(code ?? signal));
  });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (piece: Buffer) => resolve(piece.toString()));
    void ended.then((how) => reject(new Error(`npm start ended with ${how}`)));
  });
  const { url } = JSON.parse(line) as { url: string }; // what --json prints
  const stop = (): Promise<number | string | null> => {
    child.kill('SIGTERM');
    return ended;
  };
  return { url, stop };
};

/** The program, which is built before anything else. */
const programFile = (): string => {
  const names = readdirSync(join(root, 'dist')).filter((name) => /^program-\w+\.cjs$/.test(name));
  expect(names).toHaveLength(1);
  return join(root, 'dist', ...names);
};

it('passes SIGTERM on to the server, waits for its end, and does not build an unchanged program again', async () => {
  const first = await npmStart();
  expect((await fetch(`${first.url}/node/1?_format=json`)).status).toBe(200);
  expect(await first.stop()).toBe(0);
  await expect(fetch(first.url)).rejects.toThrow('fetch failed');

  const built = statSync(programFile()).mtimeMs;
  const second = await npmStart();
  expect(await second.stop()).toBe(0);
  expect(statSync(programFile()).mtimeMs).toBe(built);
}, 60_000);
