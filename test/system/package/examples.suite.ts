/** The example suites, each with the package as it is packed. Run by `npm run test:suite -- examples`. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import {
  installCopiedExample,
  installExample,
  pack,
  removeFolder,
  run,
  temporaryFolder,
  type Packed,
} from './packed.ts';

/** Whether this Node is one on which `setupServer` of MSW 3 works. */
const canIntercept = 'withResolvers' in Promise;

let folder: string;
/** What a clone has of it: the examples, and the package that `npm pack` makes. */
let clone: string;
let packed: Packed;

beforeAll(async () => {
  folder = await temporaryFolder();
  clone = join(folder, 'clone');
  packed = await pack(folder);
}, 600_000);

afterAll(() => removeFolder(folder));

const places = new Map<string, Promise<string>>();

/** The folder of an example, which is installed once. */
const installed = (name: string): Promise<string> => {
  const known = places.get(name) ?? installExample(name, clone, packed);
  places.set(name, known);
  return known;
};

/** Runs `npm test` as its readers would, and shows what it said. */
const passed = async (name: string): Promise<{ code: number; output: string; place: string }> => {
  const place = await installed(name);
  const { code, output } = await run(place, 'npm', ['test'], {
    PAGE_PORT: String(await freePort()),
    CI: 'true',
    NO_COLOR: '1',
  });
  process.stdout.write(`\n${name}\n${output}\n`);
  return { code, output, place };
};

/** A test whose one request breaks the contract, in the words of each runner. */
const harbour = `{ type: 'islandora_object', title: 'Harbour' }`;
const inWorld = (head: string, world: string): string =>
  `${head}
test('adds a harbour', async (${world === 'world' ? '{ world }' : ''}) => {
  const headers = { authorization: \`Bearer \${await ${world}.token('editor')}\`, 'content-type': 'application/json' };
  const body = JSON.stringify(${harbour});
  expect((await fetch(\`\${${world}.url}/node\`, { method: 'POST', headers, body })).status).toBe(201);
});
test('reads', async (${world === 'world' ? '{ world }' : ''}) => {
  expect((await fetch(\`\${${world}.url}/node/1?_format=json\`)).status).toBe(200);
});
`;

/** What stands under the test in the terminal and in its case. */
const verdict = [
  'What this test asked of Atoll, in the world ',
  'answered: Field values for',
  '/requestBody/type: must be array',
  '/requestBody/title: must be array',
  'must have required property',
  '-u editor:editor ',
];

/** The case of a test in a JUnit report. */
const caseOf = (xml: string, name: string): string =>
  new RegExp(`<testcase [^>]*name="[^"]*${name}"[^]*?(?:/>|</testcase>)`).exec(xml)?.[0] ?? '';

describe('A test with one broken request', () => {
  it.each([
    {
      runner: 'jest',
      file: 'harbour.test.js',
      text: inWorld("const atoll = require('atoll-server/jest').useAtoll();", 'atoll.world'),
      command: ['npx', 'jest', 'harbour'],
      report: 'report/junit.xml',
    },
    {
      runner: 'vitest',
      file: 'src/harbour.test.js',
      text: inWorld(
        "import { atollFixtures } from 'atoll-server/vitest';\nimport { expect, test as base } from 'vitest';\nconst test = base.extend(atollFixtures());",
        'world',
      ),
      command: [
        'npx',
        'vitest',
        'run',
        'harbour',
        '--reporter=default',
        '--reporter=junit',
        '--outputFile.junit=report/junit.xml',
      ],
      report: 'report/junit.xml',
    },
    {
      runner: 'playwright',
      file: 'tests/harbour.spec.js',
      text: inWorld("import { expect, test } from './world.js';", 'world'),
      command: ['npx', 'playwright', 'test', 'harbour'],
      report: 'report/tests.junit.xml',
    },
  ])('shows the verdict under it in the terminal of $runner, and in its JUnit case', async (one) => {
    const place = await installed(one.runner);
    await writeFile(join(place, one.file), one.text);
    const [command = '', ...args] = one.command;
    const environment = { PAGE_PORT: String(await freePort()), CI: 'true', NO_COLOR: '1' };
    const { code, output } = await run(place, command, args, environment);
    const xml = (await readFile(join(place, one.report), 'utf8')).replaceAll(/&(?:apos|#39);/g, "'");
    // The example itself is tried here too.
    await Promise.all([one.file, 'report'].map((name) => rm(join(place, name), { recursive: true })));
    const failed = caseOf(xml, 'adds a harbour');
    expect([code, output]).toEqual([1, expect.stringContaining('adds a harbour')]);
    expect(verdict.filter((text) => !output.includes(text) || !failed.includes(text))).toEqual([]);
    expect(caseOf(xml, 'reads')).not.toContain('Atoll');
  });
});

describe('The example for', () => {
  it('jest and supertest passes under jest as it comes', async () => {
    const { code, output } = await passed('jest');
    expect([code, output]).toEqual([0, expect.stringMatching(/Tests: +6 passed, 6 total/)]);
  });

  it('jest passes in a copy elsewhere, which is told where the package is', async () => {
    const place = join(folder, 'my-tests');
    await installCopiedExample('jest', place, packed);
    const { code, output } = await run(place, 'npm', ['test'], { CI: 'true', NO_COLOR: '1' });
    expect([code, output]).toEqual([0, expect.stringMatching(/Tests: +6 passed, 6 total/)]);
  });

  it('vitest passes, and its types hold', async () => {
    const { code, output } = await passed('vitest');
    expect([code, output]).toEqual([0, expect.stringMatching(/Tests +5 passed/)]);
  });

  it('a provider passes, and leaves its reports', async () => {
    const { code, output, place } = await passed('provider');
    expect([code, output]).toEqual([0, expect.stringMatching(/Everything that was made is removed[^]* 0 failed/)]);
    expect(await readFile(join(place, 'report/contract.junit.xml'), 'utf8')).toContain('<testsuites');
    expect(await readFile(join(place, 'report/contract.html'), 'utf8')).toContain('</html>');
    const workflow = await readFile(join(place, '.github/workflows/contract.yml'), 'utf8');
    const { scripts } = JSON.parse(await readFile(join(place, 'package.json'), 'utf8')) as { scripts: object }; // our own file
    const named = [...workflow.matchAll(/run: npm run (\S+)/g)].map(([, name]) => name);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });

  it('a front end with MSW passes: its page without a mock, its tests, and its stories in Chromium', async () => {
    const place = await installed('front-end-msw');
    const ran = async (...args: string[]): Promise<string> => {
      const { code, output } = await run(place, 'npm', args, { CI: 'true', NO_COLOR: '1' });
      process.stdout.write(`\nfront-end-msw: npm ${args.join(' ')}\n${output}\n`);
      expect([args, code]).toEqual([args, 0]);
      return output;
    };
    await ran('run', 'build');
    const names = await readdir(join(place, 'dist/assets'));
    const page = (await Promise.all(names.map((name) => readFile(join(place, 'dist/assets', name), 'utf8')))).join('');
    expect(page).toContain('https://repository.example.org');
    expect(page).not.toMatch(/mockServiceWorker|Saltmarsh Quay/);
    await ran('run', 'build:stories');
    expect((await ran('run', 'test:stories')).match(/^passed /gm)).toHaveLength(8);
    expect(await ran('test')).toMatch(/Tests +5 passed/);
    if (!canIntercept) return;
    await ran('install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', 'msw@3.0.5');
    expect(await ran('test')).toMatch(/Tests +5 passed/);
  });

  it('a page passes unchanged on a mock that remembers and on a handler, and fails on a mock that forgets', async () => {
    const { code, output, place } = await passed('remembering');
    expect([code, output]).toEqual([0, expect.stringMatching(/Tests +8 passed \(8\)[^]*Tests +10 passed \(10\)/)]);
    const forgetful = await run(place, 'npm', ['run', 'test:stateless'], { CI: 'true', NO_COLOR: '1' });
    expect([forgetful.code, forgetful.output]).toEqual([
      1,
      expect.stringMatching(/expected 7 to be greater than 7[^]*Tests +1 failed/),
    ]);
    expect((await run(place, 'npx', ['vite', 'build'])).code).toBe(0);
  });

  it('Playwright passes with four workers on one server, and leaves its reports', async () => {
    const { code, output, place } = await passed('playwright');
    expect([code, output]).toEqual([0, expect.stringMatching(/using 4 workers[^]*13 passed/)]);
    expect(await readFile(join(place, 'report/coverage.html'), 'utf8')).toContain('</html>');
    expect(await readFile(join(place, 'report/coverage.junit.xml'), 'utf8')).toContain('<testsuites');
    const { answers } = JSON.parse(await readFile(join(place, 'report/coverage.json'), 'utf8')) as {
      answers: { operation: string }[];
    }; // what --report json writes
    expect(answers.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['getNode', 'updateNode', 'login']),
    );
  });
});
