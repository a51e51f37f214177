/** The examples, each installed with the package as it is packed, for the files of the suite `examples`. */
import { afterAll, beforeAll, expect } from '@jest/globals';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { installExample, pack, removeFolder, run, temporaryFolder, type Packed } from './packed.ts';

export type Passed = { readonly code: number; readonly output: string; readonly place: string };

export type Examples = {
  /** A folder that is removed at the end of the file. */
  readonly folder: () => string;
  readonly packed: () => Packed;
  /** The folder of an example, which is installed once. */
  readonly installed: (name: string) => Promise<string>;
  /** Runs `npm test` as its readers would, and shows what it said. */
  readonly passed: (name: string) => Promise<Passed>;
};

/** What a test file has: a clone with the examples and the package that `npm pack` makes. */
export const useExamples = (): Examples => {
  let folder: string;
  let packed: Packed;
  const places = new Map<string, Promise<string>>();

  beforeAll(async () => {
    folder = await temporaryFolder();
    packed = await pack(folder);
  }, 600_000);
  afterAll(() => removeFolder(folder));

  const installed = (name: string): Promise<string> => {
    const known = places.get(name) ?? installExample(name, join(folder, 'clone'), packed);
    places.set(name, known);
    return known;
  };
  return {
    folder: () => folder,
    packed: () => packed,
    installed,
    passed: async (name) => {
      const place = await installed(name);
      const { code, output } = await run(place, 'npm', ['test'], await environment());
      process.stdout.write(`\n${name}\n${output}\n`);
      return { code, output, place };
    },
  };
};

const environment = async (): Promise<Readonly<Record<string, string>>> => ({
  PAGE_PORT: String(await freePort()),
  CI: 'true',
  NO_COLOR: '1',
});

/** A test whose one request breaks the contract, in the words of each runner. */
const harbour = `{ type: 'islandora_object', title: 'Harbour' }`;
export const inWorld = (head: string, world: string): string =>
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

/** The lines under the test in the terminal and in its case. */
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

/** A test of a runner, written to a file of its example, and where the runner puts its report. */
export type BrokenTest = {
  readonly runner: string;
  readonly file: string;
  readonly text: string;
  readonly command: readonly string[];
  readonly report: string;
};

/** Expects the verdict under a test with one broken request, in the terminal and in its JUnit case. */
export const expectVerdict = async (place: string, { file, text, command, report }: BrokenTest): Promise<void> => {
  await writeFile(join(place, file), text);
  const [program = '', ...args] = command;
  const { code, output } = await run(place, program, args, await environment());
  const xml = (await readFile(join(place, report), 'utf8')).replaceAll(/&(?:apos|#39);/g, "'");
  // The example itself is tried here too.
  await Promise.all([file, 'report'].map((name) => rm(join(place, name), { recursive: true })));
  const failed = caseOf(xml, 'adds a harbour');
  expect([code, output]).toEqual([1, expect.stringContaining('adds a harbour')]);
  expect(verdict.filter((each) => !output.includes(each) || !failed.includes(each))).toEqual([]);
  expect(caseOf(xml, 'reads')).not.toContain('Atoll');
};
