/** What pages of other origins may do with a document of one's own, and what programs get at `/`. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeOwnServers, startOwn, type OwnServer } from './support/own-document.ts';

let server: OwnServer | undefined;
afterEach(closeOwnServers);

const document = `openapi: 3.1.0
info: { title: Books, version: "1" }
paths:
  /books:
    get:
      parameters: [{ name: X-Tenant, in: header, required: true, schema: { type: integer } }]
      responses:
        200: { description: ok, headers: { X-Total: { schema: { type: integer, example: 3 } }, etag: { schema: { type: string, example: a } } } }
        4XX: { description: no, headers: { X-Fault: { schema: { type: string, example: b } } } }
    options:
      responses: { 200: { description: ok } }
`;

const page = 'http://localhost:3000';
const preflight = (origin: string) =>
  fetch(`${server?.url ?? ''}/books`, {
    method: 'OPTIONS',
    headers: { Origin: origin, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-tenant' },
  });
const listIn = (response: Response, name: string): string[] =>
  (response.headers.get(`access-control-${name}`) ?? '').toLowerCase().split(', ');

describe('a page of another origin', () => {
  it('may send documented headers by documented methods: 204', async () => {
    server = await startOwn({ 'api.yaml': document });
    const response = await preflight(page);
    expect([response.status, listIn(response, 'allow-headers'), listIn(response, 'allow-methods')]).toEqual([
      204,
      expect.arrayContaining(['x-tenant']),
      ['get', 'head', 'post', 'patch', 'delete', 'put', 'options'],
    ]);
  });

  it('may read documented headers of every answer, and why a request was refused: 200, 400', async () => {
    server = await startOwn({ 'api.yaml': document });
    for (const [tenant, status] of [
      ['1', 200],
      ['x', 400],
    ] as const) {
      const response = await fetch(`${server.url}/books`, { headers: { Origin: page, 'X-Tenant': tenant } });
      const exposed = listIn(response, 'expose-headers');
      expect([response.status, exposed]).toEqual([
        status,
        expect.arrayContaining(['x-total', 'x-fault', 'atoll-reason', 'atoll-refusal', 'link']),
      ]);
      expect(exposed.filter((name) => name === 'etag')).toHaveLength(1);
    }
  });

  it('may be one that was opened as a file, where the server is told so', async () => {
    server = await startOwn({ 'api.yaml': document });
    expect((await preflight('null')).headers.get('access-control-allow-origin')).toBeNull();
    await server.close();
    server = await startOwn({ 'api.yaml': document }, { cors: ['null'] });
    expect((await preflight('null')).headers.get('access-control-allow-origin')).toBe('null');
    expect((await preflight(page)).headers.get('access-control-allow-origin')).toBeNull();
    const read = await fetch(`${server.url}/books`, { headers: { Origin: 'null', 'X-Tenant': '1' } });
    expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, 'null']);
  });

  it('may not use the control interface as a file: the start is refused', async () => {
    await expect(startOwn({ 'api.yaml': document }, { controlOrigins: ['null'] })).rejects.toThrow(
      '--control-origins "null"',
    );
  });
});

describe('a program at the address of the server', () => {
  it.each(['GET', 'HEAD'])('gets 200 and JSON with %s', async (method) => {
    server = await startOwn({ 'api.yaml': document });
    for (const accept of ['*/*', 'application/json, text/plain, */*']) {
      const response = await fetch(`${server.url}/`, { method, headers: { Accept: accept } });
      const text = await response.text();
      expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, 'application/json']);
      if (method === 'GET')
        expect(JSON.parse(text)).toMatchObject({ name: 'Atoll', health: `${server.url}/_atoll/health` });
    }
  });

  it('gets what the document has there: its answer, or 405', async () => {
    server = await startOwn({ 'api.yaml': document.replace('/books:', '/:') });
    expect((await fetch(`${server.url}/`, { headers: { 'X-Tenant': '1' } })).headers.get('x-total')).toBe('3');
    await server.close();
    server = await startOwn({ 'api.yaml': document.replace('/books:', '/:').replace('    get:', '    post:') });
    const response = await fetch(`${server.url}/`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
  });
});

describe('an address that the server has, too', () => {
  const answering = (path: string): string => document.replace('/books:', `${path}:`);

  it.each(['/openapi.json', '/openapi.yaml', '/favicon.ico'])(
    '%s is the document’s where it names it',
    async (path) => {
      server = await startOwn({ 'api.yaml': answering(path) });
      const { status, headers } = await fetch(`${server.url}${path}`, { headers: { 'X-Tenant': '1' } });
      expect([status, headers.get('x-total')]).toEqual([200, '3']);
    },
  );

  it('stays the server’s where the document has a template for it', async () => {
    server = await startOwn({ 'api.yaml': answering('/{name}') });
    const response = await fetch(`${server.url}/openapi.yaml`);
    expect(await response.text()).toMatch(/^openapi: 3\.1\.0/);
  });

  it('below /_atoll and /~ is never the document’s, which is said at the start', async () => {
    server = await startOwn({ 'api.yaml': answering('/_atoll/books') });
    expect(server.errors).toEqual([
      expect.stringMatching(/api\.yaml:4: \/_atoll\/books is not served: it is the server's own path\./),
    ]);
  });
});

describe('the overview of the server', () => {
  const overview = async (): Promise<unknown> => (await fetch(`${server?.url ?? ''}/_atoll/repository`)).json();
  const books = (url: string) => ({ title: 'Books', version: '1', url, operations: 2 });

  it('has the document alone', async () => {
    server = await startOwn({ 'api.yaml': document });
    expect(await overview()).toMatchObject({ hasRepository: false, documents: [books(server.url)], accounts: [] });
  });
});
