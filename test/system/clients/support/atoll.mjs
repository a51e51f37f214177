/** The built program for the tools to ask: in memory, on a port of its own, with the starter fixture. */
import { join } from 'node:path';
import { bundle } from '../../../../scripts/bundle.mjs';
import { startProgram } from '../../../support/started-program.mjs';
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

/** Starts a fresh repository. `stop` ends it and resolves with what it had to complain of, in words. */
export const startAtoll = async (...given) => {
  const server = await startProgram(await build(), given);
  const stop = async () => {
    const { code, complaints } = await server.stop();
    return [
      ...(code === 0 ? [] : [`the server ended with ${code}`]),
      ...complaints.map((line) => `the server says: ${line}`),
    ];
  };
  return { url: server.url, stop };
};
