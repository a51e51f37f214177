/** What the file of the server's program has: `atoll serve`, and the library. Other commands have files of their own. */
import { connectAtoll, startAtoll } from '../entries/atoll.ts';

export { connectAtoll, startAtoll };

/** Runs `atoll serve` with the arguments of the process. */
export const runServe = async (): Promise<void> => (await import('../entries/main.ts')).runProgram();

/** The exports of that file. */
export type ServerProgram = {
  readonly connectAtoll: typeof connectAtoll;
  readonly startAtoll: typeof startAtoll;
  readonly runServe: typeof runServe;
};
