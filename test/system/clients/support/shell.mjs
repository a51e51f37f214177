/** Runs a program to its end, for a bounded time. */
import { execFile } from 'node:child_process';

/** What no tool may do here: tell a third party that it was run. */
const quiet = { CI: '1', DO_NOT_TRACK: '1', SCARF_ANALYTICS: 'false', npm_config_update_notifier: 'false' };

/** Resolves with the exit code, or the reason why there is none, and everything that was written. */
export const run = (program, given, { folder, environment = {}, seconds = 240 }) =>
  new Promise((resolve) => {
    const env = { ...process.env, ...quiet, ...environment };
    const options = { cwd: folder, env, timeout: seconds * 1000, killSignal: 'SIGKILL', maxBuffer: 256 * 1024 * 1024 };
    execFile(program, given, options, (error, stdout, stderr) => {
      const end = error?.code ?? (error?.killed ? `a kill after ${seconds} seconds` : error?.message);
      resolve({ code: end ?? 0, output: `${stdout}${stderr}` });
    });
  });
