/** `atoll traffic` as a process: whose reader has gone, and which follows a server to its end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type RunningProgram, startProgram } from '../support/program.ts';

jest.setTimeout(60_000);

let program: RunningProgram;
beforeAll(async () => {
  program = await startProgram(['--memory']);
});
afterAll(async () => {
  await program.stop();
});

/** A command whose reader has gone at once, as `| head -0` does. */
const unread = (...args: string[]): Promise<{ code: number | null; error: string }> => {
  const child = spawn(process.execPath, [program.file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let error = '';
  child.stderr.on('data', (piece: Buffer) => (error += piece.toString()));
  const ended = once(child, 'close') as Promise<[code: number | null]>;
  return ended.then(([code]) => ({ code, error }));
};

describe('A command that is not read to its end', () => {
  it('ends with its own code and says nothing', async () => {
    await fetch(`${program.url}/node/996?_format=json`);
    expect(await unread('traffic', '--url', program.url)).toEqual({ code: 0, error: '' });
  });

  it('does not go on following', async () => {
    const asking = setInterval(() => void fetch(`${program.url}/node/996?_format=json`), 50);
    try {
      expect(await unread('traffic', '--follow', '--url', program.url)).toEqual({ code: 0, error: '' });
    } finally {
      clearInterval(asking);
    }
  });
});

it('follows the traffic until the server ends', async () => {
  const other = await startProgram(['--memory']);
  const child = spawn(process.execPath, [other.file, 'traffic', '--follow', '--json', '--url', other.url]);
  let out = '';
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
  const ended = once(child, 'exit');
  for (let tries = 0; tries < 200 && !out.includes('\n'); tries += 1) {
    await fetch(`${other.url}/node/1?_format=json`);
    await wait(50);
  }
  expect(JSON.parse(out.split('\n', 1)[0] ?? '')).toMatchObject({ operation: 'getNode', status: 200 });
  const began = performance.now();
  expect(await other.stop()).toBe(0);
  // An open stream holds nobody up.
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(await ended).toEqual([0, null]);
});
