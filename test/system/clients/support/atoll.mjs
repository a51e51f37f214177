/** The built program for the tools to ask: in memory, on a port of its own, with the starter fixture. */
import { builtProgram } from '../../../support/built-program.mjs';
import { startProgram } from '../../../support/started-program.mjs';
import { run } from './shell.mjs';
import { root } from './tools.mjs';

/** Runs `atoll …` to its end. Throws when it does not end with 0. */
export const atoll = async (...given) => {
  const { code, output } = await run(process.execPath, [await builtProgram(), ...given], { folder: root });
  if (code !== 0) throw new Error(`atoll ${given.join(' ')} ended with ${code}: ${output}`);
  return output;
};

/** Starts a fresh repository. `stop` ends it and resolves with what it had to complain of, in words. */
export const startAtoll = async (...given) => {
  const server = await startProgram(await builtProgram(), given);
  const stop = async () => {
    const { code, complaints } = await server.stop();
    return [
      ...(code === 0 ? [] : [`the server ended with ${code}`]),
      ...complaints.map((line) => `the server says: ${line}`),
    ];
  };
  return { url: server.url, stop };
};
