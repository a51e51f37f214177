/**
 * Runs jest with the options of Node that modules need, on every platform: `node scripts/jest.mjs [--suite NAME] […]`. What
 * follows goes to jest. A suite has files of its own, which `npm test` does not run.
 */
import { createRequire } from 'node:module';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inServiceWorker } from '../test/support/in-service-worker/suite.mjs';
import { runToEnd } from './run-to-end.mjs';
import { withSecondTry } from './second-try.mjs';

/** The tests on a real PostgreSQL, with their table of counts. */
const inPostgres = (timeout) => [
  '--reporters=<rootDir>/test/system/postgres/support/table.mjs',
  ...['--testMatch', '<rootDir>/test/system/postgres/*.suite.ts', timeout],
];

/** Whole repositories, and the tests of `npm test` that try more in this suite (`test/support/long-run.ts`). */
const crawls = [
  ...['**/*.crawl.ts', 'drupal/imported-sites.suite.ts', 'coverage/requests.test.ts', 'document/specialise.test.ts'],
  'control/tokens/walk.test.ts',
  ...[
    'prepared-site/compile-validators.test.ts',
    'links/properties.test.ts',
    'engine/reply-cache.test.ts',
    'collections/model.test.ts',
  ],
  ...[
    'engine/far-records.test.ts',
    'client/link.test.ts',
    'client/plain.test.ts',
    'storage/journal/journal-entity-store.test.ts',
  ],
  ...[
    'worlds/differences.test.ts',
    'worlds/moved/moved.test.ts',
    'contract/rules/signposting.test.ts',
    'traffic/correction.test.ts',
  ],
  ...['contract/rules/recorded-samples.test.ts', 'contract/recordings/second-lab.test.ts'],
  ...['living/aliases.test.ts', 'site-diff/compare-fields.test.ts', 'verify/probes.test.ts'],
];

/**
 * What Node itself has a part in: sockets, streams, files, processes, modules, cryptography, compression, `fetch` and the clock.
 * The rooms that only reckon with values, and documents, are the same on every line.
 */
const ofNode = [
  ...['access', 'cli', 'client', 'decoding', 'http', 'launch', 'library', 'proxy', 'server', 'sources', 'storage'],
  ...['system', 'team', 'traffic', 'content/uploads', 'contract/cases'],
];

/** Damaged and grown files to a running server. The short form sends 500 of 20,000. */
const ofFiles = ['--testMatch', '<rootDir>/test/system/files/*.suite.ts', '--testTimeout=7200000'];

/** `verify` and `twin` against the planted bugs. */
const bugs = [
  ...['--testMatch', '<rootDir>/test/verify/mutants.suite.ts', '<rootDir>/test/twin/planted-bugs.test.ts'],
  '--testTimeout=300000',
];

/** Random histories of terms, which are a part of the suite `fuzz`. */
const histories = ['--testMatch', '<rootDir>/test/contract/cases/term-histories.test.ts', '--testTimeout=1800000'];

/** What jest is told for each suite. */
const suites = {
  package: ['--testMatch', '<rootDir>/test/system/package/{installed,image}.suite.ts', '--testTimeout=60000'],
  // One after another: the first packs the package for all.
  examples: [
    ...['--testMatch', '<rootDir>/test/system/package/examples-*.suite.ts', '--runInBand'],
    '--testTimeout=300000',
  ],
  browser: ['--testMatch', '<rootDir>/test/system/browser/*.browser.ts', '--testTimeout=120000'],
  pictures: ['--testMatch', '<rootDir>/test/system/browser/{console-*,demo}.browser.ts', '--testTimeout=180000'],
  'in-browser': inServiceWorker({ isShort: false }),
  'in-browser-short': inServiceWorker({ isShort: true }),
  runtimes: ['--testMatch', '<rootDir>/test/system/runtimes/*.suite.ts', '--testTimeout=240000'],
  s3: ['--testMatch', '<rootDir>/test/system/s3/*.s3.ts', '--testTimeout=60000'],
  broker: ['--testMatch', '<rootDir>/test/system/broker/*.broker.ts', '--testTimeout=60000'],
  postgres: inPostgres('--testTimeout=600000'),
  'postgres-short': inPostgres('--testTimeout=240000'),
  processes: [
    ...['--testMatch', '<rootDir>/test/**/*.process.ts', '<rootDir>/test/storage/blobs/s3-silence.test.ts'],
    '--testTimeout=60000',
  ],
  databases: ['--testMatch', '<rootDir>/test/**/*.database.ts', '--testTimeout=60000'],
  nodes: [
    ...[
      '--testMatch',
      '<rootDir>/test/**/*.process.ts',
      '<rootDir>/test/**/*.database.ts',
      ...ofNode.map((room) => `<rootDir>/test/${room}/**/*.test.ts`),
    ],
    '--testTimeout=60000',
  ],
  files: ofFiles,
  'files-short': ofFiles,
  links: ['--testMatch', '**/test/links/clients.suite.ts'],
  harvesters: ['--testMatch', '<rootDir>/test/living/harvest/*.suite.ts', '--testTimeout=120000'],
  crawl: ['--testMatch', ...crawls.map((file) => `<rootDir>/test/${file}`), '--testTimeout=60000'],
  worlds: ['--testMatch', '<rootDir>/test/system/worlds/*.test.ts', '--testTimeout=300000'],
  breaking: ['--testPathPatterns', 'test/(contract/breaking|document-diff)/'],
  histories,
  'histories-short': histories,
  verify: bugs,
  'verify-short': bugs,
  providers: ['--testMatch', '<rootDir>/test/system/foreign-server/*.suite.ts', '--testTimeout=120000'],
};

const [first, name = '', ...others] = process.argv.slice(2);
const isSuite = first === '--suite';
if (isSuite && !Object.hasOwn(suites, name)) {
  throw new Error(`There is no suite "${name}". There are ${Object.keys(suites).join(', ')}.`);
}
const ofSuite = isSuite ? ['--reporters=default', ...suites[name]] : [];
const chosen = isSuite ? [...ofSuite, ...others] : process.argv.slice(2);

// An environment variable reaches the workers of jest, and programs that tests start.
const needed = '--experimental-vm-modules --no-warnings';
const options = [process.env.NODE_OPTIONS, needed].filter(Boolean).join(' ');
const env = { ...process.env, NODE_OPTIONS: options, ...(isSuite ? { SUITE: name } : {}) };
const jest = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin/jest.js');
// The workers get these options too. With the 16 MB of Node, collecting garbage takes a tenth of the time of a run. Its further
// threads would only take the cores from the other workers.
const heap = ['--max-semi-space-size=64', '--single-threaded-gc'];
// Tests also wait, for sockets and processes: with one worker more than cores, no core does.
const choosesWorkers = chosen.some((option) => /^(?:-i|-w|--runInBand|--maxWorkers)/.test(option));
const workers =
  (isSuite && name !== 'processes') || choosesWorkers ? [] : [`--maxWorkers=${availableParallelism() + 1}`];
// What is tried at random is the same at every run, so that no run fails by chance.
const seed = chosen.some((option) => option.startsWith('--seed')) ? [] : ['--seed=1'];
const runJest = (options, environment = env) =>
  runToEnd(process.execPath, [...heap, jest, ...workers, ...seed, ...options], environment);

/** What waits for processes, browsers, clocks and programs of others. */
const waiting = [
  ...['browser', 'in-browser', 'in-browser-short', 'package', 'examples', 'runtimes', 'processes', 'nodes', 'worlds'],
  ...['s3', 'broker', 'postgres', 'postgres-short', 'providers', 'harvesters', 'files', 'files-short'],
];

/** One run, of all files or of one. */
const runOnce = async (file) => {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-jest-'));
  const report = join(folder, 'failed.json');
  // A file that runs alone is in no shard.
  const asked = file === undefined ? chosen : [...ofSuite, '--runTestsByPath', file];
  try {
    const code = await runJest(['--reporters=<rootDir>/scripts/failed-tests.mjs', ...asked], {
      ...env,
      FAILED_TESTS: report,
      ATOLL_TEST_PACKED: env.ATOLL_TEST_PACKED ?? join(folder, 'packed'),
    });
    const { isComplete, failed } = JSON.parse(await readFile(report, 'utf8').catch(() => '{}'));
    return { code, failed: isComplete ? failed : undefined };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

// Who chooses tests sees for themselves what fails.
const isWhole = isSuite && others.every((option) => option.startsWith('--shard='));
if (isWhole && waiting.includes(name)) {
  const { code, flaky } = await withSecondTry(runOnce);
  if (flaky.length > 0) process.stdout.write(`\n${flaky.join('\n')}\n`);
  process.exitCode = code;
} else {
  process.exitCode = await runJest(chosen);
}
