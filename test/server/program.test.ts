/** A start with proposals that ends with 2. The program with proposals is in `program.process.ts`. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { runHere } from '../support/command.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-mock-first-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const place = (name: string): string => join(folder, name);

it.each([
  [
    'overlay',
    'overlay: 1.0.0\ninfo: { title: T, version: "1" }\nactions:\n  - target: $[\n    update: {}\n',
    /o\.yaml:4: \$\[: .* Correct the JSONPath/,
  ],
  [
    'overlay',
    'overlay: 1.0.0\ninfo: { title: T, version: "1" }\nactions:\n  - target: $.paths\n    update: { "/x/{y": { get: { operationId: getX } } }\n',
    /o\.yaml:5: The braces of "\/x\/\{y" do not match\./,
  ],
  [
    'handlers',
    'export const nope = () => undefined;\n',
    /nope\.mjs: exports "nope", which is not an operation of the document/,
  ],
  ['handlers', 'const a = 1;\nexport const b = (;\n', /nope\.mjs:2: cannot be loaded: Unexpected token/],
])('ends with 2 and file and line for a broken %s', async (kind, text, message) => {
  await mkdir(place('h'));
  const file = kind === 'overlay' ? place('o.yaml') : join(place('h'), 'nope.mjs');
  await writeFile(file, text);
  const { code, error } = await runHere([
    'serve',
    '--memory',
    '--port',
    '0',
    `--${kind}`,
    kind === 'overlay' ? file : place('h'),
  ]);
  expect([code, error]).toEqual([2, expect.stringMatching(message)]);
});

it.each([
  [
    'a FIFO',
    async (file: string) => execFileSync('mkfifo', [file]),
    /a\.mjs: cannot be read: it is a FIFO\. Move it out/,
  ],
  ['a directory', (file: string) => mkdir(file), /a\.mjs: cannot be read: it is a directory\. Move it out/],
])('refuses %s among the handlers, and does not wait for it', async (_kind, make, message) => {
  await make(place('a.mjs'));
  const { code, error } = await runHere(['serve', '--memory', '--port', '0', '--handlers', folder]);
  expect([code, error]).toEqual([2, expect.stringMatching(message)]);
});

it('ends with 2 when the overlay or the folder of handlers is not there', async () => {
  const missing = place('nope');
  for (const option of ['--overlay', '--handlers']) {
    const { code, error } = await runHere(['serve', '--memory', '--port', '0', option, missing]);
    expect([code, error]).toEqual([2, expect.stringContaining(`${missing}: cannot be read: there is no such file.`)]);
  }
});
