/** The entry `atoll-server/verify` as it is published: the exports of `provider-testing.ts`, out of the file of the program. */
import { loadProgram } from './kept-code.ts';

/** Written by the build: the name of that file. */
declare const ATOLL_PROGRAM: string;

export const { proxy, TargetError, twin, twinReport, twinReportFormats, verify } = loadProgram(ATOLL_PROGRAM, {
  keepsCode: false,
}).providerTesting();
