/** A command of `atoll` in this process: for tests of what a command does. `program.ts` starts it as a process of its own. */
import { runProgram } from '../cli/program.ts';
import { preparedFile, root } from './atoll.ts';
import type { Ended } from './program.ts';

export type CommandOptions = {
  /** Standard input. */
  readonly input?: string | Uint8Array;
  readonly environment?: NodeJS.ProcessEnv;
};

/** Runs `atoll …` to its end, with its own streams and exit code. It shares the current folder with the tests, so paths are absolute. */
export const runHere = async (args: readonly string[], options: CommandOptions = {}): Promise<Ended> => {
  const { input = '', environment = process.env } = options;
  let out = '';
  let error = '';
  let ended: number | undefined;
  const code = await runProgram(args, {
    root,
    prepared: await preparedFile(),
    print: (text) => (out += `${text}\n`),
    warn: (text) => (error += `${text}\n`),
    writeLog: (text) => (error += text),
    progress: () => undefined,
    // Then `serve` writes its log through `writeLog`, and not past it.
    isTerminal: true,
    input: async function* () {
      yield Buffer.from(input);
    },
    limitHeapGrowth: () => undefined,
    onStop: () => undefined,
    onSignal: () => undefined,
    onStrayError: () => undefined,
    onOutputClosed: () => undefined,
    exit: (chosen) => (ended ??= chosen),
    exitBySignal: () => undefined,
    environment,
  });
  return { code: ended ?? code, out, error };
};
