/** Starts the built program as a server for tools that ask it from outside. */
import { spawn } from 'node:child_process';

/**
 * Starts `program` in memory on a free port, with the options `given`, and resolves with its `url` when it answers. `stop`
 * ends it and resolves with its exit code and the lines of its log that are warnings or worse: an answer that breaks the
 * contract is one of them. Rejects with the log when it ends before it answers.
 */
export const startProgram = async (program, given) => {
  const options = ['serve', '--memory', '--port', '0', '--json', '--check-replies', 'log', '--log-level', 'warn'];
  const child = spawn(process.execPath, [program, ...options, ...given], { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  child.stderr.on('data', (piece) => (log += piece));
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
  const url = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (piece) => {
      output += piece;
      if (output.includes('\n')) resolve(JSON.parse(output).url);
    });
    void ended.then((code) => reject(new Error(`The server ended with ${code}: ${log}`)));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    return { code: await ended, complaints: log.split('\n').filter((line) => line !== '') };
  };
  return { url, stop };
};
