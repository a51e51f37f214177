/** The fixture and the reporter of `atoll-server/jest`, in a small project that Jest runs below `atoll exec`. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../support/atoll.ts';
import { run, signingKeyFile, withDirectory } from '../support/program.ts';

/** One floor below the package, as `dist` is. */
const entry = join(root, 'coverage/jest-entry.cjs');

beforeAll(async () => {
  await build({
    ...{ entryPoints: [join(root, 'src/cli/testing/jest.ts')], outfile: entry, bundle: true, logLevel: 'error' },
    ...{ platform: 'node', format: 'cjs', target: 'node20', external: ['@aws-sdk/*'] },
    // Jest refuses `import()` in CommonJS.
    ...{ supported: { 'dynamic-import': false }, define: { 'import.meta.url': '__moduleUrl' } },
    banner: { js: "const __moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
}, 60_000);

const suite = (options: string): string => `
const atoll = require(${JSON.stringify(entry)}).useAtoll(${options});
describe('The client', () => {
  test('adds a harbour', async () => {
    const headers = { authorization: 'Bearer ' + (await atoll.world.token('editor')), 'content-type': 'application/json' };
    const body = JSON.stringify({ type: 'islandora_object', title: 'Harbour' });
    const { status } = await fetch(atoll.world.url + '/node', { method: 'POST', headers, body });
    if (process.env.EXPECTED) expect(String(status)).toBe(process.env.EXPECTED);
  });
  test('fails without a request', () => expect(1).toBe(2));
  test('reads', async () => expect((await fetch(atoll.world.url + '/node/1?_format=json')).status).toBe(200));
});
`;

type Results = {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly failureMessages: readonly string[] }[];
  }[];
};

/** Runs the suite with these options of the fixture: what was printed, and the failures of each test. */
const runSuite = (options: string, expected: string) =>
  withDirectory(async (folder) => {
    await writeFile(join(folder, 'client.test.js'), suite(options));
    const config = { rootDir: folder, reporters: [entry, 'default'], transform: {} };
    const results = join(folder, 'results.json');
    const jest = [process.execPath, join(root, 'node_modules/jest/bin/jest.js'), '--json', '--outputFile', results];
    const command = ['env', `EXPECTED=${expected}`, 'NO_COLOR=1', ...jest, '--config', JSON.stringify(config)];
    const reports = ['--report', 'junit', '--report-dir', folder, '--jwt-key', signingKeyFile];
    const { code, error } = await run(['exec', ...reports, '--', ...command]);
    const { testResults } = JSON.parse(await readFile(results, 'utf8')) as Results; // what Jest's --json writes
    const cases = testResults.flatMap(({ assertionResults }) => assertionResults);
    return {
      ...{ code, printed: error, junit: await readFile(join(folder, 'coverage.junit.xml'), 'utf8') },
      failures: new Map(cases.map(({ title, failureMessages }) => [title, failureMessages.join('\n')])),
    };
  });

/** The parts of the text under a test. */
const verdict = [
  'answered: Field values for "title" must use an array structure',
  "must have required property 'field_model'",
  '/requestBody/type: must be array',
  '/requestBody/title: must be array',
  'try: curl -X POST -u editor:editor ',
];

describe('A test that fails', () => {
  it('shows what it asked and how it should have asked, under itself and in its case; others show nothing', async () => {
    const { code, printed, junit, failures } = await runSuite('', '201');
    const own = /● The client › adds a harbour[^]*?(?=● The client › fails)/.exec(printed)?.[0] ?? '';
    const others = /● The client › fails without a request[^]*?Test Suites/.exec(printed)?.[0] ?? '';
    expect(code).toBe(1);
    expect(verdict.filter((text) => !own.includes(text))).toEqual([]);
    expect(verdict.filter((text) => !(failures.get('adds a harbour') ?? '').includes(text))).toEqual([]);
    expect([others.includes('2'), others.includes('Atoll')]).toEqual([true, false]);
    expect(failures.get('reads')).toBe('');
    // The report of `atoll exec` names the test by its world, which is dropped by then.
    expect(junit).toContain('the-client-adds-a-harbour-');
  });

  it('is one whose request broke the contract, where the fixture is asked to see to that', async () => {
    const lenient = await runSuite('', '422');
    expect(lenient.failures.get('adds a harbour')).toBe('');
    const strict = await runSuite("{ failOn: 'violations' }", '422');
    expect(strict.code).toBe(1);
    expect(verdict.filter((text) => !(strict.failures.get('adds a harbour') ?? '').includes(text))).toEqual([]);
    expect(strict.failures.get('reads')).toBe('');
  });
});
