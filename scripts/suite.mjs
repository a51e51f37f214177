/**
 * Runs a suite that is not part of `npm test`: `npm run test:suite -- browser`. What follows the name goes to the suite, and
 * `--short` chooses its short form. Without a name it lists the suites.
 */
import { runToEnd } from './run-to-end.mjs';

/**
 * The suites: what they test, what they need besides Node, and about how long they take on two quiet cores. A suite without a
 * `script` is one of Jest and described in jest.mjs. `first` is a command that runs before it, `around` one that runs it.
 */
const suites = {
  breaking: { tests: 'the document against that of the last release', takes: '20 s' },
  broker: {
    tests: 'messages over a RabbitMQ, and a service behind it',
    needs: 'RabbitMQ, which it installs on Debian',
    takes: '20 s',
    first: ['bash', 'test/system/broker/install.sh'],
  },
  browser: { tests: 'console, front ends, MSW, service workers', needs: 'Chromium, ffmpeg', takes: '6 min' },
  clients: {
    tests: 'programs of other people: Bruno, newman, Dredd, Schemathesis, Workbench',
    needs: 'Python, an npm registry, PyPI',
    takes: '3 min',
    script: 'test/system/clients/run.mjs',
  },
  crawl: { tests: 'every site, asked by every account', takes: '2 min' },
  databases: { tests: 'SQL in a PostgreSQL inside the process', takes: '30 s' },
  deletion: {
    tests: 'the program without each of the parts that can be deleted',
    takes: '3 min',
    script: 'test/system/deletion/run.mjs',
  },
  examples: { tests: 'the examples, with the package as packed', needs: 'Chromium, an npm registry', takes: '2 min' },
  faults: {
    tests: 'kills, power cuts, full and failing disks',
    needs: 'Linux, root, strace and ext4 tools, which it installs on Debian',
    takes: '40 min',
    short: '6 min',
    first: ['bash', 'test/system/faults/install.sh'],
    script: 'test/system/faults/run.mjs',
  },
  files: { tests: '20,000 damaged and grown files to a running server', takes: '40 min', short: '1 min' },
  foreign: {
    tests: 'documents that nobody here wrote, asked by Schemathesis',
    needs: 'Python, PyPI, an npm registry',
    takes: '10 min',
    short: '90 s',
    script: 'test/system/foreign/run.mjs',
  },
  fuzz: {
    tests: 'Schemathesis on the whole document',
    needs: 'Python, PyPI',
    takes: '45 min',
    short: '4 min',
    script: 'test/system/fuzz/run.mjs',
  },
  harvesters: { tests: 'OAI-PMH as a harvester of others reads it', needs: 'Python, PyPI', takes: '30 s' },
  histories: { tests: 'random histories of terms; a part of `fuzz`', takes: '30 s', short: '20 s' },
  'in-browser': { tests: 'the engine in a service worker', needs: 'Chromium', takes: '2 min', short: '1 min' },
  links: { tests: 'whether parsers of others read the Link headers', needs: 'Python', takes: '10 s' },
  mutants: {
    tests: '150 small changes of the code, which a test must notice',
    takes: '60 min',
    script: 'test/system/mutants/run.mjs',
  },
  nodes: {
    tests: '`npm test` on each supported line of Node; a number and paths choose',
    needs: 'an npm registry',
    takes: '4 min a line',
    script: 'test/system/nodes/run.mjs',
  },
  package: {
    tests: 'the package as packed, installed; the image, the archive',
    needs: 'Linux, root, Chromium',
    takes: '1 min',
  },
  pictures: { tests: 'the tests of the console, which take its pictures', needs: 'Chromium, ffmpeg', takes: '5 min' },
  postgres: {
    tests: 'several processes over PostgreSQL, and its faults',
    needs: 'PostgreSQL, which it installs on Debian',
    takes: '10 min',
    short: '3 min',
    first: ['bash', 'test/system/postgres/install.sh'],
  },
  processes: { tests: 'what starts processes of its own', takes: '2 min' },
  providers: { tests: 'verify, proxy and twin at a server of others', needs: 'Python, PyPI', takes: '1 min' },
  runtimes: {
    tests: 'the engine in Deno, Bun, workerd; it and the client in jsdom and happy-dom',
    needs: 'Chromium, an npm registry',
    takes: '1 min',
  },
  s3: {
    tests: 'bytes in a real object store',
    needs: 'OpenStack Swift, which it installs on Debian',
    takes: '1 min',
    around: ['bash', 'test/system/s3/swift.sh'],
  },
  sdk: {
    tests: 'clients from ten generators',
    needs: 'Java, Maven, Go, Python, their registries',
    takes: '2 min',
    script: 'test/system/sdk/run.mjs',
  },
  'team-document': {
    tests: "a front-end team's document, beside Prism",
    needs: 'an npm registry',
    takes: '30 s',
    script: 'test/system/team-document/run.mjs',
  },
  'uploads:faults': {
    tests: 'uploads that are cut off, that race, that fill the disk',
    needs: 'Linux',
    takes: '5 min',
    short: '1 min',
    script: 'test/system/faults/uploads/run.mjs',
  },
  verify: { tests: '208 planted bugs, which `atoll verify` must find', takes: '6 min', short: '2 min' },
  worlds: { tests: 'two hundred worlds, written at once, each as it was left', takes: '30 s' },
};

const lineOf = ([name, { tests, needs, takes, short }]) =>
  `  ${name.padEnd(16)}${(short === undefined ? takes : `${takes}, --short ${short}`).padEnd(24)}${tests}${needs === undefined ? '' : ` (needs ${needs})`}`;

const list = () => `npm run test:suite -- NAME [--short] […]

${Object.entries(suites).map(lineOf).join('\n')}
`;

/** The commands of a suite, one after another. */
const commandsOf = (name, args, isShort) => {
  const { first, around = [], script } = suites[name];
  const jest = ['scripts/jest.mjs', '--suite', isShort ? `${name}-short` : name];
  const program = script === undefined ? jest : [script, ...(isShort ? ['--short'] : [])];
  return [...(first === undefined ? [] : [first]), [...around, process.execPath, ...program, ...args]];
};

const refuse = (reason) => {
  process.stderr.write(`${reason}\n`);
  return 2;
};

const run = async (name, options) => {
  if (!Object.hasOwn(suites, name)) {
    return refuse(`There is no suite "${name}". There are ${Object.keys(suites).join(', ')}.`);
  }
  const isShort = options.includes('--short');
  if (isShort && suites[name].short === undefined) return refuse(`The suite "${name}" has no short form.`);
  const args = options.filter((option) => option !== '--short');
  for (const [command, ...rest] of commandsOf(name, args, isShort)) {
    const code = await runToEnd(command, rest);
    if (code !== 0) return code;
  }
  return 0;
};

const [name, ...options] = process.argv.slice(2);
if (name === undefined) process.stdout.write(list());
else process.exitCode = await run(name, options);
