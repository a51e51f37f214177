/** Callbacks: their addresses by runtime expressions (OpenAPI 3.1 §4.8.20.4), and their bodies. */
import { describe, expect, it } from '@jest/globals';
import type { Handler } from '../../src/openapi/openapi.ts';
import { askOf, documentOf } from './support/ask.ts';

type Node = Readonly<Record<string, unknown>>;

const hook: Node = {
  post: {
    requestBody: { content: { 'application/json': { example: { done: true } } } },
    responses: { 200: { description: 'ok' } },
  },
};

const ordering = (callbacks: Node): Node => ({
  operationId: 'order',
  parameters: [{ name: 'ref', in: 'query', schema: { type: 'integer' } }],
  requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
  responses: {
    201: {
      description: 'ok',
      headers: { Location: { schema: { type: 'string', example: 'http://localhost:9/orders/1' } } },
      content: { 'application/json': { example: { id: 12, hooks: { 'a/b': ['http://localhost:9/r'] } } } },
    },
    400: { description: 'no' },
  },
  callbacks,
});

const asked = (callbacks: Node, handler?: Handler<unknown>) =>
  askOf(documentOf({ '/shops/{shop}/orders': { post: ordering(callbacks) } }), {
    baseUrlOf: () => 'http://atoll.test',
    handlers: new Map(handler === undefined ? [] : [['order', handler]]),
  });

const body = {
  notify: 'http://localhost:9/hook',
  list: ['http://localhost:9/0', 'http://localhost:9/1'],
  when: { day: 3 },
  'q?': 'a b',
};
const request = {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'X-Hook': 'http://localhost:9/h' },
  body: JSON.stringify(body),
};
const address = '/shops/7/orders?ref=5&url=http%3A%2F%2Flocalhost%3A9%2Fq';

/** From the examples of the specification, and one for each source. */
it.each([
  ['{$request.body#/notify}', 'http://localhost:9/hook'],
  ['$request.body#/notify', 'http://localhost:9/hook'],
  ['$request.body#/list/1', 'http://localhost:9/1'],
  ['$request.query.url', 'http://localhost:9/q'],
  ['$request.header.x-hook', 'http://localhost:9/h'],
  ['$request.header.X-HOOK', 'http://localhost:9/h'],
  ['$response.header.Location', 'http://localhost:9/orders/1'],
  ['$response.body#/hooks/a~1b/0', 'http://localhost:9/r'],
  ['$url', `http://atoll.test${address}`],
  ['http://localhost:9/{$method}/{$statusCode}', 'http://localhost:9/POST/201'],
  ['http://localhost:9/{$request.path.shop}', 'http://localhost:9/7'],
  ['http://localhost:9/?ref={$request.query.ref}&id={$response.body#/id}', 'http://localhost:9/?ref=5&id=12'],
  ['http://localhost:9/?u={$request.body#/notify}', 'http://localhost:9/?u=http%3A%2F%2Flocalhost%3A9%2Fhook'],
  ['http://localhost:9/?w={$request.body#/when}', 'http://localhost:9/?w=%7B%22day%22%3A3%7D'],
  ['{$request.body#/notify}/x?q={$request.body#/q?}', 'http://localhost:9/hook/x?q=a%20b'],
  ['http://localhost:9/fixed', 'http://localhost:9/fixed'],
])('leads from %s to its address', async (expression, url) => {
  const { status, noticed } = await asked({ done: { [expression]: hook } })(address, request);
  expect([status, noticed.callbacks]).toEqual([
    201,
    [{ name: 'done', method: 'POST', url, mediaType: 'application/json', body: '{"done":true}', fault: undefined }],
  ]);
});

it.each([
  ['$request.body#/nothing', '{$request.body#/nothing}', '$request.body#/nothing has no value'],
  ['{$request.body#/toString}', '{$request.body#/toString}', '$request.body#/toString has no value'],
  ['{$response.query.ref}', '{$response.query.ref}', '$response.query.ref has no value'],
  ['{$nonsense}', '{$nonsense}', '$nonsense has no value'],
  ['$request.query.ref', '5', 'is not an address of HTTP'],
  ['file:///etc/passwd', 'file:///etc/passwd', 'is not an address of HTTP'],
])('says of %s why it cannot be sent', async (expression, url, fault) => {
  const { noticed } = await asked({ done: { [expression]: hook } })(address, request);
  expect(noticed.callbacks.map((each) => [each.url, each.fault])).toEqual([[url, fault]]);
});

describe('a callback', () => {
  it('refers to what the handler replies', async () => {
    const handler = () => ({ status: 201, headers: { Location: 'http://localhost:9/mine' }, body: { id: 3 } });
    const callbacks = {
      a: { '$response.header.location': hook },
      b: { 'http://localhost:9/{$response.body#/id}': hook },
    };
    const { noticed } = await asked(callbacks, handler)(address, request);
    expect(noticed.callbacks.map(({ url }) => url)).toEqual(['http://localhost:9/mine', 'http://localhost:9/3']);
  });

  it('has a sample that a request may have: without members that are read only', async () => {
    const schema = {
      type: 'object',
      properties: {
        at: { type: 'string', readOnly: true, example: 'now' },
        state: { type: 'string', example: 'sent' },
      },
    };
    const put = {
      put: { requestBody: { content: { 'text/csv': {}, 'application/json': { schema } } }, responses: {} },
    };
    const { noticed } = await asked({ done: { '$request.body#/notify': put } })(address, request);
    expect(noticed.callbacks).toMatchObject([
      { method: 'PUT', mediaType: 'application/json', body: '{"state":"sent"}' },
    ]);
  });

  it('may have no body', async () => {
    const { noticed } = await asked({ done: { '$request.body#/notify': { get: { responses: {} } } } })(
      address,
      request,
    );
    expect(noticed.callbacks).toMatchObject([{ method: 'GET', mediaType: undefined, body: undefined }]);
  });

  it.each([
    ['is refused', '/shops/7/orders?ref=x', {}],
    ['is asked to fail', address, { Prefer: 'code=400' }],
  ])('does not follow a request that %s', async (_kind, at, headers) => {
    const { status, noticed } = await asked({ done: { '$request.body#/notify': hook } })(at, {
      ...request,
      headers: { ...request.headers, ...headers },
    });
    expect([status, noticed.callbacks]).toEqual([400, []]);
  });
});
