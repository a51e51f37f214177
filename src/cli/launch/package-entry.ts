/** The package's entry as it is published: the library of `atoll.ts`, out of the file of the server's program. */
import { loadServerProgram } from './kept-code.ts';
import { serverFile } from './server-file.ts';

export const { connectAtoll, startAtoll } = loadServerProgram(serverFile ?? './server.cjs');
