/** The executable: runs `atoll serve` from the file that starts quickly, and all other commands from theirs. */
import { boundHeapSoon } from './heap-growth.ts';
import { loadServerProgram } from './kept-code.ts';
import { serverFile } from './server-file.ts';

const isServe = process.argv[2] === 'serve';
if (isServe) boundHeapSoon();

if (isServe && serverFile !== undefined) {
  await loadServerProgram(serverFile).runServe();
} else {
  const { runProgram } = await import('../entries/main.ts');
  await runProgram();
}
