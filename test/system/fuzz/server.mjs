/** The built program for the tool to ask: in memory, strict about bodies, without flood control. */
import { spawn } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { bundle } from '../../../scripts/bundle.mjs';
import { root } from './tool.mjs';

/** Writes the default site with `leniency: none` and `flood: off` below `folder`; returns where. */
export const writeSite = (folder) => {
  const site = join(folder, 'site');
  rmSync(site, { recursive: true, force: true });
  cpSync(join(root, 'data/site'), site, { recursive: true });
  const file = join(site, 'site.yml');
  const document = parseDocument(readFileSync(file, 'utf8'));
  document.set('leniency', 'none');
  document.set('flood', 'off');
  writeFileSync(file, document.toString());
  return site;
};

const program = join(root, 'coverage/atoll-fuzz.mjs');
let built;

/**
 * Starts the program and resolves when it answers. `stop` ends it and resolves with its exit code and the lines of its
 * log that are warnings or worse: an answer that breaks the contract is one of them.
 */
export const serve = async (site) => {
  built ??= bundle(program);
  await built;
  const child = spawn(
    process.execPath,
    [program, 'serve', '--memory', '--site', site, '--port', '0', '--json'].concat([
      '--check-replies',
      'log',
      '--log-level',
      'warn',
    ]),
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
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
