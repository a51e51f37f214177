/** Proposals from the first mock to the handler, on a server that goes on: what is read anew, what is kept, what says where it is broken. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Reload } from '../../src/server/server.ts';
import { root } from '../support/atoll.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { basic } from '../support/requests.ts';
import { until } from '../support/until.ts';

jest.setTimeout(60_000);

const proposal = join(root, 'test/server/proposal');
let folder: string;
let server: TestServer | undefined;
let reloads: Reload[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-proposal-'));
  reloads = [];
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  await rm(folder, { recursive: true, force: true });
});

const place = (name: string): string => join(folder, name);
const begin = async (options: Parameters<typeof startServer>[0]): Promise<TestServer> => {
  // A reload under way when its server stops must not count for the next test.
  const own = reloads;
  server = await startServer({ ...options, onReload: (reload) => own.push(reload) });
  return server;
};
/** Waits until these files are read again and served. How many reloads that takes depends on the machine. */
const readAgain = async (...files: string[]): Promise<Reload | undefined> => {
  const isRead = (): boolean => files.every((file) => reloads.some(({ changed }) => changed.includes(file)));
  await until(() => isRead() && reloads.at(-1)?.isServed === true, `${files.join()} is read again`);
  return reloads.at(-1);
};

const editor = basic('editor').headers;
const json = { 'Content-Type': 'application/json' };
const ask = async (
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; mocked: boolean; body: unknown }> => {
  const response = await fetch(`${server?.url ?? ''}${path}`, init);
  const text = await response.text();
  return {
    status: response.status,
    mocked: response.headers.has('atoll-mocked'),
    body: text === '' ? undefined : JSON.parse(text),
  };
};
const post = (path: string, body: unknown) =>
  ask(path, { method: 'POST', headers: { ...editor, ...json }, body: JSON.stringify(body) });
const reload = async (): Promise<{
  served: boolean;
  flaws: { file: string; line: number | null; rule: string; message: string; remedy: string }[];
}> => {
  const { status, body } = await ask('/_atoll/reload', { method: 'POST' });
  expect(status).toBe(200);
  return body as Awaited<ReturnType<typeof reload>>; // checked against its document by the engine
};

const example = {
  annotations: [
    { id: 1, text: 'A fine view.' },
    { id: 2, text: 'Taken in 1911?' },
  ],
};

describe('a proposal', () => {
  beforeEach(async () => {
    await cp(join(proposal, 'annotations.overlay.yaml'), place('overlay.yaml'));
    await cp(join(proposal, 'handlers'), place('handlers'), { recursive: true });
  });

  it('answers 200 from its example at once, and refuses what it does not allow', async () => {
    // As `serve` has it: the proposal need not document what the server refuses by itself.
    await begin({ overlays: [place('overlay.yaml')], checkReplies: 'log' });
    expect(await ask('/node/5/annotations')).toEqual({ status: 200, mocked: true, body: example });
    expect((await post('/node/5/annotations', { text: 'Mine' })).status).toBe(201);
    const refused = await post('/node/5/annotations', { texte: 'Mine' });
    expect([refused.status, (refused.body as { message: string }).message]).toEqual([
      422,
      expect.stringContaining('text'),
    ]);
    expect((await ask('/node/zero/annotations')).status).toBe(400);
    expect((await ask('/node/5/annotations', { method: 'PUT' })).status).toBe(405);
    expect(
      (
        await ask('/node/5/annotations', {
          method: 'POST',
          headers: { ...editor, 'Content-Type': 'text/plain' },
          body: 'x',
        })
      ).status,
    ).toBe(415);
    const { paths } = (await ask('/openapi.json')).body as { paths: object }; // the document
    expect(Object.keys(paths)).toContain('/node/{node_id}/annotations');
  });

  it('gets handlers while it is served; records, sessions and worlds stay', async () => {
    await mkdir(place('empty'));
    const { worlds } = await begin({ overlays: [place('overlay.yaml')], handlerFolder: place('empty') });
    const made = await post('/node?_format=json', {
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: 'Kept' }],
      field_model: [{ target_id: 24 }],
    });
    expect(made.status).toBe(201);
    const {
      nid: [{ value: id }],
    } = made.body as { nid: [{ value: number }] }; // a node
    const login = await fetch(`${server?.url ?? ''}/user/login?_format=json`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ name: 'editor', pass: 'editor' }),
    });
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const { url } = await worlds.fork({ name: 'beside' });
    expect(await ask(`/node/${id}/annotations`)).toMatchObject({ status: 200, mocked: true });

    await cp(join(place('handlers'), 'annotations.mjs'), join(place('empty'), 'annotations.mjs'));
    expect(await reload()).toMatchObject({ served: true, flaws: [] });
    expect(await ask(`/node/${id}/annotations`)).toEqual({ status: 200, mocked: false, body: { annotations: [] } });
    expect(await post(`/node/${id}/annotations`, { text: 'Mine' })).toMatchObject({
      status: 201,
      mocked: false,
      body: { id: 1, text: 'Mine' },
    });
    expect((await post(`/node/${id}/annotations`, {})).status).toBe(422);
    expect((await ask('/node/999/annotations')).status).toBe(404);
    expect((await ask(`/node/${id}?_format=json`)).status).toBe(200);
    expect(await ask('/media/1?_format=json', { headers: { Cookie: cookie } })).toMatchObject({ status: 200 });
    expect((await fetch(`${url}/node/5/annotations`)).status).toBe(200);
    expect((await worlds.list()).map(({ name }) => name)).toEqual(['main', 'beside']);
  });

  it('is served by the handlers that are there at the start, whose refusals are refusals', async () => {
    await begin({ overlays: [place('overlay.yaml')], handlerFolder: place('handlers') });
    for (const text of ['one', 'two', 'three']) expect((await post('/node/5/annotations', { text })).status).toBe(201);
    expect(await post('/node/5/annotations', { text: 'four' })).toMatchObject({
      status: 422,
      body: { message: 'Three are enough.' },
    });
  });

  it('that is broken keeps the last good one, and says where in the log and at /_atoll/reload: 200', async () => {
    await begin({ overlays: [place('overlay.yaml')] });
    const good = await readFile(place('overlay.yaml'), 'utf8');
    await writeFile(
      place('overlay.yaml'),
      good.replace('#/components/schemas/AnnotationList', '#/components/schemas/AnnotationLists'),
    );
    const line = good.split('\n').findIndex((each) => each.includes('schemas/AnnotationList')) + 1;
    const flaw = {
      file: place('overlay.yaml'),
      line,
      rule: 'reference',
      remedy: 'Correct the $ref, or add what it names.',
    };
    expect(await reload()).toMatchObject({ served: false, flaws: [flaw] });
    expect((await ask('/_atoll/reload')).body).toMatchObject({ served: false, flaws: [flaw] });
    expect(reloads.at(-1)).toMatchObject({ isServed: false, flaws: [flaw] });
    expect(await ask('/node/5/annotations')).toEqual({ status: 200, mocked: true, body: example });
    await writeFile(place('overlay.yaml'), good.replace('A fine view.', 'A finer view.'));
    expect(await reload()).toMatchObject({ served: true, flaws: [] });
    expect(JSON.stringify((await ask('/node/5/annotations')).body)).toContain('A finer view.');
  });

  it('whose handlers are broken keeps the last good ones, and names the file', async () => {
    await begin({ overlays: [place('overlay.yaml')], handlerFolder: place('handlers') });
    // A file each: jest, unlike Node, goes on with the first text of a file.
    const outcome = async (name: string, text: string) => {
      const file = join(place('handlers'), name);
      await writeFile(file, text);
      const { served, flaws } = await reload();
      await rm(file);
      return {
        served,
        flaws: flaws.map(({ file: named, rule, message }) => ({ isIt: named === file, rule, message })),
      };
    };
    const said = (message: unknown) => ({ served: false, flaws: [{ isIt: true, rule: 'handlers', message }] });
    const nothing = '= async () => undefined;\n';
    expect(await outcome('misspelt.mjs', `export const listAnotations ${nothing}`)).toEqual(
      said('exports "listAnotations", which is not an operation of the document.'),
    );
    expect(await outcome('twice.mjs', `export const listAnnotations ${nothing}`)).toEqual(
      said(expect.stringContaining('annotations.mjs exports too')),
    );
    expect(await outcome('torn.mjs', 'export const listed = (\n')).toEqual(
      said(expect.stringMatching(/^cannot be loaded/)),
    );
    expect(await ask('/node/5/annotations')).toMatchObject({ status: 200, mocked: false });
    expect(await outcome('constant.mjs', 'export const limit = 3;\n')).toEqual({ served: true, flaws: [] });
  });

  it('whose handlers go with their folder and come back with it is read anew both times', async () => {
    await begin({ overlays: [place('overlay.yaml')], handlerFolder: place('handlers'), watch: true });
    await rm(place('handlers'), { recursive: true });
    await until(() => reloads.at(-1)?.isServed === false, 'the folder is missed');
    await cp(join(proposal, 'handlers'), place('handlers'), { recursive: true });
    await until(() => reloads.at(-1)?.isServed === true, 'the folder is there again');
    expect(reloads.at(-1)?.flaws).toEqual([]);
  });

  it('is read anew by itself when a file changes that a reference names, also a reference that came later', async () => {
    const overlay = await readFile(place('overlay.yaml'), 'utf8');
    const update = "\n  - target: $.info\n    update: { $ref: './info.yaml' }\n";
    await writeFile(place('info.yaml'), 'description: the first text\n');
    await begin({ overlays: [place('overlay.yaml')], watch: true });
    await writeFile(place('overlay.yaml'), overlay.trimEnd() + update);
    expect((await readAgain(place('overlay.yaml')))?.flaws).toEqual([]);
    await writeFile(place('info.yaml'), 'description: the second text\n');
    expect((await readAgain(place('info.yaml')))?.flaws).toEqual([]);
    expect(JSON.stringify((await ask('/openapi.json')).body)).toContain('the second text');
  });

  it('is read anew by itself when a file changes, and a request under way ends on the old one', async () => {
    await writeFile(
      join(place('handlers'), 'slow.mjs'),
      'export const getTermFromUri = async () => { await new Promise((r) => setTimeout(r, 1500)); return async () => ({ status: 200, mediaType: "application/json", body: [] }); };\n',
    );
    await begin({ overlays: [place('overlay.yaml')], handlerFolder: place('handlers'), watch: true });
    const underWay = ask('/term_from_uri?uri=http://example.org&_format=json', { headers: editor });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const good = await readFile(place('overlay.yaml'), 'utf8');
    await rm(join(place('handlers'), 'slow.mjs'));
    await writeFile(place('overlay.yaml'), good.replace('/node/{node_id}/annotations:', '/node/{node_id}/remarks:'));
    expect((await readAgain(join(place('handlers'), 'slow.mjs'), place('overlay.yaml')))?.flaws).toEqual([]);
    expect((await ask('/node/5/remarks')).status).toBe(200);
    expect((await ask('/node/5/annotations')).status).toBe(404);
    expect(await underWay).toMatchObject({ status: 200, body: [] });
  });
});

describe('a site', () => {
  beforeEach(() => cp(join(root, 'data/site'), place('site'), { recursive: true }));

  it('is read anew with its labels and permissions; records and sessions stay', async () => {
    await begin({ site: place('site') });
    const login = await fetch(`${server?.url ?? ''}/user/login?_format=json`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ name: 'viewer', pass: 'viewer' }),
    });
    const cookie = { Cookie: (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
    expect((await ask('/media/1?_format=json')).status).toBe(401);
    expect((await ask('/media/1?_format=json', { headers: cookie })).status).toBe(200);
    const role = join(place('site'), 'roles/anonymous.yml');
    await writeFile(role, (await readFile(role, 'utf8')).replace('access content', 'view media\n  - access content'));
    expect(await reload()).toMatchObject({ served: true, flaws: [] });
    expect((await ask('/media/1?_format=json')).status).toBe(200);
    expect((await ask('/media/1?_format=json', { headers: cookie })).status).toBe(200);
  });

  it('that is broken keeps the last good one, and says in which file and line', async () => {
    await begin({ site: place('site') });
    const file = join(place('site'), 'site.yml');
    const good = await readFile(file, 'utf8');
    await writeFile(file, `colour: blue\n${good}`);
    expect(await reload()).toMatchObject({
      served: false,
      flaws: [
        {
          file,
          line: 1,
          rule: 'unknown-key',
          message: 'colour: is not a known key.',
          remedy: 'Remove it or correct its spelling.',
        },
      ],
    });
    await writeFile(
      file,
      good.replace(/^flood:.*$/m, 'flood: off').includes('flood: off')
        ? good.replace(/^flood:.*$/m, 'flood: off')
        : `${good}\nflood: off\n`,
    );
    expect(await reload()).toMatchObject({
      served: false,
      flaws: [{ rule: 'restart', message: 'flood: cannot change while the server runs.' }],
    });
    expect((await ask('/node/5?_format=json')).status).toBe(200);
  });
});

it('a proposal of which nothing is known but that it is JSON is mocked with null: 200', async () => {
  const get = { operationId: 'getAnything', responses: { '200': content({ type: 'null' }), '203': content({}) } };
  const actions = [{ target: '$.paths', update: { '/anything': { get } } }];
  const overlay = { overlay: '1.0.0', info: { title: 'T', version: '1' }, actions };
  await writeFile(place('null.json'), JSON.stringify(overlay));
  await begin({ overlays: [place('null.json')] });
  expect(await ask('/anything')).toEqual({ status: 200, mocked: true, body: null });
  const { status } = await ask('/anything', { headers: { Prefer: 'code=203' } });
  expect(status).toBe(203);
});

const content = (schema: object): object => ({ description: 'x', content: { 'application/json': { schema } } });
