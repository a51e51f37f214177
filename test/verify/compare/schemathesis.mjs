/** Schemathesis against a server: which failures it reports for some operations. It is set up as for `npm run test:suite -- fuzz`. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepareTool } from '../../system/fuzz/tool.mjs';
import { root, work } from './bundled-mutants.mjs';

const fuzz = join(root, 'test/system/fuzz');

export const installSchemathesis = () => prepareTool();

export const schemathesisVersion = (tool) =>
  spawnSync(tool, ['--version'], { encoding: 'utf8' }).stdout.replace(/[^\d.]/g, '');

const passwords = { admin: 'islandora' };
const credentials = (account) =>
  account === undefined ? [] : ['--auth', `${account}:${passwords[account] ?? account}`];

/**
 * The kinds of failures, each with its operations. `seconds` is the time for all phases. Rejects when the tool wrote no
 * report.
 */
export const failuresOf = async (tool, { url, operations, account, seconds, worker }) => {
  const reportFile = join(work, `schemathesis-${process.pid}-${worker}.json`);
  rmSync(reportFile, { force: true });
  const args = [
    ...['--config-file', join(fuzz, 'schemathesis.toml'), 'run', `${url}/openapi.json`, '--no-color'],
    ...['--checks', 'all', '--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', '20', '--seed', '1'],
    ...['--max-time', String(seconds), '--report', 'json', '--report-json-path', reportFile],
    ...operations.flatMap((id) => ['--include-operation-id', id]),
    ...credentials(account),
  ];
  const env = {
    PYTHONPATH: fuzz,
    PYTHONDONTWRITEBYTECODE: '1',
    ATOLL_FUZZ_EXPECTED: join(work, `expected-${worker}.json`),
  };
  const output = await outputOf(tool, args, env);
  try {
    const { failures } = JSON.parse(readFileSync(reportFile, 'utf8'));
    return failures.map(({ title, operations: where }) => `${title} (${where.join(', ')})`);
  } catch {
    throw new Error(`Schemathesis wrote no report: ${output.slice(-1000)}`);
  } finally {
    rmSync(reportFile, { force: true });
  }
};

/** Not synchronous: the servers are in this process. */
const outputOf = (tool, args, env) =>
  new Promise((resolve) => {
    const options = { cwd: work, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024, timeout: 120_000 };
    execFile(tool, args, options, (_error, out, errors) => resolve(out + errors));
  });
