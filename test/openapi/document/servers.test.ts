/** The paths of servers (OpenAPI 3.1 §4.8.5, §4.8.6), those of a Path Item and an Operation (§4.8.9.1, §4.8.10.1), and what is served there. */
import { describe, expect, it } from '@jest/globals';
import { pathsOfServer } from '../../../src/openapi/document/servers.ts';
import { serverPaths, type Operation, sharedAddresses } from '../../../src/openapi/openapi.ts';
import { askOf, documentOf, engineFor, plain } from '../support/ask.ts';

type Node = Readonly<Record<string, unknown>>;

describe('The paths of a server', () => {
  it.each<[server: Node, paths: string[]]>([
    [{ url: '/' }, ['']],
    [{}, ['']],
    [{ url: 'https://api.example.org' }, ['']],
    [{ url: 'https://api.example.org/v1/' }, ['/v1']],
    [{ url: '//api.example.org/v1' }, ['/v1']],
    [{ url: '/v1' }, ['/v1']],
    [{ url: 'v1' }, ['/v1']],
    [{ url: 'https://a b/v1' }, ['']],
    [{ url: '/{v}' }, ['']],
    [{ url: '/{v}', variables: { v: { default: 'v2' } } }, ['/v2']],
    [{ url: '/{v}', variables: { v: { default: 'v2', enum: ['v1', 'v2', 'v3'] } } }, ['/v2', '/v1', '/v3']],
    [{ url: '/{v}', variables: { v: { enum: ['v1', 'v2'] } } }, ['/v1', '/v2']],
    [{ url: '/{v}', variables: { v: { default: 2 } } }, ['/2']],
    [
      {
        url: '/{a}/{b}',
        variables: { a: { default: 'x', enum: ['x', 'y'] }, b: { default: '1', enum: ['1', '2'] } },
      },
      ['/x/1', '/x/2', '/y/1', '/y/2'],
    ],
    [
      {
        url: 'https://{host}.example.org:{port}/v1',
        variables: { host: { default: 'a', enum: ['a', 'b'] }, port: { default: '443', enum: ['443', '8443'] } },
      },
      ['/v1'],
    ],
    [
      { url: '{scheme}://example.org/v1', variables: { scheme: { default: 'https', enum: ['https', 'http'] } } },
      ['/v1'],
    ],
  ])('%j are %j', (server, paths) => {
    expect(pathsOfServer(server)).toEqual({ paths, isWhole: true });
  });

  it('are those of the defaults where the values of its variables make too many', () => {
    const many = { default: '0', enum: Array.from({ length: 11 }, (_, index) => String(index)) };
    const hosts = { default: 'a', enum: Array.from({ length: 1000 }, (_, index) => `h${index}`) };
    expect(pathsOfServer({ url: '/{a}/{b}', variables: { a: many, b: many } })).toEqual({
      ...{ paths: ['/0/0'], isWhole: false },
    });
    expect(pathsOfServer({ url: 'https://{host}/{a}', variables: { host: hosts, a: many } }).paths).toHaveLength(11);
  });

  it.each<[document: Node, paths: string[]]>([
    [{}, ['']],
    [{ servers: [] }, ['']],
    [{ servers: [{ url: '/a' }, { url: 'https://example.org/a' }, { url: '/b' }] }, ['/a', '/b']],
  ])('of the document %j are %j', (document, paths) => {
    expect(serverPaths(document)).toEqual(paths);
  });
});

/** The bases of a document that is served alone, and beside a repository. */
const alone = ({ servers }: Operation): string[] => ['', ...(servers ?? ['/v1'])];
const beside = ({ servers }: Operation): readonly string[] => servers ?? ['/v1'];

const document = documentOf(
  {
    '/plain': { get: plain({ operationId: 'plain' }) },
    '/files': {
      servers: [{ url: 'https://files.example.org/store' }],
      get: plain({ operationId: 'getFiles' }),
      post: plain({ operationId: 'addFile', servers: [{ url: 'https://upload.example.org/up' }, { url: '/up2' }] }),
      put: plain({ operationId: 'putFile', servers: [] }),
    },
    '/host/{id}': { get: plain({ operationId: 'host', servers: [{ url: 'https://other.example.org' }] }) },
  },
  { servers: [{ url: '/v1' }] },
);

describe('An operation is served below the paths of its own servers, which replace those around it', () => {
  it.each<[method: string, path: string, operation: string | undefined, besideToo: boolean]>([
    ['GET', '/v1/plain', 'plain', true],
    ['GET', '/plain', 'plain', false],
    ['GET', '/store/files', 'getFiles', true],
    ['HEAD', '/store/files', 'getFiles', true],
    ['GET', '/files', 'getFiles', false],
    ['GET', '/v1/files', undefined, false],
    ['GET', '/up/files', undefined, false],
    ['POST', '/up/files', 'addFile', true],
    ['POST', '/up2/files', 'addFile', true],
    ['POST', '/files', 'addFile', false],
    ['POST', '/store/files', undefined, false],
    ['POST', '/v1/files', undefined, false],
    ['PUT', '/store/files', 'putFile', true],
    ['GET', '/host/1', 'host', true],
    ['GET', '/v1/host/1', undefined, false],
    ['GET', '/store/plain', undefined, false],
  ])('%s %s is %s', async (method, path, operation, besideToo) => {
    expect((await askOf(document, { basePathsOf: alone })(path, { method })).noticed.operation?.id).toBe(operation);
    const next = await askOf(document, { basePathsOf: beside })(path, { method });
    expect(next.noticed.operation?.id).toBe(besideToo ? operation : undefined);
  });

  it('with the methods of each address in Allow', async () => {
    const ask = askOf(document, { basePathsOf: alone });
    const allowed = async (path: string) => {
      const { status, headers } = await ask(path, { method: 'DELETE' });
      return [status, headers['Allow']];
    };
    expect(await allowed('/files')).toEqual([405, 'GET, HEAD, OPTIONS, POST, PUT']);
    expect(await allowed('/store/files')).toEqual([405, 'GET, HEAD, OPTIONS, PUT']);
    expect(await allowed('/up/files')).toEqual([405, 'OPTIONS, POST']);
    expect(await allowed('/v1/files')).toEqual([404, undefined]);
  });

  it('with the methods of two paths that have one address', async () => {
    const two = documentOf({
      '/x': { get: plain({ operationId: 'a', servers: [{ url: '/v1' }] }) },
      '/v1/x': { put: plain({ operationId: 'b', servers: [{ url: '/' }] }) },
    });
    const ask = askOf(two, { basePathsOf: beside });
    expect((await ask('/v1/x')).noticed.operation?.id).toBe('a');
    expect((await ask('/v1/x', { method: 'PUT' })).noticed.operation?.id).toBe('b');
    expect((await ask('/v1/x', { method: 'OPTIONS' })).headers['Allow']).toBe('GET, HEAD, OPTIONS, PUT');
  });

  it('also where it is corrected', async () => {
    const numbered = documentOf({
      '/x/{id}': {
        get: plain({
          ...{ operationId: 'x', servers: [{ url: '/own' }] },
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' }, example: 7 }],
        }),
      },
    });
    const engine = engineFor(numbered, { basePathsOf: beside });
    const corrected = await engine.correct({
      ...{ method: 'GET', path: '/own/x/a', query: '', headers: {}, text: undefined },
    });
    expect(corrected?.request?.path).toBe('/own/x/7');
  });
});

describe('Two operations with one address', () => {
  const shared = (paths: Node, basePathsOf: (operation: Operation) => readonly string[]) =>
    sharedAddresses(engineFor(documentOf(paths)).operations, basePathsOf).map(({ operation, path, other, isOnly }) => [
      ...[operation.path, path, other.path, isOnly],
    ]);
  const at = (url: string): Node => ({ get: plain({ servers: [{ url }] }) });

  it.each<[kind: string, paths: Node, found: unknown[]]>([
    ['below the longer path', { '/v1/x': at('/'), '/x': at('/v1') }, [['/v1/x', '/v1/x', '/x', true]]],
    ['by shape', { '/v1/{a}': at('/'), '/{b}': at('/v1') }, [['/v1/{a}', '/v1/{a}', '/{b}', true]]],
    ['with another method', { '/v1/x': { put: plain({ servers: [{ url: '/' }] }) }, '/x': at('/v1') }, []],
    ['with other bases', { '/x': at('/a'), '/y': at('/b') }, []],
  ])('%s', (_, paths, found) => {
    expect(shared(paths, beside)).toEqual(found);
  });

  it('of which one has others, too', () => {
    expect(shared({ '/x': { get: plain() }, '/v1/x': { get: plain() } }, alone)).toEqual([
      ['/v1/x', '/v1/x', '/x', false],
    ]);
  });
});
