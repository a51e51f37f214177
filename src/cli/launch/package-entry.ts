/** The package's entry as it is published: the library of `atoll.ts`, out of the file of the program. */
import { loadProgram } from './kept-code.ts';

/** Written by the build: the name of that file. */
declare const ATOLL_PROGRAM: string;

export const { connectAtoll, startAtoll } = loadProgram(ATOLL_PROGRAM);
