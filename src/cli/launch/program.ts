/** What the file of the program has: the commands, and the libraries for Node. */
export { connectAtoll, startAtoll } from '../entries/atoll.ts';
export { providerTesting } from './provider-testing-module.ts';

/** Runs the command that the arguments of the process name. */
export const runProgram = async (): Promise<void> => (await import('../entries/main.ts')).runProgram();
