/** The executable: runs the command of this process, out of the file of the program where there is one. */
import { boundHeapSoon } from './heap-growth.ts';
import { loadProgram } from './kept-code.ts';

/** Written by the build: the program's file, relative to the folder of the bundles. Not there where all is in one file. */
declare const ATOLL_PROGRAM: string | undefined;

const isServe = process.argv[2] === 'serve';
if (isServe) boundHeapSoon();

if (typeof ATOLL_PROGRAM === 'string') {
  await loadProgram(ATOLL_PROGRAM, { keepsCode: isServe }).runProgram();
} else {
  const { runProgram } = await import('../entries/main.ts');
  await runProgram();
}
