/** How the manual is served: its pages, its files, its policy, and what says where it is. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consoleFileReader } from '../../../src/server/start/console-files.ts';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';

const files = {
  'index.html': '<!doctype html><title>Help</title>',
  'uploading.html': '<!doctype html><title>Uploading</title>',
  'faults/latency.html': '<!doctype html><title>Latency</title>',
  'help.js': 'export {};',
  'help.css': 'body {}',
  'pages.json': '[]',
  'notes.txt': 'no file of the manual',
};

let folder: string;
let atoll: TestAtoll;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-help-'));
  await mkdir(join(folder, 'faults'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  atoll = await createTestAtoll({ app: { readHelpFile: consoleFileReader(folder) } });
  await atoll.send('POST', '/_atoll/worlds').set('Content-Type', 'application/json').send({ name: 'w7' }).expect(201);
});
afterAll(() => rm(folder, { recursive: true }));

const pathsOf = async (each: TestAtoll): Promise<unknown> =>
  ((await each.send('GET', '/_atoll/repository').expect(200)).body as { paths: unknown }).paths; // the control document

describe('The manual', () => {
  it.each([
    ['/_atoll/help', '/_atoll/help/'],
    ['/~w7/_atoll/help', '/~w7/_atoll/help/'],
  ])('is where %s leads: 302', async (path, location) => {
    expect((await atoll.send('GET', path).expect(302)).headers['location']).toBe(location);
  });

  it.each([
    ['/_atoll/help/', 'index.html', 'text/html; charset=UTF-8'],
    ['/~w7/_atoll/help/index.html', 'index.html', 'text/html; charset=UTF-8'],
    ['/_atoll/help/uploading.html', 'uploading.html', 'text/html; charset=UTF-8'],
    ['/~w7/_atoll/help/faults/latency.html', 'faults/latency.html', 'text/html; charset=UTF-8'],
    ['/_atoll/help/help.js', 'help.js', 'text/javascript; charset=UTF-8'],
    ['/_atoll/help/help.css', 'help.css', 'text/css; charset=UTF-8'],
    ['/_atoll/help/pages.json', 'pages.json', 'application/json'],
  ] as const)(
    'has %s, which asks no other host and is asked for again after a build: 200',
    async (path, name, type) => {
      const answer = await atoll.send('GET', path).buffer(true).expect(200);
      expect(answer.headers).toMatchObject({
        'content-type': type,
        'content-length': String(files[name].length),
        'cache-control': expect.stringContaining('no-cache'),
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; " +
          "frame-ancestors 'self'",
      });
      expect((await atoll.send('HEAD', path).expect(200)).headers['content-length']).toBe(String(files[name].length));
    },
  );

  it.each([
    ...[
      'other.html',
      'notes.txt',
      'faults/',
      'faults',
      'help.js.gz',
      '..%2Fhelp.js',
      'faults/../../x.html',
      'a%00.html',
    ],
    ...['faults/other.html', 'faults/latency.html/', 'INDEX.HTML'],
  ])('has no other file: %s is 404', async (name) => {
    expect((await atoll.send('GET', `/_atoll/help/${name}`).expect(404)).body).toHaveProperty('message');
  });

  it('takes no writes: 404', async () => {
    await atoll.send('POST', '/_atoll/help/').expect(404);
    await atoll.send('DELETE', '/_atoll/help/uploading.html').expect(404);
  });

  it('is named by the repository, also in a world', async () => {
    expect(await pathsOf(atoll)).toMatchObject({ help: '/_atoll/help/' });
  });

  it('that is not built says how to build it: 503', async () => {
    const bare = await createTestAtoll({ app: { readHelpFile: consoleFileReader(join(folder, 'none')) } });
    const answer = await bare.send('GET', '/_atoll/help/').expect(503);
    expect([answer.type, answer.text]).toEqual(['text/html', expect.stringContaining('npm run build')]);
    await bare.send('GET', '/_atoll/help/uploading.html').expect(404);
  });

  it('is not there, and not named, where nothing reads it: 404', async () => {
    const without = await createTestAtoll();
    expect(await pathsOf(without)).not.toHaveProperty('help');
    await without.send('GET', '/_atoll/help').expect(404);
    await without.send('GET', '/_atoll/help/').expect(404);
  });
});
