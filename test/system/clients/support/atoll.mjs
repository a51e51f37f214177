/** The built program for the tools to ask: in memory, on a port of its own, with the starter fixture. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { bundle } from '../../../../scripts/bundle.mjs';
import { run } from './shell.mjs';
import { root } from './tools.mjs';

const program = join(root, 'coverage/atoll-clients.mjs');
let built;

const build = async () => {
  built ??= bundle(program);
  await built;
  return program;
};

/** Runs `atoll …` to its end. Throws when it does not end with 0. */
export const atoll = async (...given) => {
  const { code, output } = await run(process.execPath, [await build(), ...given], { folder: root });
  if (code !== 0) throw new Error(`atoll ${given.join(' ')} ended with ${code}: ${output}`);
  return output;
};

/**
 * Starts a fresh repository. `stop` ends it and resolves with what it had to complain of: an answer that breaks the
 * contract is a line of its log.
 */
export const startAtoll = async (...given) => {
  const options = ['serve', '--memory', '--port', '0', '--json', '--check-replies', 'log', '--log-level', 'warn'];
  const child = spawn(process.execPath, [await build(), ...options, ...given], { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  child.stderr.on('data', (piece) => (log += piece));
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
  const url = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (piece) => {
      output += piece;
      if (output.includes('\n')) resolve(JSON.parse(output).url);
    });
    void ended.then((code) => reject(new Error(`atoll ended with ${code}: ${log}`)));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    const code = await ended;
    const complaints = log.split('\n').filter((line) => line !== '');
    return [
      ...(code === 0 ? [] : [`the server ended with ${code}`]),
      ...complaints.map((line) => `the server says: ${line}`),
    ];
  };
  return { url, stop };
};
