/** The addresses of a document of one's own on a whole server: below the servers of its operations, and never those of another document. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { root } from '../support/atoll.ts';
import { closeOwnServers, startOwn, type OwnServer } from './support/own-document.ts';

let server: OwnServer | undefined;
afterEach(closeOwnServers);

const statusOf = async (address: string, init?: RequestInit): Promise<number> =>
  (await fetch(`${server?.url ?? ''}${address}`, init)).status;

const head = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\n';
const answer = 'responses: { "200": { description: ok } }';

describe('Operations with servers of their own', () => {
  const document = `${head}servers: [{ url: "https://example.org/lib" }]
paths:
  /books: { get: { ${answer} } }
  /files:
    servers: [{ url: "https://files.example.org/store" }]
    get: { ${answer} }
    post: { servers: [{ url: "/{v}", variables: { v: { default: up, enum: [up, up2] } } }], ${answer} }
`;
  const statuses = async () => ({
    books: [await statusOf('/lib/books'), await statusOf('/books')],
    read: [await statusOf('/store/files'), await statusOf('/lib/files'), await statusOf('/files')],
    write: await Promise.all(
      ['/up/files', '/up2/files', '/store/files', '/files'].map((each) => statusOf(each, { method: 'POST' })),
    ),
  });

  it('are served there alone beside a site', async () => {
    server = await startOwn({ 'api.yaml': document }, { site: 'default' });
    expect(await statuses()).toEqual({ books: [200, 404], read: [200, 404, 404], write: [200, 200, 405, 404] });
    expect(server.errors).toEqual([]);
  });

  it('are served at the root, too, where there is no site', async () => {
    server = await startOwn({ 'api.yaml': document });
    expect(await statuses()).toEqual({ books: [200, 200], read: [200, 404, 200], write: [200, 200, 405, 200] });
  });

  it('are served below a prefix that is named, and there alone', async () => {
    server = await startOwn({ 'api.yaml': document }, (folder) => ({ document: `/p=${join(folder, 'api.yaml')}` }));
    expect(await statusOf('/p/files')).toBe(200);
    expect(await statusOf('/p/files', { method: 'POST' })).toBe(200);
    expect(await statusOf('/store/files')).toBe(404);
  });

  it('are refused at paths of the server itself, with the line', async () => {
    const own = `${head}paths:\n  /x:\n    get: { servers: [{ url: /_atoll }], ${answer} }\n`;
    await expect(startOwn({ 'api.yaml': own })).rejects.toThrow(/api\.yaml:5: \/_atoll is the server's own path/);
  });

  it('are named where two have one address', async () => {
    const two = `${head}servers: [{ url: /v1 }]\npaths:\n  /x: { get: { ${answer} } }\n  /v1/x: { get: { ${answer} } }\n`;
    server = await startOwn({ 'api.yaml': two });
    expect(server.errors).toEqual([
      expect.stringMatching(
        /api\.yaml:6: GET \/v1\/x is not served at \/v1\/x: GET \/x is \(.*api\.yaml:5\)\. .*\(same-path\)/,
      ),
    ]);
  });

  it('are refused where one of two has no address left', async () => {
    const two = `${head}paths:\n  /x: { get: { servers: [{ url: /v1 }], ${answer} } }\n  /v1/x: { get: { servers: [{ url: "https://example.org" }], ${answer} } }\n`;
    await expect(startOwn({ 'api.yaml': two }, { site: 'default' })).rejects.toThrow(
      /api\.yaml:5: GET \/v1\/x is not served at \/v1\/x: GET \/x is \(.*api\.yaml:4\)/,
    );
  });

  it('are served where an overlay adds them', async () => {
    const overlay = `overlay: 1.0.0
info: { title: T, version: "1" }
actions:
  - target: $.paths
    update: { /hello: { get: { operationId: getHello, description: Hello., servers: [{ url: /v2 }], ${answer} } } }
`;
    server = await startOwn({ 'api.yaml': document, 'o.yaml': overlay }, (folder) => ({
      ...{ site: 'default', overlays: [join(folder, 'o.yaml')] },
    }));
    expect([await statusOf('/v2/hello'), await statusOf('/hello')]).toEqual([200, 404]);
    expect(server.errors).toEqual([]);
  });
});

it('says in OPTIONS and in a 415 what PATCH takes', async () => {
  const takes = 'requestBody: { content: { application/merge-patch+json: {} } }';
  server = await startOwn({ 'api.yaml': `${head}paths: { /x: { patch: { ${takes}, ${answer} } } }\n` });
  const said = async (init: RequestInit) => {
    const { status, headers } = await fetch(`${server?.url ?? ''}/x`, init);
    return [status, ...['Allow', 'Accept-Patch', 'Accept'].map((name) => headers.get(name))];
  };
  const type = 'application/merge-patch+json';
  expect(await said({ method: 'OPTIONS' })).toEqual([204, 'OPTIONS, PATCH', type, null]);
  const wrong = { method: 'PATCH', body: '{}', headers: { 'Content-Type': 'application/json' } };
  expect(await said(wrong)).toEqual([415, null, type, type]);
});

it('says each warning of an overlay once', async () => {
  const overlay = `overlay: 1.0.0
info: { title: T, version: "1" }
actions:
  - target: $.paths
    update:
      /hello: { get: { operationId: getHello, description: Hello., servers: [], ${answer}, sumary: a } }
`;
  server = await startOwn(
    { 'api.yaml': `${head}servers: [{ url: /p }]\npaths: { /x: { get: { ${answer} } } }\n`, 'o.yaml': overlay },
    (folder) => ({
      ...{ site: 'default', overlays: [join(folder, 'o.yaml')] },
    }),
  );
  expect(server.errors).toEqual([
    expect.stringMatching(/o\.yaml:6: An operation of OpenAPI has no "sumary", .*summary/),
  ]);
});

describe('A path that another document has is refused with both lines', () => {
  const document = (path: string): string =>
    `${head}paths:\n  /mine: { get: { ${answer} } }\n  ${path}:\n    get: { ${answer} }\n`;
  const lineOf = async (text: string): Promise<number> =>
    (await readFile(join(root, 'openapi.yaml'), 'utf8')).split('\n').indexOf(text) + 1;

  it('of the repository', async () => {
    const line = await lineOf('  /node/{node_id}:');
    expect(line).toBeGreaterThan(1);
    await expect(startOwn({ 'api.yaml': document('/node/{id}') }, { site: 'default' })).rejects.toThrow(
      new RegExp(`api\\.yaml:5: /node/\\{id\\} is a path of .*openapi\\.yaml:${line}, too\\. Serve the document below`),
    );
  });

  it('of the repository, with another method', async () => {
    const line = await lineOf('  /node/{node_id}:');
    const other = document('/node/{id}').replace('    get:', '    trace:');
    await expect(startOwn({ 'api.yaml': other }, { site: 'default' })).rejects.toThrow(`openapi.yaml:${line}, too.`);
  });

  it('of the repository, below the server of an operation', async () => {
    const line = await lineOf('  /node/{node_id}:');
    const text = `${head}paths:\n  /{id}: { get: { servers: [{ url: /node }], ${answer} } }\n`;
    await expect(startOwn({ 'api.yaml': text }, { site: 'default' })).rejects.toThrow(
      new RegExp(`api\\.yaml:4: /node/\\{id\\} is a path of .*openapi\\.yaml:${line}, too`),
    );
  });

  it('of which there are several', async () => {
    const two = `${document('/node/{id}')}  /media/{id}: { get: { ${answer} } }\n`;
    await expect(startOwn({ 'api.yaml': two }, { site: 'default' })).rejects.toThrow(
      /api\.yaml:5: .*, too, and so are 1 more of its paths\./,
    );
  });

  it.each([
    ['a path', '  - target: $.paths\n    update:\n      /hello: { get: OPERATION }\n', '/hello', 'o.yaml:6'],
    [
      'a method of a path',
      "  - target: $.paths['/node/{node_id}']\n    update:\n      trace: OPERATION\n",
      '/node/{x}',
      'openapi.yaml:',
    ],
  ])('of an overlay, which adds %s', async (_, action, path, place) => {
    const operation = `{ operationId: getHello, description: Hello., ${answer} }`;
    const overlay = `overlay: 1.0.0\ninfo: { title: T, version: "1" }\nactions:\n${action.replace('OPERATION', operation)}`;
    const starting = startOwn({ 'api.yaml': document(path), 'o.yaml': overlay }, (folder) => ({
      ...{ site: 'default', overlays: [join(folder, 'o.yaml')] },
    }));
    await expect(starting).rejects.toThrow(/api\.yaml:5: /);
    await expect(starting).rejects.toThrow(place);
  });

  it('of a document that is named before it', async () => {
    const other = `${head}paths:\n  /a: { put: { ${answer} } }\n`;
    const starting = startOwn({ 'api.yaml': document('/a'), 'b.yaml': other }, (folder) => ({
      documents: [join(folder, 'b.yaml')],
    }));
    await expect(starting).rejects.toThrow(/b\.yaml:4: \/a is a path of .*api\.yaml:5, too\./);
  });
});
