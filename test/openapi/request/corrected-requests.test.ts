/** Corrected requests: each is accepted, and keeps what was right. Values of parameters are written as they are read. */
import { describe, expect, it } from '@jest/globals';
import type { CorrectedParts, Handler } from '../../../src/openapi/openapi.ts';
import { writtenPairs, writtenText } from '../../../src/openapi/request/written-parameter.ts';
import { askOf, documentOf, engineFor } from '../support/ask.ts';

type Parameter = Parameters<typeof writtenText>[0];
type Node = Readonly<Record<string, unknown>>;

const echo: Handler<unknown> = ({ path, query, headers, cookies, body }) => ({
  body: { path, query, p: headers['p'], cookies, body },
});
const ok = { 200: { description: 'ok', content: { 'application/json': {} } } };

describe('the value of a parameter comes back as it was written', () => {
  const values = {
    text: [{ type: 'string' }, 'a b'],
    number: [{ type: 'number' }, -2.5],
    list: [{ type: 'array', items: { type: 'string' } }, ['x', 'y+z']],
    object: [
      { type: 'object', properties: { r: { type: 'integer' }, g: { type: 'string' } } },
      { r: 1, g: 'a' },
    ],
  } as const;
  const styles: [Parameter['in'], string, boolean[]][] = [
    ['path', 'simple', [false, true]],
    ['path', 'label', [false, true]],
    ['path', 'matrix', [false, true]],
    ['query', 'form', [false, true]],
    ['query', 'spaceDelimited', [false]],
    ['query', 'pipeDelimited', [false]],
    ['query', 'deepObject', [true]],
    ['header', 'simple', [false, true]],
    ['cookie', 'form', [false]],
  ];
  const rows = styles.flatMap(([place, style, explodes]) =>
    explodes.flatMap((explode) =>
      (Object.keys(values) as (keyof typeof values)[])
        .filter((kind) => style !== 'deepObject' || kind === 'object')
        .filter((kind) => !/Delimited/.test(style) || kind === 'list')
        .map((kind) => [place, style, explode, kind] as const),
    ),
  );
  it.each(rows)('%s %s, exploded %s: %s', async (place, style, explode, kind) => {
    const [schema, value] = values[kind];
    const described = { name: 'p', in: place, style, explode, schema, required: place === 'path' };
    const parameter: Parameter = {
      name: 'p',
      in: place,
      style,
      explode,
      schema,
      isRequired: false,
      allowsEmpty: false,
      mediaType: undefined,
    };
    const path = place === 'path' ? '/x/{p}' : '/x';
    const ask = askOf(documentOf({ [path]: { get: { operationId: 'x', parameters: [described], responses: ok } } }), {
      handlers: new Map([['x', echo]]),
    });
    const text = writtenText(parameter, value);
    const query =
      place === 'query'
        ? `?${writtenPairs(parameter, value)
            .map((pair) => pair.join('='))
            .join('&')}`
        : '';
    const headers = place === 'header' ? { p: text } : place === 'cookie' ? { cookie: text } : {};
    const { status, json } = await ask(place === 'path' ? `/x/${text}` : `/x${query}`, {
      headers: headers,
    });
    const read = json as { path: Node; query: Node; p: unknown; cookies: Node };
    const got =
      place === 'path'
        ? read.path['p']
        : place === 'query'
          ? read.query['p']
          : place === 'cookie'
            ? read.cookies['p']
            : read.p;
    expect([status, got]).toEqual([200, value]);
  });
});

const document = documentOf(
  {
    '/shops/{shop}/orders': {
      post: {
        operationId: 'x',
        parameters: [
          { name: 'shop', in: 'path', required: true, schema: { type: 'integer', minimum: 1 }, example: 4 },
          { name: 'page', in: 'query', schema: { type: 'integer', default: 1 } },
          { name: 'sort', in: 'query', required: true, schema: { enum: ['up', 'down'] } },
          {
            name: 'near',
            in: 'query',
            style: 'deepObject',
            explode: true,
            schema: { type: 'object', required: ['x'], properties: { x: { type: 'integer', example: 3 } } },
          },
          { name: 'X-Trace', in: 'header', required: true, schema: { type: 'string', pattern: '^[a-f]{4}$' } },
          { name: 'seen', in: 'cookie', schema: { type: 'boolean' } },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['title', 'lines'],
                additionalProperties: false,
                properties: {
                  title: { type: 'string', minLength: 2, example: 'Order' },
                  count: { $ref: '#/components/schemas/Count' },
                  lines: {
                    type: 'array',
                    minItems: 1,
                    items: {
                      type: 'object',
                      required: ['sku'],
                      properties: { sku: { type: 'string', example: 'A1' } },
                    },
                  },
                },
              },
            },
            'text/csv': {},
          },
        },
        responses: ok,
      },
    },
  },
  { components: { schemas: { Count: { type: 'integer', minimum: 1 } } } },
);

const good = {
  path: '/api/shops/7/orders',
  query: 'sort=up&other=a+b',
  headers: { 'content-type': 'application/json', 'x-trace': 'abcd', cookie: 'a=1' } as Record<string, string>,
  body: { title: 'Mine', count: 2, lines: [{ sku: 'B' }] } as unknown,
};
type Sent = typeof good;

const engine = engineFor(document, { basePaths: ['/api'], handlers: new Map([['x', echo]]) });
const ask = askOf(document, { basePaths: ['/api'], handlers: new Map([['x', echo]]) });

const correct = async ({ path, query, headers, body }: Sent) => {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const sized = text === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(text)) };
  return engine.correct({ method: 'POST', path, query, headers: sized, text });
};

const send = (sent: Sent, { path, query, headers, contentType, body }: CorrectedParts) => {
  const changed = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  const written =
    typeof body === 'object'
      ? JSON.stringify(body.value)
      : typeof sent.body === 'string'
        ? sent.body
        : JSON.stringify(sent.body);
  return ask(`${path}?${query}`, {
    method: 'POST',
    headers: { ...sent.headers, ...changed, ...(contentType === undefined ? {} : { 'content-type': contentType }) },
    ...(body === undefined ? {} : { body: written }),
  });
};

it('leaves a request alone that the document allows', async () => {
  expect(await correct(good)).toEqual({ violations: [], request: undefined });
});

/** What is sent, what is wrong with it, and what a handler gets of the corrected request besides what was right. */
const rows: [string, Partial<Sent>, string[], Node][] = [
  ['a path', { path: '/api/shops/x/orders' }, ['/path/shop'], { path: { shop: 4 } }],
  ['a number in the query', { query: 'page=x&sort=up&other=a+b' }, ['/query/page'], { query: { page: 1, sort: 'up' } }],
  ['what is missing in the query', { query: '' }, ['/query/sort'], { query: { page: 1, sort: 'up' } }],
  [
    'two of the query',
    { query: 'page=x&sort=left' },
    ['/query/page', '/query/sort'],
    { query: { page: 1, sort: 'up' } },
  ],
  [
    'a member of an object',
    { query: 'near[x]=far&sort=down' },
    ['/query/near/x'],
    { query: { page: 1, sort: 'down', near: { x: 3 } } },
  ],
  ['a header that is missing', { headers: { 'content-type': 'application/json' } }, ['/header/X-Trace'], {}],
  ['a header', { headers: { ...good.headers, 'x-trace': 'nope!' } }, ['/header/X-Trace'], {}],
  [
    'a cookie',
    { headers: { ...good.headers, cookie: 'a=1; seen=maybe' } },
    ['/cookie/seen'],
    { cookies: { seen: expect.any(Boolean) } },
  ],
  [
    'a member of the body',
    { body: { title: 'Mine', count: '2', lines: [{ sku: 'B' }] } },
    ['/requestBody/count'],
    { body: good.body },
  ],
  [
    'a rule behind a reference',
    { body: { title: 'Mine', count: 0, lines: [{ sku: 'B' }] } },
    ['/requestBody/count'],
    { body: { title: 'Mine', count: expect.any(Number), lines: [{ sku: 'B' }] } },
  ],
  [
    'a member that is missing',
    { body: { title: 'Mine', lines: [{}] } },
    ['/requestBody/lines/0'],
    { body: { title: 'Mine', lines: [{ sku: 'A1' }] } },
  ],
  ['a member too many', { body: { ...(good.body as object), extra: 1 } }, ['/requestBody'], { body: good.body }],
  [
    'several members',
    { body: { title: '', count: true, lines: [] } },
    ['/requestBody/title', '/requestBody/count', '/requestBody/lines'],
    { body: expect.objectContaining({ title: 'Order' }) },
  ],
  ['what is no JSON', { body: '{"title":' }, ['/requestBody'], { body: expect.objectContaining({ title: 'Order' }) }],
  [
    'no body',
    { body: undefined, headers: { 'x-trace': 'abcd' } },
    ['/requestBody'],
    { body: expect.objectContaining({ title: 'Order' }) },
  ],
  [
    'a media type',
    { headers: { ...good.headers, 'content-type': 'application/xml' } },
    ['/header/content-type'],
    { body: good.body },
  ],
  ['Accept', { headers: { ...good.headers, accept: 'image/png' } }, ['/header/accept'], {}],
];

it.each(rows)('corrects %s, and the rest is as it was sent: 200', async (_kind, changes, pointers, got) => {
  const sent: Sent = { ...good, ...changes };
  expect(
    (
      await send(sent, {
        path: sent.path,
        query: sent.query,
        headers: [],
        contentType: undefined,
        body: sent.body === undefined ? undefined : 'sent',
      })
    ).status,
  ).not.toBe(200);
  const correction = await correct(sent);
  expect(correction?.violations.map(({ pointer }) => pointer)).toEqual(pointers);
  if (correction?.request === undefined) throw new Error('There is no correction.');
  const { status, json } = await send(sent, correction.request);
  const whole = { path: { shop: 7 }, query: { page: 1, sort: 'up' }, cookies: {}, body: good.body };
  expect([status, json]).toMatchObject([200, { ...whole, ...got }]);
  if (sent.query.includes('other')) expect(correction.request.query).toContain('other=a+b');
  if (sent.headers['cookie'] !== undefined && correction.request.headers.some(([name]) => name === 'Cookie'))
    expect(Object.fromEntries(correction.request.headers)['Cookie']).toContain('a=1; seen=');
});

it('has nothing for a path that no operation has', () => {
  expect(engine.correct({ method: 'GET', path: '/nowhere', query: '', headers: {}, text: undefined })).toBeUndefined();
});
