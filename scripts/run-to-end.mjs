/** Runs a program as if it were this one: what it prints, the signals that it gets, and its exit code. */
import { spawn } from 'node:child_process';

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/** Resolves with the exit code, which is 1 when a signal ended the program. */
export const runToEnd = async (command, args, env = process.env) => {
  const child = spawn(command, args, { stdio: 'inherit', env });
  const pass = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, pass);
  try {
    return await new Promise((resolve, reject) => {
      child.on('error', reject).on('exit', (code) => resolve(code ?? 1));
    });
  } finally {
    for (const signal of signals) process.off(signal, pass);
  }
};
