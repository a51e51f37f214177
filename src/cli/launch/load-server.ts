/** Loads the file of the server's program. */
import { fileURLToPath } from 'node:url';
import { loadWithKeptCode } from './kept-code.ts';
import type { ServerProgram } from './server-program.ts';

/** `name` is that of the file in the folder of the bundles. */
export const loadServerProgram = (name: string): ServerProgram =>
  loadWithKeptCode(fileURLToPath(new URL(name, import.meta.url))) as ServerProgram; // the build made it of that module
