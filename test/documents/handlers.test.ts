/** Handlers of a document of one's own, and of operations that an overlay adds, on a whole server. */
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.ts';
import { closeOwnServers, startOwn, type OwnServer } from './support/own-document.ts';

let server: OwnServer | undefined;
afterEach(closeOwnServers);

const document = `openapi: 3.1.0
info: { title: Books, version: "1" }
paths:
  /books/{id}:
    get:
      operationId: getBook
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        200: { description: ok, content: { application/json: { schema: { type: object, required: [id] } } } }
        404: { description: no, content: { application/problem+json: { example: { title: No book, detail: "-" } } } }
  /pictures:
    post:
      operationId: addPicture
      requestBody:
        required: true
        content: { multipart/form-data: { schema: { type: object, required: [file], properties: { file: { type: string, format: binary } } } } }
      responses: { 200: { description: ok, content: { application/octet-stream: {} } } }
  /lines:
    get:
      operationId: getLines
      responses: { 200: { description: ok, content: { text/plain: {} } } }
`;

const ask = async (address: string, init?: RequestInit) => {
  const response = await fetch(`${server?.url ?? ''}${address}`, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

it('answers 200 with typed values, and of the world its name, its address, its time and its ids', async () => {
  const handler = `export const getBook = ({ path }, world) => ({
    body: { id: path.id, world: world.name, at: new Date(world.clock.now()).toISOString(), uuid: world.ids.uuid(), members: Object.keys(world) },
  });`;
  server = await startOwn({ 'api.yaml': document, 'h/books.mjs': handler });
  await server.clock.set({ now: '2030-01-02T03:04:05.000Z', mode: 'frozen' });
  const { status, text } = await ask('/books/7');
  expect([status, JSON.parse(text)]).toEqual([
    200,
    {
      ...{
        id: 7,
        world: 'main',
        at: '2030-01-02T03:04:05.000Z',
        members: ['name', 'baseUrl', 'clock', 'ids', 'collection'],
      },
      uuid: expect.stringMatching(/^[\da-f-]{36}$/),
    },
  ]);
});

it('answers 404 in the form of the operation for an error with this status', async () => {
  const handler = `export const getBook = ({ path }) => { throw Object.assign(new Error('There is no book ' + path.id + '.'), { status: 404 }); };`;
  server = await startOwn({ 'api.yaml': document, 'h/books.mjs': handler });
  const { status, text } = await ask('/books/7');
  expect([status, JSON.parse(text), server.errors]).toEqual([
    404,
    { title: 'No book', detail: 'There is no book 7.' },
    [],
  ]);
});

it.each([
  ['returns', `// A comment.\n\nexport async function getBook() { return ['x']; }`, 3, 'The handler returned a list'],
  [
    'breaks the contract',
    `export const getBook = () => ({ body: {} });`,
    1,
    'The handler returned a 200 that breaks the contract',
  ],
])(
  'names file and line of a mistake in the log, and no path to the client: 500 (%s)',
  async (_kind, handler, line, said) => {
    server = await startOwn({ 'api.yaml': document, 'h/books.mjs': handler });
    const { status, text } = await ask('/books/7');
    expect([status, text]).toEqual([500, expect.stringContaining(said)]);
    expect(text).not.toContain(server.folder);
    expect(String(server.errors[0])).toContain(`${join(server.folder, 'h/books.mjs')}:${line}: ${said}`);
  },
);

it('names file and line of what a handler throws in the log, and nothing of it to the client: 500', async () => {
  server = await startOwn({
    'api.yaml': document,
    'h/books.mjs': `export const getBook = () => {\n  throw new Error('secret');\n};`,
  });
  const { status, text } = await ask('/books/7');
  expect([status, text]).toEqual([500, expect.not.stringContaining('secret')]);
  expect((server.errors[0] as Error).stack).toMatch(/books\.mjs[^\s:]*:2:/);
});

it('ends the connection where a handler throws after the reply began', async () => {
  const handler = `export const getLines = () => ({ body: (async function* () { yield 'one\\n'; throw new Error('gone'); })() });`;
  server = await startOwn({ 'api.yaml': document, 'h/lines.mjs': handler });
  await expect(ask('/lines')).rejects.toThrow();
  await until(() => server?.errors.some((error) => String(error).includes('gone')) === true, 'the error is logged');
  expect((await ask('/books/1')).status).toBe(200);
});

describe('a large file of a form', () => {
  const folders = async (): Promise<string[]> =>
    (await readdir(tmpdir())).filter((name) => name.startsWith('atoll-form-'));
  const form = (): FormData => {
    const data = new FormData();
    data.set('file', new Blob([new Uint8Array(600_000).fill(7)]), 'a.bin');
    return data;
  };

  it('comes back byte by byte, and leaves nothing on the disk: 200', async () => {
    const before = await folders();
    server = await startOwn({
      'api.yaml': document,
      'h/p.mjs': `export const addPicture = ({ body }) => ({ body: body.file.stream() });`,
    });
    const response = await fetch(`${server.url}/pictures`, { method: 'POST', body: form() });
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([response.status, bytes.length, bytes.every((byte) => byte === 7)]).toEqual([200, 600_000, true]);
    await until(async () => (await folders()).length <= before.length, 'the file is disposed of');
  });

  it('leaves nothing where the client goes away', async () => {
    const before = await folders();
    const handler = `export const addPicture = ({ body }) => ({ body: (async function* () { yield* body.file.stream(); await new Promise(() => {}); })() });`;
    server = await startOwn({ 'api.yaml': document, 'h/p.mjs': handler });
    const leaving = new AbortController();
    const response = await fetch(`${server.url}/pictures`, { method: 'POST', body: form(), signal: leaving.signal });
    expect([response.status, (await folders()).length]).toEqual([200, before.length + 1]);
    leaving.abort();
    await until(async () => (await folders()).length <= before.length, 'the file is disposed of');
  });
});

it('refuses the start with a handler that no document has', async () => {
  const starting = startOwn({ 'api.yaml': document, 'h/x.mjs': 'export const getBok = () => ({});' });
  await expect(starting).rejects.toThrow(
    'x.mjs: exports "getBok", which is not an operation of the document. Add the operation to a document',
  );
});
