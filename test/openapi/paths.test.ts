/** Which operation a path and a method stand for (OpenAPI 3.1 §4.8.8), and what is answered where there is none. */
import { describe, expect, it } from '@jest/globals';
import type { HandlerRequest } from '../../src/openapi/openapi.ts';
import { askOf, documentOf, plain } from './support/ask.ts';

/** Answers with the id of the operation and its path parameters. */
const echoed = (ids: readonly string[]) =>
  new Map(ids.map((id) => [id, ({ operation, path }: HandlerRequest) => ({ body: [operation, path] })]));

const served = (paths: readonly string[], more = {}) => {
  const document = documentOf(
    Object.fromEntries(paths.map((path) => [path, { get: plain({ operationId: path }) }])),
    more,
  );
  return askOf(document, { handlers: echoed(paths), basePaths: ['', '/v1'], checkReplies: 'off' });
};

describe('A path', () => {
  const ask = served([
    ...[
      '/',
      '/fixed',
      '/z/{id}:publish',
      '/z/{id}.{ext}',
      '/z/{id}',
      '/a-{b}/x',
      '/{a}/fixed',
      '/fixed/{b}',
      '/{a}/{b}/{c}',
    ],
    ...['/zäh/{id}', '/p%20q', '/books/mine', '/books/{id}', '/range/{from}..{to}', '/{lang}/books/new'],
  ]);

  it.each([
    ['/', '/', {}],
    ['/fixed', '/fixed', {}],
    ['/z/5:publish', '/z/{id}:publish', { id: '5' }],
    ['/z/5%3Apublish', '/z/{id}:publish', { id: '5' }],
    ['/z/a.json', '/z/{id}.{ext}', { id: 'a', ext: 'json' }],
    ['/z/a.tar.gz', '/z/{id}.{ext}', { id: 'a.tar', ext: 'gz' }],
    ['/z/5', '/z/{id}', { id: '5' }],
    ['/a-7/x', '/a-{b}/x', { b: '7' }],
    ['/q/fixed', '/{a}/fixed', { a: 'q' }],
    ['/fixed/q', '/fixed/{b}', { b: 'q' }],
    ['/fixed/fixed', '/fixed/{b}', { b: 'fixed' }],
    ['/1/2/3', '/{a}/{b}/{c}', { a: '1', b: '2', c: '3' }],
    ['/z%C3%A4h/1', '/zäh/{id}', { id: '1' }],
    ['/p%20q', '/p%20q', {}],
    ['/books/mine', '/books/mine', {}],
    ['/books/yours', '/books/{id}', { id: 'yours' }],
    ['/books/a%2Fb', '/books/{id}', { id: 'a/b' }],
    ['/range/1..9', '/range/{from}..{to}', { from: '1', to: '9' }],
    ['/en/books/new', '/{lang}/books/new', { lang: 'en' }],
    ['/v1/fixed', '/fixed', {}],
    ['/v1/books/5', '/books/{id}', { id: '5' }],
    ['/v1', '/', {}],
  ])('%s is %s with %j', async (path, operation, values) => {
    expect((await ask(path)).json).toEqual([operation, values]);
  });

  it.each(['/nope', '/books/', '/books', '/Fixed', '/fixed/', '/v1x/q', '/1/2/3/4', '/a-/x'])(
    '%s is none: 404 as problem details that are marked',
    async (path) => {
      const { status, headers, json } = await ask(path);
      expect([status, headers['Content-Type'], headers['Atoll-Refusal']]).toEqual([
        404,
        'application/problem+json',
        'undocumented',
      ]);
      expect(json).toMatchObject({ status: 404, title: 'Not Found' });
    },
  );
});

describe('A method', () => {
  const all = ['get', 'post', 'put', 'patch', 'delete', 'options', 'trace'];
  const ask = askOf(
    documentOf({
      '/all': Object.fromEntries(all.map((method) => [method, plain({ operationId: method })])),
      '/read': { get: plain({ operationId: 'read' }) },
      '/write': { post: plain({ operationId: 'write' }) },
      '/head': {
        get: plain({ operationId: 'get-h' }),
        head: { responses: { 204: { description: 'none' } }, operationId: 'head' },
      },
    }),
  );

  it.each(all)('%s is served', async (method) => {
    const { status, noticed } = await ask('/all', { method: method.toUpperCase() });
    expect([status, noticed.operation?.id]).toEqual([200, method]);
  });

  it('HEAD is GET without a body, unless the document has its own', async () => {
    expect((await ask('/read', { method: 'HEAD' })).status).toBe(200);
    expect((await ask('/head', { method: 'HEAD' })).status).toBe(204);
    expect((await ask('/write', { method: 'HEAD' })).status).toBe(405);
  });

  it('OPTIONS lists the methods of a path', async () => {
    const { status, headers } = await ask('/read', { method: 'OPTIONS' });
    expect([status, headers['Allow']]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  it('of a path whose parameters another method calls otherwise is served with its own names', async () => {
    const named = (name: string) => plain({ operationId: name });
    const two = askOf(
      documentOf({ '/x/{a}/{b}': { get: named('one') }, '/x/{c}/{d}': { post: named('two'), put: named('three') } }),
      { handlers: echoed(['one', 'two', 'three']), checkReplies: 'off' },
    );
    expect((await two('/x/1/2')).json).toEqual(['one', { a: '1', b: '2' }]);
    expect((await two('/x/1/2', { method: 'POST' })).json).toEqual(['two', { c: '1', d: '2' }]);
    expect((await two('/x/1/2', { method: 'DELETE' })).headers['Allow']).toBe('GET, HEAD, OPTIONS, POST, PUT');
  });

  it('that the path does not have is 405 with Allow', async () => {
    const { status, headers } = await ask('/read', { method: 'PUT' });
    expect([status, headers['Allow'], headers['Atoll-Refusal']]).toEqual([405, 'GET, HEAD, OPTIONS', 'undocumented']);
  });

  it('without an operationId is named after method and path', async () => {
    const anonymous = askOf(
      documentOf({
        '/z/{id}:publish': { post: plain() },
        '/a': { get: plain({ operationId: 'x' }) },
        '/b': { get: plain({ operationId: 'x' }) },
      }),
    );
    expect((await anonymous('/z/1:publish', { method: 'POST' })).noticed.operation?.id).toBe('postZIdPublish');
    expect((await anonymous('/b')).noticed.operation?.id).toBe('x2');
  });
});
