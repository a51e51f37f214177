/** What the file of the program has: the commands, and the libraries for Node. */
import { connectAtoll, startAtoll } from '../entries/atoll.ts';
import { providerTesting } from './provider-testing-module.ts';

export { connectAtoll, providerTesting, startAtoll };

/** Runs the command that the arguments of the process name. */
export const runProgram = async (): Promise<void> => (await import('../entries/main.ts')).runProgram();

/** The exports of that file. */
export type Program = {
  readonly connectAtoll: typeof connectAtoll;
  readonly providerTesting: typeof providerTesting;
  readonly startAtoll: typeof startAtoll;
  readonly runProgram: typeof runProgram;
};
