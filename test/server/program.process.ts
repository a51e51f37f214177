/** The built program with proposals: docs/use/mock-first.md as it is printed, handlers that change, TypeScript where Node reads it. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { root } from '../support/atoll.ts';
import { runHere } from '../support/command.ts';
import { run, type RunningProgram, startProgram } from '../support/program.ts';

jest.setTimeout(60_000);

const proposal = join(root, 'test/server/proposal');
let folder: string;
let program: RunningProgram | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-mock-first-'));
});
afterEach(async () => {
  await program?.stop();
  program = undefined;
  await rm(folder, { recursive: true, force: true });
});

const place = (name: string): string => join(folder, name);
const soon = async (isSo: () => Promise<boolean>): Promise<boolean> => {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await isSo()) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
};

/** The blocks of the guide that are marked, by the name behind the mark. */
const blocksOf = (guide: string): Map<string, string> =>
  new Map(
    [...guide.matchAll(/<!-- (\S+) -->\n+```\w+\n([\s\S]*?)```/g)].map(([, name = '', block = '']) => [name, block]),
  );

it('does what the guide says, from the overlay to a mock that remembers, and to the handler', async () => {
  const blocks = blocksOf(await readFile(join(root, 'docs/use/mock-first.md'), 'utf8'));
  expect([...blocks.keys()]).toEqual([
    'annotations.overlay.yaml',
    ...['ask', 'answered'],
    ...['annotations.mjs', 'ask-again', 'answered-again'],
    'broken',
  ]);
  await mkdir(place('handlers'));
  await writeFile(place('annotations.overlay.yaml'), blocks.get('annotations.overlay.yaml') ?? '');
  program = await startProgram([
    '--memory',
    '--overlay',
    place('annotations.overlay.yaml'),
    '--handlers',
    place('handlers'),
  ]);
  const { url } = program;
  const shell = async (name: string): Promise<string> => {
    const script = (blocks.get(name) ?? '').replaceAll('http://localhost:8000', url);
    return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder })).stdout;
  };
  expect(await shell('ask')).toBe(blocks.get('answered'));
  const annotations = `${url}/node/5/annotations`;
  const preferred = await fetch(annotations, { headers: { prefer: 'dynamic=true' } });
  expect([preferred.status, preferred.headers.get('atoll-mocked')]).toEqual([200, 'true']);
  const lastReading = async (): Promise<string> => (await fetch(`${url}/_atoll/reload`)).text();
  const before = await lastReading();
  await writeFile(join(place('handlers'), 'annotations.mjs'), blocks.get('annotations.mjs') ?? '');
  expect(await soon(async () => (await lastReading()) !== before)).toBe(true);
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"text":"Another."}' };
  expect(await shell('ask-again')).toBe(blocks.get('answered-again'));
  const statuses: number[] = [];
  for (let number = 3; number <= 6; number += 1) statuses.push((await fetch(annotations, sent)).status);
  expect(statuses).toEqual([201, 201, 201, 422]);
  expect(await runHere(['reset', '--url', url])).toMatchObject({ code: 0 });
  expect(await (await fetch(`${annotations}/1`)).json()).toEqual({ id: 1, text: 'A fine view.' });
  expect(await (await fetch(annotations)).json()).toEqual({ annotations: [{ id: 1, text: 'A fine view.' }] });
  const broken = JSON.parse(await shell('broken')) as unknown; // compared below
  expect(broken).toMatchObject({
    served: false,
    flaws: [{ file: place('annotations.overlay.yaml'), line: 7, rule: 'path' }],
  });
  // The log comes by another way than the answer.
  const logged = /the last good ones are served: .*annotations\.overlay\.yaml:\d+/;
  expect(await soon(async () => logged.test(program?.log() ?? ''))).toBe(true);
});

it('reads a handler that has changed anew', async () => {
  await cp(join(proposal, 'annotations.overlay.yaml'), place('o.yaml'));
  await cp(join(proposal, 'handlers'), place('handlers'), { recursive: true });
  program = await startProgram(['--memory', '--overlay', place('o.yaml'), '--handlers', place('handlers')]);
  const { url } = program;
  const file = join(place('handlers'), 'annotations.mjs');
  const text = await readFile(file, 'utf8');
  await writeFile(
    file,
    text.replace('body: { annotations } });', "body: { annotations: [{ id: 9, text: 'New.' }] } });"),
  );
  expect(await soon(async () => (await (await fetch(`${url}/node/5/annotations`)).text()).includes('New.'))).toBe(true);
  await writeFile(file, text.replace('export const listAnnotations = async', 'export const listAnnotations = asink'));
  expect(await soon(async () => (await (await fetch(`${url}/_atoll/reload`)).text()).includes('"served":false'))).toBe(
    true,
  );
  const { flaws } = (await (await fetch(`${url}/_atoll/reload`)).json()) as { flaws: { file: string; line: number }[] }; // checked by the engine
  const line = text.split('\n').findIndex((each) => each.startsWith('export const listAnnotations')) + 1;
  expect(flaws).toEqual([expect.objectContaining({ file, line, rule: 'handlers' })]);
  expect(await (await fetch(`${url}/node/5/annotations`)).text()).toContain('New.');
  const told = await runHere(['reload', '--url', url]);
  expect([told.code, told.error]).toEqual([2, expect.stringContaining(`${file}:${line}: cannot be loaded`)]);
  await writeFile(file, text);
  expect(await runHere(['reload', '--url', url])).toEqual({ code: 0, out: '', error: '' });
});

it('goes on when a handler throws after its answer, with one line that names its folder', async () => {
  await cp(join(proposal, 'annotations.overlay.yaml'), place('o.yaml'));
  await mkdir(place('later'));
  await writeFile(
    join(place('later'), 'annotations.mjs'),
    `import { createReadStream } from 'node:fs';
    export const listAnnotations = async () => async () => {
      setTimeout(() => { throw new Error('Too\\nlate.'); }, 1);
      void (async () => { await undefined; throw new TypeError('Nobody awaits this.'); })();
      createReadStream('/nowhere/at/all');
      setTimeout(() => { throw 'a text'; }, 1);
      return { status: 200, mediaType: 'application/json', body: { annotations: [] } };
    };`,
  );
  program = await startProgram(['--memory', '--overlay', place('o.yaml'), '--handlers', place('later')]);
  const { url } = program;
  const answers = async (): Promise<number> => (await fetch(`${url}/node/5/annotations`)).status;
  expect(await answers()).toBe(200);
  const lines = (): string[] => (program?.log() ?? '').split('\n').filter((line) => line.includes(place('later')));
  expect(await soon(async () => lines().length >= 4)).toBe(true);
  const told = lines().join('\n');
  expect(told).toContain(`a handler in ${place('later')} failed after its answer: Too late. (annotations.mjs:3)`);
  expect(told).toContain('Nobody awaits this. (annotations.mjs:4)');
  expect(told).toContain('ENOENT');
  expect(told).toContain('a text');
  expect(await answers()).toBe(200);
  expect(await program.stop()).toBe(0);
  program = undefined;
});

it('takes handlers in TypeScript where Node reads it, and says what to do where it does not', async () => {
  await cp(join(proposal, 'annotations.overlay.yaml'), place('o.yaml'));
  await mkdir(place('h'));
  const text =
    "type Body = { annotations: never[] };\nexport const listAnnotations = async () => async () => ({ status: 200, mediaType: 'application/json', body: { annotations: [] } satisfies Body });\n";
  await writeFile(join(place('h'), 'annotations.ts'), text);
  const args = ['--memory', '--overlay', place('o.yaml'), '--handlers', place('h')];
  const { typescript = false } = process.features as { typescript?: string | false }; // Node 22.10 and later tell it
  if (typescript !== false) {
    program = await startProgram(args);
    expect(await (await fetch(`${program.url}/node/5/annotations`)).json()).toEqual({ annotations: [] });
  } else {
    const { code, error } = await run(['serve', '--port', '0', ...args]);
    expect([code, error]).toEqual([2, expect.stringContaining('Write it in JavaScript, or run Node 22.18 or later.')]);
  }
});
