/** What jest is told to run tests with the engine in a service worker, and what of them cannot run there. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../..');

const pages = 'it compares files that only the server has: the API page, the console, the documentation';
const functions = 'it puts functions of its own process into the application or around its world';
const disk = 'it keeps its data on disk';
const worlds = 'it makes and drops worlds beside the HTTP interface';
const unchecked = 'it expects that the engine checks its replies itself; this suite checks them from outside';

/** Test files below `test/` by the beginnings of their paths, and why they are left out. */
const leftOutFiles = {
  'contract/breaking/': 'they compare documents and send nothing',
  'control/api-page': pages,
  'control/own-requests': pages,
  'control/tokens/': functions,
  'control/unexpected-errors': functions,
  'coverage/coverage': functions,
  'engine/mocks': functions,
  'engine/site-caches': worlds,
  'engine/slow-json': functions,
  'http/cors': 'CORS is the work of the listener, which is the server’s own here',
  'http/node-objects': 'it is about objects of Node',
  'links-audit/audit': functions,
  'links/cases': functions,
  'links/properties': functions,
  'pages/values': functions,
  'server/start/console-page': pages,
  'server/start/guides': pages,
  'traffic/correction': unchecked,
  'traffic/stream': functions,
  'traffic/traffic': `${unchecked}; and a document in JSON has no lines of \`openapi.yaml\` that it could name`,
  'worlds/addressing': worlds,
  'worlds/blobs': disk,
  'worlds/control': functions,
  'worlds/differences': worlds,
  'worlds/failing-disk': disk,
  'worlds/repeat': worlds,
  'worlds/world-bytes': disk,
  'worlds/short-fixture': functions,
};

/** Tests of other files, by their full names. */
const leftOutTests = {
  'A store in trouble makes every write a 507 and changes nothing': functions,
  'A store in trouble makes every write a 503 and changes nothing': functions,
  'A store in trouble makes every read and every write a 500 that tells nothing when it breaks': functions,
  'Too many passwords to check make every request that carries one a 503': functions,
  'Aliases and redirects are there after a restart, and go on with their numbers': disk,
  'GET /_atoll/repository answers 200 with the site, the world and the process': 'it expects the version of a test',
};

/** What is left out, and why. */
export const leftOut = { ...leftOutFiles, ...leftOutTests };
export const leftOutTestNames = Object.keys(leftOutTests);

/** The short form: what the real site answered, the order of refusals, the tables but for the longest, and hostile input. */
const shortFiles = [
  ...['expected/default', 'contract/recordings/replay', 'contract/rules/order-of-refusals'],
  ...[
    'contract/rules/every-status',
    'contract/permissions/providers',
    'contract/cases/wire',
    'contract/cases/authentication',
  ],
].map((name) => `${name}.test.ts`);

/** The test files that make a repository, below `test/`. */
const allFiles = () =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.test.ts') && !name.startsWith('browser/'))
    .filter((name) => !Object.keys(leftOutFiles).some((start) => name.startsWith(start)))
    .filter((name) => makesRepository(name))
    .sort();

/** Those of the recorded exchanges and of the expected answers do so in other modules. */
const makesRepository = (name) =>
  /^(contract|expected)\//.test(name) || readFileSync(join(folder, name), 'utf8').includes('createTestAtoll');

/** The arguments of jest. A pattern may follow. */
export const inServiceWorker = ({ isShort }) => [
  `--globalSetup=${join(import.meta.dirname, 'setup.mjs')}`,
  `--reporters=${join(import.meta.dirname, 'report.mjs')}`,
  `--testNamePattern=^(?!(${leftOutTestNames.map(escaped).join('|')})$)`,
  ...['--testMatch', ...(isShort ? shortFiles : allFiles()).map((name) => `<rootDir>/test/${name}`)],
  '--testTimeout=120000',
];

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
