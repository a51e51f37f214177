/** Commands of a row: run in its folder, their output kept for whoever looks for the reason of a red cell. */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

const longest = 240_000;

/** What no command may do here: ask a question, tell a third party that it was run, take another version than the pinned one. */
const quiet = { CI: '1', DO_NOT_TRACK: '1', SCARF_ANALYTICS: 'false', npm_config_update_notifier: 'false' };

/** The Java programs end before it pays to compile their code a second time. */
const short = { JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' };

/**
 * Runs a shell command and resolves with its standard output. Rejects with its last lines when it fails, when it is not
 * there (127) and after four minutes.
 */
export const run = (command, { folder, env = {} }) =>
  new Promise((resolve, reject) => {
    const log = join(folder, 'commands.log');
    appendFileSync(log, `$ ${command}\n`);
    // A group of its own, so that what it started ends with it.
    const child = spawn('bash', ['-c', command], {
      cwd: folder,
      env: { ...process.env, ...quiet, ...short, ...env },
      detached: true,
    });
    let [output, everything] = ['', ''];
    child.stdout.on('data', (piece) => (output += piece));
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (everything += piece));
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), longest);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      appendFileSync(log, everything);
      if (code === 0) resolve(output);
      else
        reject(
          new Error(
            `${command}: ${signal ?? `exit code ${code}`}\n${everything.trim().split('\n').slice(-12).join('\n')}`,
          ),
        );
    });
  });
