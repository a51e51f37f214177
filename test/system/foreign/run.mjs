/**
 * Serves documents that nobody here wrote, and lets Schemathesis loose on each: `npm run test:suite -- foreign`, or fewer cases with
 * `--short`. A 5xx, an answer against a documented response, an undocumented status that is not marked as one, or a server that does not
 * survive it make it fail. `run.mjs [--short] [--cases n] [--operations n] [--seed n] [document …]`
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { builtProgram } from '../../support/built-program.mjs';
import { startProgram } from '../../support/started-program.mjs';
import { prepareTool } from '../fuzz/tool.mjs';
import { documents, fetchDocument, readRoot, work } from './documents.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    cases: { type: 'string' },
    operations: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
/** At most so many random requests to each operation. */
const cases = Number(values.cases ?? (values.short ? 8 : 100));
/** A run that takes longer hangs. */
const longestMs = (values.short ? 5 : 60) * 60_000;
const names = positionals.length > 0 ? positionals : Object.keys(documents);

/** Everything that is said of answers. Whether a request is refused rightly is said by the tables of `test/openapi`. */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
].join(',');

/** What a command wrote. Not synchronous: the server's log must be read meanwhile. */
const outputOf = (command, given, environment) =>
  new Promise((resolve) => {
    const limits = { maxBuffer: 256 * 1024 * 1024, timeout: longestMs };
    execFile(command, given, { ...limits, env: { ...process.env, ...environment } }, (error, stdout, stderr) => {
      resolve(`${stdout}${stderr}${typeof error?.code === 'number' ? '' : (error?.message ?? '')}`);
    });
  });

const readJson = (file, otherwise) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return otherwise;
    throw error;
  }
};

/** Operations at equal distances, the first by the seed. */
const chosenOf = (operations, most) => {
  if (most === undefined || operations.length <= most) return operations;
  const step = operations.length / most;
  const first = Number(values.seed) % Math.floor(step);
  return Array.from({ length: most }, (_, index) => operations[first + Math.floor(index * step)]);
};

const runTool = async (tool, name, { path, operations, all, basePath, credentials, examples }, url) => {
  const [reportFile, allowedFile, examplesFile] = ['', '-allowed', '-examples'].map((part) =>
    join(work, `${name}${part}.json`),
  );
  writeFileSync(examplesFile, JSON.stringify(examples));
  for (const old of [reportFile, allowedFile]) rmSync(old, { force: true });
  const chosen = operations.length === all ? [] : operations.flatMap(({ id }) => ['--include-operation-id', id]);
  const output = await outputOf(
    tool,
    [
      ...['--config-file', join(import.meta.dirname, 'schemathesis.toml'), 'run', path, '--url', `${url}${basePath}`],
      ...['--checks', checks, '--phases', 'examples,coverage,fuzzing', ...chosen],
      ...['--seed', values.seed, '--max-examples', String(cases), '--no-color'],
      ...['--report', 'json', '--report-json-path', reportFile],
    ],
    {
      ...{ PYTHONPATH: import.meta.dirname, PYTHONDONTWRITEBYTECODE: '1', ATOLL_FOREIGN_DOCUMENT: name },
      ...{ ATOLL_FOREIGN_CREDENTIALS: JSON.stringify(credentials), ATOLL_FOREIGN_ALLOWED: allowedFile },
      ATOLL_FOREIGN_EXAMPLES: examplesFile,
    },
  );
  return { output, report: readJson(reportFile, undefined), allowed: readJson(allowedFile, {}) };
};

/** Everything that must not be, in words; an empty list is success. */
const faultsOf = ({ report }, { operations }, { code, failed, isAlive }) => {
  const ofServer = [
    ...(isAlive ? [] : ['the server no longer answers']),
    ...(code === 0 ? [] : [`the server ended with ${code}`]),
    ...failed.slice(0, 20).map((line) => `the server says: ${line.slice(0, 500)}`),
  ];
  if (report === undefined) return ['Schemathesis wrote no report', ...ofServer];
  const { operations: tested, failures, test_cases: tried, stop_reason: end } = report;
  return [
    ...(end === 'completed' ? [] : [`Schemathesis was stopped: ${end}`]),
    ...failures.map(({ title, count, operations: where }) => `${title}: ${count} (${where.join(', ')})`),
    ...(tried.errored === 0 ? [] : [`${tried.errored} cases could not be run`]),
    ...(tested.tested < operations.length
      ? [`only ${tested.tested} of ${operations.length} operations were tested`]
      : []),
    ...(tried.generated < operations.length ? [`only ${tried.generated} requests were made`] : []),
    ...ofServer,
  ];
};

const summaryOf = ({ report, allowed }, { all }, faults) => {
  if (report === undefined) return 'nothing tested';
  const { operations, test_cases: tried, running_time: time, seed } = report;
  const passed = Object.entries(allowed).map(([reason, count]) => `${count} ${reason}`);
  return [
    `${operations.tested} of ${all} operations, ${tried.generated} cases in ${Math.round(time)} s, seed ${seed}`,
    `${faults.length} findings`,
    `passed over: ${passed.join(', ') || 'nothing'}`,
  ].join('; ');
};

/** The lines of the log that speak of a fault of the server. What it says of the document at the start is none. */
const failuresIn = (lines) => lines.filter((line) => !/^\{/.test(line) || JSON.parse(line).level >= 50);

const testDocument = async (tool, program, name) => {
  const path = fetchDocument(name);
  const read = readRoot(path);
  const most = values.operations ?? (values.short ? documents[name].operations : undefined);
  const asked = {
    ...read,
    path,
    all: read.operations.length,
    operations: chosenOf(read.operations, most && Number(most)),
  };
  const server = await startProgram(program, ['--document', path]);
  const run = await runTool(tool, name, asked, server.url);
  const isAlive = await fetch(`${server.url}/_atoll/traffic`).then(
    ({ ok }) => ok,
    () => false,
  );
  const { code, complaints } = await server.stop();
  const faults = faultsOf(run, asked, { code, failed: failuresIn(complaints), isAlive });
  if (faults.length > 0) process.stdout.write(`${run.output}\n${faults.map((each) => `- ${each}\n`).join('')}`);
  process.stdout.write(`${name}: ${summaryOf(run, asked, faults)}\n`);
  return faults.length === 0;
};

const unknown = names.find((name) => !Object.hasOwn(documents, name));
if (unknown !== undefined) throw new Error(`There is no ${unknown}: ${Object.keys(documents).join(', ')}`);
mkdirSync(work, { recursive: true });
const tool = prepareTool();
const program = await builtProgram();
let isRight = true;
for (const name of names) isRight = (await testDocument(tool, program, name)) && isRight;
process.exitCode = isRight ? 0 : 1;
