/**
 * Lets Schemathesis loose on the whole document, as anonymous, editor and admin, and random histories of terms on what they must
 * leave: `npm run test:suite -- fuzz`, or fewer cases with `--short`. A finding, an answer that breaks the contract, a crash of the
 * server or a tool that cannot run make it fail. `run.mjs [--short] [--turn] [--cases n] [--seed n] [identity|histories …]`; with `--turn`
 * a third of them, as the commit decides. What it is told:
 * docs/inside/fuzzing.md.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { rowsOfTurn, turnOf } from '../../../scripts/turn.mjs';
import { serve, writeSite } from './server.mjs';
import { prepareTool, root, work } from './tool.mjs';

/** Each with what it adds to the command line. The token is fetched from the server that is about to be tested. */
const identities = {
  anonymous: async () => [],
  editor: async () => ['--auth', 'editor:editor'],
  admin: async (url) => ['--header', `Authorization: Bearer ${await tokenOf(url, 'admin', 'islandora')}`],
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    turn: { type: 'boolean', default: false },
    cases: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
/** At most so many random requests to each operation, and so many chains of requests. */
const cases = Number(values.cases ?? (values.short ? 20 : 500));
/** A run that takes longer hangs. */
const longestMs = (values.short ? 10 : 60) * 60_000;
const known = [...Object.keys(identities), 'histories'];
const turn = values.turn ? turnOf(3, ['test/system/fuzz']) : 'all';
const names = positionals.length > 0 ? positionals : rowsOfTurn(known, turn, 3);

const tokenOf = async (url, name, password) => {
  const headers = { Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` };
  const answer = await fetch(`${url}/jwt/token`, { headers });
  if (!answer.ok) throw new Error(`There is no token for ${name}: ${answer.status}`);
  return (await answer.json()).token;
};

/** No check is limited without a line that says so. */
const refuseUnexplainedRules = () => {
  const decision = readFileSync(join(root, 'docs/inside/decisions/0019-rules-for-schemathesis.md'), 'utf8');
  const rules = readFileSync(join(import.meta.dirname, 'expected.toml'), 'utf8').matchAll(/^name = "(.+)"$/gm);
  const unexplained = [...rules].map(([, name]) => name).filter((name) => !decision.includes(`\`${name}\``));
  if (unexplained.length > 0) throw new Error(`decisions/0019 does not explain ${unexplained.join(', ')}`);
};

const readJson = (file, otherwise) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return otherwise;
    throw error;
  }
};

/** What a command wrote; its exit code stands in its report. Not synchronous: the server's log must be read meanwhile. */
const outputOf = (command, given, environment) =>
  new Promise((resolve) => {
    const limits = { maxBuffer: 256 * 1024 * 1024, timeout: longestMs };
    execFile(command, given, { ...limits, env: { ...process.env, ...environment } }, (error, stdout, stderr) => {
      const end = error?.killed ? `It was stopped after ${longestMs / 60_000} minutes.` : (error?.message ?? '');
      resolve(`${stdout}${stderr}${typeof error?.code === 'number' ? '' : end}`);
    });
  });

/**
 * The examples delete what they name, and later phases try those ids most: each part has a server of its own. Operations
 * without parameters and body have nothing for the first part.
 */
const parts = [
  { title: 'examples', phases: 'examples', testsEverything: false },
  { title: 'random', phases: 'coverage,fuzzing,stateful', testsEverything: true },
];

/** A wrong password costs the server a twentieth of a second, and most of the requests of anonymous would have one. */
const withoutCredentials = ['--generation-with-security-parameters', 'false'];

/** Runs the tool to its end. Resolves with its output, its report and the counts of expected answers. */
const runTool = async (tool, name, part, server) => {
  const file = join(work, `${name}-${part.title}`);
  const [reportFile, expectedFile] = [`${file}.json`, `${file}-expected.json`];
  for (const old of [reportFile, expectedFile]) rmSync(old, { force: true });
  const output = await outputOf(
    tool,
    [
      ...['--config-file', join(import.meta.dirname, 'schemathesis.toml'), 'run', `${server.url}/openapi.json`],
      ...['--checks', 'all', '--phases', part.phases],
      ...['--seed', values.seed, '--max-examples', String(cases), '--no-color'],
      ...(values.short ? withoutCredentials : []),
      ...['--report', 'json', '--report-json-path', reportFile],
      ...(await identities[name](server.url)),
    ],
    { PYTHONPATH: import.meta.dirname, PYTHONDONTWRITEBYTECODE: '1', ATOLL_FUZZ_EXPECTED: expectedFile },
  );
  writeFileSync(`${file}.txt`, output);
  return { output, report: readJson(reportFile, undefined), expected: readJson(expectedFile, {}) };
};

/** Everything that must not be, in words; an empty list is success. */
const faultsOf = ({ report }, part, { code, complaints }) => {
  const ofServer = [
    ...(code === 0 ? [] : [`the server ended with ${code}`]),
    ...complaints.slice(0, 20).map((line) => `the server says: ${line.slice(0, 500)}`),
  ];
  if (report === undefined) return ['Schemathesis wrote no report', ...ofServer];
  const { operations, failures, test_cases: tried, exit_code: exitCode, stop_reason: end } = report;
  return [
    ...(end === 'completed' ? [] : [`Schemathesis was stopped: ${end}`]),
    ...failures.map(({ title, count, operations: where }) => `${title}: ${count} (${where.join(', ')})`),
    ...(exitCode === 0 || failures.length > 0 ? [] : [`Schemathesis ended with ${exitCode}`]),
    ...(tried.errored === 0 ? [] : [`${tried.errored} cases could not be run`]),
    ...(part.testsEverything && operations.tested < operations.total ? ['not every operation was tested'] : []),
    ...(tried.generated > 0 ? [] : ['nothing was tested']),
    ...ofServer,
  ];
};

const summaryOf = ({ report, expected }, faults) => {
  if (report === undefined) return 'nothing tested';
  const { operations, test_cases: tried, running_time: time, seed } = report;
  const answers = Object.entries(expected).map(([rule, count]) => `${rule} ${count}`);
  return [
    `${operations.tested} of ${operations.total} operations, ${tried.generated} cases in ${Math.round(time)} s, seed ${seed}`,
    `${faults.length} findings`,
    `expected answers: ${answers.join(', ') || 'none'}`,
  ].join('; ');
};

/**
 * Terms with children, media with uses and nodes with references, made, moved and deleted in random order. Schemathesis knows no
 * model of what a sequence leaves; `test/contract/cases/term-histories.test.ts` has one. Whether it was broken.
 */
const runHistories = () => {
  const suite = values.short ? 'histories-short' : 'histories';
  const given = [join(root, 'scripts/jest.mjs'), '--suite', suite, `--seed=${values.seed}`];
  const isBroken = spawnSync(process.execPath, given, { cwd: root, stdio: 'inherit' }).status !== 0;
  process.stdout.write(`histories: ${isBroken ? 'a finding' : '0 findings'}\n`);
  return isBroken;
};

refuseUnexplainedRules();
mkdirSync(work, { recursive: true });
const unknown = names.find((name) => !known.includes(name));
if (unknown !== undefined) throw new Error(`There is no ${unknown}: ${known.join(', ')}`);
let failed = names.includes('histories') && runHistories();
const asked = names.filter((name) => name !== 'histories');
const tool = asked.length > 0 ? prepareTool() : undefined;
const site = writeSite(work);
for (const name of asked) {
  for (const part of parts) {
    const server = await serve(site);
    const run = await runTool(tool, name, part, server);
    const faults = faultsOf(run, part, await server.stop());
    if (faults.length > 0) process.stdout.write(`${run.output}\n${faults.map((each) => `- ${each}\n`).join('')}`);
    process.stdout.write(`${name}, ${part.title}: ${summaryOf(run, faults)}\n`);
    failed ||= faults.length > 0;
  }
}
process.exitCode = failed ? 1 : 0;
