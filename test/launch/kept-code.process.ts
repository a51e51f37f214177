/** A program that is loaded with kept code: in processes of their own, because the code of a test gets none. */
import { execFile } from 'node:child_process';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { bundleModule } from '../../scripts/bundle.mjs';
import { loadWithKeptCode } from '../../src/cli/launch/kept-code.ts';
import { root } from '../support/atoll.ts';

jest.setTimeout(60_000);

const loader = join(root, `coverage/kept-code-${process.pid}.mjs`);
const codeName = `program-${process.version}-${process.arch}.code`;
let folder: string;
let program: string;
let code: string;

beforeAll(() => bundleModule('src/cli/launch/kept-code.ts', loader));
afterAll(() => rm(loader));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-kept-code-'));
  program = join(folder, 'program.cjs');
  code = join(folder, codeName);
  await writeFile(join(folder, 'other.mjs'), 'export const name = "other";\n');
  await writeProgram('first');
});
afterEach(() => rm(folder, { recursive: true }));

const writeProgram = (word: string): Promise<void> =>
  writeFile(
    program,
    `const { basename, join } = require('node:path'); const other = require('node:url').pathToFileURL(join(__dirname, 'other.mjs')).href;
     exports.tell = async () => [${JSON.stringify(word)}, basename(__filename), (await __importModule(other)).name];
     exports.fail = () => { throw new Error('failed'); };\n`,
  );

/** Runs `use` with the exports of the program in a new process, and returns what it resolves with. */
const inProcess = async (use = 'program.tell()', ...options: readonly string[]): Promise<unknown> => {
  const script = `
    import { loadWithKeptCode } from ${JSON.stringify(pathToFileURL(loader).href)};
    const program = loadWithKeptCode(${JSON.stringify(program)});
    console.log(JSON.stringify(await (${use})));`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[...options, '--input-type=module'],
    ...['--eval', script],
  ]);
  return JSON.parse(stdout);
};

const told = (word: string): unknown => [word, 'program.cjs', 'other'];
const written = async (): Promise<number> => (await stat(code)).ino;

it('runs a program as require does, and keeps its code for the next process', async () => {
  expect(await inProcess()).toEqual(told('first'));
  const before = await written();
  expect(await inProcess()).toEqual(told('first'));
  expect(await written()).toBe(before); // the code was of use
  expect((await readdir(folder)).sort()).toEqual(['other.mjs', codeName, 'program.cjs']);
});

const isUsed = async (): Promise<boolean> => {
  const before = await written();
  await inProcess();
  return (await written()) === before;
};

it.each([0o666, 0o664])('does not read code that others may write (%i), and replaces it', async (mode) => {
  await inProcess();
  await chmod(code, mode);
  expect(await isUsed()).toBe(false);
  expect((await stat(code)).mode & 0o777).toBe(0o644);
  expect(await isUsed()).toBe(true);
});

it('does not read code of another user', async () => {
  await inProcess();
  if (process.getuid?.() !== 0) return;
  await chown(code, 12_345, 12_345);
  expect(await isUsed()).toBe(false);
});

it('does not follow a link to code', async () => {
  await inProcess();
  await rename(code, join(folder, 'elsewhere'));
  await symlink(join(folder, 'elsewhere'), code);
  expect(await inProcess()).toEqual(told('first'));
  expect((await lstat(code)).isSymbolicLink()).toBe(false);
});

it('neither reads nor keeps code with ATOLL_KEPT_CODE=off', async () => {
  process.env['ATOLL_KEPT_CODE'] = 'off';
  try {
    expect(await inProcess()).toEqual(told('first'));
  } finally {
    delete process.env['ATOLL_KEPT_CODE'];
  }
  expect(await readdir(folder)).not.toContain(codeName);
});

it('names the right place of an error, with kept code too', async () => {
  const place = `(() => { try { program.fail(); } catch (error) { return error.stack.split('\\n')[1]; } })()`;
  const places = [await inProcess(place), await inProcess(place)];
  expect(places[0]).toMatch(/program\.cjs:3:\d+\)$/);
  expect(places[1]).toBe(places[0]);
});

it('makes the code anew when the program has changed, also one of the same length', async () => {
  await inProcess();
  const before = await written();
  await writeProgram('other');
  expect(await inProcess()).toEqual(told('other'));
  expect(await written()).not.toBe(before);
});

it('leaves code for other settings of V8 alone for a day, and then makes its own', async () => {
  const told = (): Promise<unknown> => inProcess('program.tell()', '--max-lazy');
  await inProcess();
  const before = await written();
  expect(await told()).toEqual(await inProcess());
  expect(await written()).toBe(before);
  const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 60 * 60;
  await utimes(code, twoDaysAgo, twoDaysAgo);
  await told();
  const after = await written();
  expect(after).not.toBe(before);
  await told();
  expect(await written()).toBe(after);
});

it.each(['a byte of it is another', 'it ends early', 'it is empty'])('makes the code anew when %s', async (fault) => {
  await inProcess();
  const whole = await readFile(code);
  const last = whole.length - 1;
  whole[last] = (whole[last] ?? 0) ^ 1;
  const cut = fault === 'it is empty' ? 0 : fault === 'it ends early' ? last - 10 : whole.length;
  await writeFile(code, whole.subarray(0, cut));
  const damaged = await readFile(code);
  expect(await inProcess()).toEqual(told('first'));
  expect((await readFile(code)).equals(damaged)).toBe(false);
  const before = await written();
  expect(await inProcess()).toEqual(told('first'));
  expect(await written()).toBe(before);
});

it('runs where nothing can be written, and leaves nothing behind', async () => {
  await mkdir(join(code, 'taken'), { recursive: true });
  expect(await inProcess()).toEqual(told('first'));
  expect((await readdir(folder)).sort()).toEqual(['other.mjs', codeName, 'program.cjs']);
});

it('requires the program where the global object is another, as here', async () => {
  const { tell } = loadWithKeptCode(program) as { tell: unknown }; // the program above
  expect(tell).toBeInstanceOf(Function);
  expect(await readdir(folder)).not.toContain(codeName);
});
