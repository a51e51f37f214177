/** What traffic says of requests for a document of one's own: verdicts, violations with their lines, and the corrected request. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startOwn, type OwnServer } from './support/own-document.ts';

const document = `openapi: 3.1.0
info: { title: Orders, version: "1" }
servers: [{ url: /v1 }]
paths:
  /orders/{id}:
    parameters:
      - name: id
        in: path
        required: true
        schema: { type: integer }
    post:
      operationId: order
      parameters:
        - $ref: '#/components/parameters/Page'
        - name: X-Key
          in: header
          schema:
            type: string
            maxLength: 3
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [title]
              properties:
                title: { type: string, example: Book }
                line:
                  $ref: 'parts.yaml#/Line'
      responses:
        200:
          description: ok
          headers:
            X-Total:
              schema:
                type: integer
          content:
            application/json:
              schema:
                type: object
                required: [id]
        4XX:
          description: no
  /tasks/{id}:run:
    get:
      responses: { 200: { description: ok } }
components:
  parameters:
    Page:
      name: page
      in: query
      schema:
        type: integer
        minimum: 1
`;
const parts = `# Parts of orders.
Line:
  type: object
  properties:
    count:
      type: integer
`;
const handler = `export const order = ({ body }) => (body.title === 'bad' ? { headers: { 'X-Total': 'many' }, body: { id: 1 } } : body.title === 'none' ? { body: {} } : { body: { id: 1, ...body } });`;

let server: OwnServer;
beforeAll(async () => {
  server = await startOwn({ 'api.yaml': document, 'parts.yaml': parts, 'h/o.mjs': handler }, { checkReplies: 'log' });
});
afterAll(() => server.close());

const json = { 'Content-Type': 'application/json' };
const ask = async (path: string, init: RequestInit = {}) => {
  await server.clearTraffic();
  const response = await fetch(`${server.url}${path}`, init);
  const entry = (await server.traffic()).entries[0];
  if (entry === undefined) throw new Error('There is no traffic.');
  return { status: response.status, entry };
};
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(path, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** The line of the first text in the document. */
const lineOf = (text: string, inside = document): number => inside.slice(0, inside.indexOf(text)).split('\n').length;
const file = (name: string): unknown => expect.stringContaining(name);

it('keeps a right request and its reply: kept, kept', async () => {
  const { status, entry } = await post('/v1/orders/5?page=2', { title: 'a' });
  expect([status, entry.operation, entry.verdict, entry.requestFaults]).toEqual([
    200,
    'order',
    { request: 'kept', reply: 'kept' },
    [],
  ]);
});

const good = { title: 'a' };
describe('a broken request has its rule, its pointer and its line', () => {
  it.each([
    [
      'a path',
      '/v1/orders/x',
      good,
      {},
      '/path/id',
      'type',
      'api.yaml',
      lineOf('schema: { type: integer }'),
      '/paths/~1orders~1{id}/parameters/0/schema/type',
    ],
    [
      'a parameter behind a reference',
      '/v1/orders/5?page=0',
      good,
      {},
      '/query/page',
      'minimum',
      'api.yaml',
      lineOf('minimum: 1'),
      '/components/parameters/Page/schema/minimum',
    ],
    [
      'a header',
      '/v1/orders/5',
      good,
      { 'X-Key': 'long' },
      '/header/X-Key',
      'maxLength',
      'api.yaml',
      lineOf('maxLength: 3'),
      '/paths/~1orders~1{id}/post/parameters/1/schema/maxLength',
    ],
    [
      'a member that is missing',
      '/v1/orders/5',
      {},
      {},
      '/requestBody',
      'required',
      'api.yaml',
      lineOf('required: [title]'),
      '/paths/~1orders~1{id}/post/requestBody/content/application~1json/schema/required',
    ],
    [
      'a rule in another file',
      '/v1/orders/5',
      { title: 'a', line: { count: 'x' } },
      {},
      '/requestBody/line/count',
      'type',
      'parts.yaml',
      lineOf('type: integer', parts),
      '/Line/properties/count/type',
    ],
    [
      'what is no JSON',
      '/v1/orders/5',
      '{',
      {},
      '/requestBody',
      'content',
      'api.yaml',
      lineOf(
        'content:\n          application/json:\n            schema:\n              type: object\n              required: [title]',
      ),
      '/paths/~1orders~1{id}/post/requestBody/content',
    ],
    [
      'a media type',
      '/v1/orders/5',
      'a',
      { 'Content-Type': 'text/plain' },
      '/header/content-type',
      'content',
      'api.yaml',
      lineOf(
        'content:\n          application/json:\n            schema:\n              type: object\n              required: [title]',
      ),
      '/paths/~1orders~1{id}/post/requestBody/content',
    ],
    [
      'what it accepts',
      '/v1/orders/5',
      good,
      { Accept: 'image/png' },
      '/header/accept',
      'responses',
      'api.yaml',
      lineOf('responses:'),
      '/paths/~1orders~1{id}/post/responses',
    ],
  ])('%s', async (_kind, path, body, headers, pointer, rule, name, line, inDocument) => {
    const { status, entry } = await post(path, body, headers);
    expect([status >= 400 && status < 500, entry.verdict]).toEqual([true, { request: 'broken', reply: 'kept' }]);
    expect(entry.requestFaults[0]).toMatchObject({
      pointer,
      rule,
      document: { file: file(name), line, pointer: inDocument },
    });
  });

  it('a path that the document does not have: 404', async () => {
    const { status, entry } = await ask('/v1/nothing');
    expect([status, entry.operation, entry.verdict.request, entry.requestFaults]).toMatchObject([
      404,
      null,
      'broken',
      [{ pointer: '/path', rule: 'paths' }],
    ]);
    // No line of a document says so, least of all one of the repository that is not there.
    expect(entry.requestFaults[0]).not.toHaveProperty('document');
  });
});

it('a request is broken or kept, also where a fault on demand has answered it: 503', async () => {
  const id = await server.faults.add({ fault: 'status', operations: ['order'], parameters: { status: 503 } });
  const broken = await post('/v1/orders/5?page=0', good);
  const kept = await post('/v1/orders/5', good);
  await server.faults.remove(id);
  expect([
    broken.status,
    broken.entry.verdict.request,
    broken.entry.requestFaults.map(({ pointer }) => pointer),
  ]).toEqual([503, 'broken', ['/query/page']]);
  expect([kept.status, kept.entry.verdict.request]).toEqual([503, 'kept']);
});

describe('a broken reply has its rule, its pointer and its line', () => {
  it.each([
    ['a header', 'bad', '/headers/X-Total', 'type', lineOf('type: integer\n          content:')],
    ['a body', 'none', '/body', 'required', lineOf('required: [id]')],
  ])('%s', async (_kind, title, pointer, rule, line) => {
    const { entry } = await post('/v1/orders/5', { title });
    expect([entry.verdict, entry.replyFaults]).toMatchObject([
      { request: 'kept', reply: 'broken' },
      [{ pointer, rule, document: { file: file('api.yaml'), line } }],
    ]);
  });
});

describe('the corrected request', () => {
  it('is a command, with what was right: 200', async () => {
    const { entry } = await post('/v1/orders/5?page=0&x=1', { title: 7, line: { count: '3' } }, { 'X-Key': 'abc' });
    expect(entry.requestFaults.map(({ pointer }) => pointer)).toEqual([
      '/query/page',
      '/requestBody/title',
      '/requestBody/line/count',
    ]);
    expect(entry.corrected).toMatch(
      /^curl .*\/v1\/orders\/5\?x=1&page=\d+.*--data '\{"title":"7","line":\{"count":3\}\}'/,
    );
    const { correction } = await server.exchange(entry.id);
    const { status, entry: next } = await post(correction?.path ?? '', correction?.body, correction?.headers ?? {});
    expect([status, next.verdict]).toEqual([200, { request: 'kept', reply: 'kept' }]);
  });

  it('is not there for a request that is right, or refused by the handler', async () => {
    expect((await post('/v1/orders/5', good)).entry.corrected).toBeUndefined();
  });
});
