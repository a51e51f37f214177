/** A server with `--watch` answers what the files say now, whatever has happened to them. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type RunningProgram, startProgram } from '../../support/program.ts';
import { until } from '../../support/until.ts';

const answering = (name: string): string =>
  `openapi: 3.1.0\npaths: { /x: { get: { responses: { "200": { description: ok, content: { application/json: { example: ${name} } } } } } } }\n`;
const referring = (file: string): string =>
  `openapi: 3.1.0\npaths: { /x: { get: { responses: { "200": { description: ok, content: { application/json: { schema: { $ref: ${file} } } } } } } } }\n`;
const schema = (name: string): string => `type: string\nexample: ${name}\n`;

let folder: string;
let server: RunningProgram;

const place = (name: string): string => join(folder, 'api', name);
const write = async (name: string, text: string): Promise<void> => {
  await mkdir(dirname(place(name)), { recursive: true });
  await writeFile(place(name), text);
};
/** A text, as JSON or as it is. */
const answer = async (): Promise<string> => (await (await fetch(`${server.url}/x`)).text()).replaceAll('"', '');
const answered = (name: string): Promise<void> =>
  until(async () => (await answer()) === name, `${name} is answered`, 10_000);
const lastReload = async () =>
  (await (await fetch(`${server.url}/_atoll/reload`)).json()) as {
    served: boolean;
    flaws: { file: string; message: string }[];
  };
const refused = (message: RegExp): Promise<void> =>
  until(
    async () => {
      const { served, flaws } = await lastReload();
      return !served && flaws.some((flaw) => message.test(flaw.message));
    },
    `${String(message)} is said`,
    10_000,
  );
const begin = async (...more: string[]): Promise<void> => {
  server = await startProgram(['--document', place('api.yaml'), '--memory', '--watch', ...more]);
};
const git = (...args: string[]): void => {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    cwd: place(''),
    stdio: 'pipe',
  });
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-watch-'));
});
afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('A document of one file', () => {
  beforeEach(async () => {
    await write('api.yaml', answering('one'));
    await begin();
    expect(await answer()).toBe('one');
  });

  it('is followed through removal and replacement, again and again', async () => {
    for (const name of ['two', 'three', 'four']) {
      await write('new.yaml', answering(name));
      await rm(place('api.yaml'));
      await rename(place('new.yaml'), place('api.yaml'));
      await answered(name);
    }
    await write('api.yaml', answering('five'));
    await answered('five');
  });

  it('stays as it was while its file is away, which is said', async () => {
    await rm(place('api.yaml'));
    await refused(/there is no such file/);
    expect(await answer()).toBe('one');
    expect(server.log()).toContain('the last good ones are served');
    await write('api.yaml', answering('two'));
    await answered('two');
    expect((await lastReload()).served).toBe(true);
  });

  it('is followed through an editor that renames', async () => {
    for (const name of ['two', 'three']) {
      await rename(place('api.yaml'), place('api.yaml~'));
      await write('.api.yaml.tmp', answering(name));
      await rename(place('.api.yaml.tmp'), place('api.yaml'));
      await answered(name);
    }
  });

  it('is followed through a file with an older time', async () => {
    await write('old.yaml', answering('two'));
    execFileSync('touch', ['-d', '2020-01-01', place('old.yaml')]);
    await rename(place('old.yaml'), place('api.yaml'));
    await answered('two');
  });

  it('stays as it was while its text is broken, with file and line', async () => {
    await write('api.yaml', `${answering('two')}components: {`);
    await refused(/is not valid YAML/);
    expect(await answer()).toBe('one');
    await write('api.yaml', answering('three'));
    await answered('three');
  });

  it('is followed where its folder is replaced', async () => {
    await mkdir(join(folder, 'next'));
    await writeFile(join(folder, 'next/api.yaml'), answering('two'));
    await rm(place(''), { recursive: true });
    await rename(join(folder, 'next'), join(folder, 'api'));
    await answered('two');
    await write('api.yaml', answering('three'));
    await answered('three');
  });
});

describe('A document of several files', () => {
  it('is followed through a checkout of another branch and back', async () => {
    await write('api.yaml', referring('parts/name.yaml'));
    await write('parts/name.yaml', schema('one'));
    git('init', '-q', '-b', 'first');
    git('add', '.');
    git('commit', '-qm', 'one');
    git('checkout', '-qb', 'second');
    git('rm', '-q', '-r', 'parts');
    await write('api.yaml', referring('other/name.yaml'));
    await write('other/name.yaml', schema('two'));
    git('add', '.');
    git('commit', '-qm', 'two');
    git('checkout', '-q', 'first');
    await begin();
    expect(await answer()).toBe('one');
    for (const [branch, name] of [
      ['second', 'two'],
      ['first', 'one'],
      ['second', 'two'],
    ] as const) {
      git('checkout', '-q', branch);
      await answered(name);
    }
    await write('other/name.yaml', schema('three'));
    await answered('three');
    git('stash', '-q');
    await answered('two');
  });

  it('is served when the file of a reference appears', async () => {
    await write('api.yaml', answering('one'));
    await begin();
    await write('api.yaml', referring('later/name.yaml'));
    await refused(/there is no such file/);
    expect(await answer()).toBe('one');
    await write('later/name.yaml', schema('two'));
    await answered('two');
    await rm(place('later'), { recursive: true });
    await refused(/there is no such file/);
    expect(await answer()).toBe('two');
    await write('later/name.yaml', schema('three'));
    await answered('three');
  });

  it('is followed through a symbolic link that leads elsewhere', async () => {
    await write('api.yaml', referring('now/name.yaml'));
    await write('v1/name.yaml', schema('one'));
    await write('v2/name.yaml', schema('two'));
    await symlink('v1', place('now'));
    await begin();
    expect(await answer()).toBe('one');
    await symlink('v2', place('next'));
    await rename(place('next'), place('now'));
    await answered('two');
  });
});

it('An overlay and a folder of handlers are followed, too', async () => {
  const overlay = (name: string): string =>
    `overlay: 1.0.0\ninfo: { title: t, version: '1' }\nactions:\n  - target: $.paths\n    update:\n      /x: { get: { operationId: getX, responses: { '200': { description: ok, content: { application/json: { example: ${name} } } } } } }\n`;
  await write('overlay.yaml', overlay('one'));
  await mkdir(place('handlers'));
  server = await startProgram([
    '--overlay',
    place('overlay.yaml'),
    '--handlers',
    place('handlers'),
    '--memory',
    '--watch',
  ]);
  await answered('one');
  for (const name of ['two', 'three']) {
    await write('new.yaml', overlay(name));
    await rm(place('overlay.yaml'));
    await rename(place('new.yaml'), place('overlay.yaml'));
    await answered(name);
  }
  const handler = (name: string): string => `export const getX = () => () => ({ status: 200, body: '${name}' });\n`;
  await write('handlers/x.mjs', handler('four'));
  await answered('four');
  await mkdir(place('others'));
  await write('others/x.mjs', handler('five'));
  await rm(place('handlers'), { recursive: true });
  await rename(place('others'), place('handlers'));
  await answered('five');
  await rm(place('handlers/x.mjs'));
  await answered('three');
});
