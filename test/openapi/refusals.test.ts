/** Refusals in the form that the operation documents, their statuses, and which of several faults wins. */
import { describe, expect, it } from '@jest/globals';
import { askOf, documentOf } from './support/ask.ts';

type Node = Readonly<Record<string, unknown>>;

const problem = (schema: Node, more: Node = {}): Node => ({
  description: 'refused',
  content: { 'application/problem+json': { schema, ...more } },
});
const titled = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string', example: 'Something is wrong' } },
};
const described = { ...titled, properties: { ...titled.properties, detail: { type: 'string', example: 'more' } } };
const ok = { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } };

/** Everything can be wrong with a request to this operation. */
const operation = (responses: Node): Node => ({
  operationId: 'x',
  security: [{ key: [] }],
  parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }],
  requestBody: { required: true, content: { 'application/json': { schema: { type: 'object', required: ['a'] } } } },
  responses,
});

const asked = (responses: Node) =>
  askOf(
    documentOf(
      { '/x': { post: operation(responses) } },
      { components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } } },
    ),
  );

const good = { method: 'POST', headers: { 'X-Key': 'a', 'Content-Type': 'application/json' }, body: '{"a":1}' };
/** Requests with one fault. */
const faults = {
  credentials: ['/x', { ...good, headers: { 'Content-Type': 'application/json' } }],
  'media type': ['/x', { ...good, headers: { 'X-Key': 'a', 'Content-Type': 'text/plain' } }],
  accept: ['/x', { ...good, headers: { ...good.headers, Accept: 'image/png' } }],
  parameter: ['/x?page=x', good],
  syntax: ['/x', { ...good, body: '{' }],
  body: ['/x', { ...good, body: '{}' }],
} as const;
type Fault = keyof typeof faults;

const refused = async (responses: Node, fault: Fault) => {
  const [address, request] = faults[fault];
  const { status, headers, json } = await asked({ 200: ok, ...responses })(address, request);
  return { status, type: headers['Content-Type'], mark: headers['Atoll-Refusal'], json };
};

const form = problem(titled);

describe('The status of a refusal', () => {
  it.each([
    ['parameter', ['400'], 400],
    ['parameter', ['422'], 422],
    ['parameter', ['400', '422'], 400],
    ['parameter', ['4XX'], 400],
    ['parameter', ['default'], 400],
    ['parameter', ['4XX', '422'], 422],
    ['syntax', ['422'], 422],
    ['syntax', ['default'], 400],
    ['body', ['422'], 422],
    ['body', ['400'], 400],
    ['body', ['400', '422'], 422],
    ['body', ['4XX'], 422],
    ['body', ['default'], 422],
    ['credentials', ['401'], 401],
    ['credentials', ['4XX'], 401],
    ['media type', ['415'], 415],
    ['media type', ['default'], 415],
    ['accept', ['406'], 406],
    ['accept', ['4XX'], 406],
  ] as const)('for a wrong %s, where %j are documented, is %s in their form', async (fault, keys, status) => {
    const got = await refused(Object.fromEntries(keys.map((key) => [key, form])), fault);
    expect([got.status, got.type, got.mark]).toEqual([status, 'application/problem+json', undefined]);
    expect(Object.keys(got.json as object)).toEqual(['title']);
  });

  it.each([
    ['parameter', 400],
    ['syntax', 400],
    ['body', 422],
    ['credentials', 401],
    ['media type', 415],
    ['accept', 406],
  ] as const)(
    'for a wrong %s, where none is documented, is %s as problem details (RFC 9457) that are marked',
    async (fault, status) => {
      const got = await refused({ 404: form }, fault);
      expect([got.status, got.type, got.mark]).toEqual([status, 'application/problem+json', 'undocumented']);
      expect(got.json).toEqual({ type: 'about:blank', title: expect.any(String), status, detail: expect.any(String) });
    },
  );
});

describe('What an operation takes', () => {
  const taking = (...types: string[]): Node => ({
    responses: { 200: { description: 'ok' } },
    requestBody: { content: Object.fromEntries(types.map((type) => [type, {}])) },
  });
  const patch = ['application/merge-patch+json', 'application/json-patch+json'];
  const ask = askOf(
    documentOf({
      '/patch': { patch: taking(...patch), get: { responses: {} } },
      '/all': { patch: taking('application/json'), post: taking('text/csv', 'image/*'), put: taking('text/plain') },
      '/range': { patch: taking('*/*'), post: taking('*/*') },
      '/none': { patch: { responses: {} }, post: { responses: {} } },
      '/own': { patch: taking('application/json'), options: { responses: { 200: { description: 'own' } } } },
      '/get': { get: { responses: {} } },
      '/broken': { patch: taking('application/json', 'line\nbreak', 'no type') },
    }),
  );
  const named = (headers: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('Accept')));

  /** RFC 5789 §3.1: a list of media types, which ranges are not. Linked Data Platform §7.1: `Accept-Post` has ranges, too. */
  it.each([
    ['/patch', { 'Accept-Patch': patch.join(', ') }],
    ['/all', { 'Accept-Patch': 'application/json', 'Accept-Post': 'text/csv, image/*' }],
    ['/range', { 'Accept-Post': '*/*' }],
    ['/none', {}],
    ['/own', {}],
    ['/get', {}],
    ['/broken', { 'Accept-Patch': 'application/json' }],
  ])('at %s is said by OPTIONS: %j', async (path, accepted) => {
    const { status, headers } = await ask(path, { method: 'OPTIONS' });
    expect([status, named(headers)]).toEqual([path === '/own' ? 200 : 204, accepted]);
  });

  /** RFC 9110 §15.5.16, RFC 5789 §2.2 */
  it.each([
    ['PATCH', '/patch', 'application/json', { Accept: patch.join(', '), 'Accept-Patch': patch.join(', ') }],
    ['PATCH', '/all', 'text/csv', { Accept: 'application/json', 'Accept-Patch': 'application/json' }],
    ['POST', '/all', 'text/html', { Accept: 'text/csv, image/*', 'Accept-Post': 'text/csv, image/*' }],
    ['PUT', '/all', 'text/csv', { Accept: 'text/plain' }],
    ['PUT', '/all', 'nonsense', { Accept: 'text/plain' }],
    ['PUT', '/all', 'text/plain; charset=klingon', { Accept: 'text/plain' }],
    ['PATCH', '/broken', 'text/csv', { Accept: 'application/json', 'Accept-Patch': 'application/json' }],
  ])('is said by the 415 of %s %s with %s', async (method, path, type, accepted) => {
    const { status, headers } = await ask(path, { method, headers: { 'Content-Type': type }, body: 'x' });
    expect([status, named(headers)]).toEqual([415, accepted]);
  });

  it('is said without a Content-Type', async () => {
    const { status, headers } = await ask('/all', { method: 'PUT', body: 'x' });
    expect([status, named(headers)]).toEqual([415, { Accept: 'text/plain' }]);
  });

  it('names codings in place of media types where the coding is not known', async () => {
    const { status, headers } = await ask('/all', {
      ...{ method: 'PUT', headers: { 'Content-Type': 'text/plain', 'Content-Encoding': 'br' }, body: 'x' },
    });
    expect([status, named(headers)]).toEqual([415, { 'Accept-Encoding': 'gzip, deflate, identity' }]);
  });
});

describe('The reason', () => {
  it('is the detail of problem details that have no schema (RFC 9457 §3.1.4)', async () => {
    const { json } = await refused(
      { 400: { description: 'no', content: { 'application/problem+json': { example: { title: 'Wrong' } } } } },
      'parameter',
    );
    expect(json).toEqual({ title: 'Wrong', detail: '/query/page: must be integer' });
  });
});

describe('Of two faults', () => {
  const order: readonly Fault[] = ['credentials', 'media type', 'accept', 'parameter', 'body'];
  const pairs = order.flatMap((first, at) => order.slice(at + 1).map((second) => [first, second] as const));
  it.each(pairs)('%s goes before %s', async (first, second) => {
    const [firstAddress, firstRequest] = faults[first];
    const [secondAddress, secondRequest] = faults[second];
    const both = {
      method: 'POST',
      headers: Object.fromEntries(
        Object.entries({
          ...good.headers,
          ...(second === 'accept' || first === 'accept' ? { Accept: 'image/png' } : {}),
        })
          .filter(([name]) => name !== 'X-Key' || first !== 'credentials')
          .map(([name, value]) => [
            name,
            name === 'Content-Type' && [first, second].includes('media type') ? 'text/plain' : value,
          ]),
      ),
      body: secondRequest.body === '{"a":1}' ? firstRequest.body : secondRequest.body,
    };
    const address = firstAddress === '/x' ? secondAddress : firstAddress;
    const [alone] = [await refused({}, first)];
    expect((await asked({ 200: ok })(address, both)).status).toBe(alone.status);
  });

  it('a method goes before credentials', async () => {
    expect((await asked({ 200: ok })('/x', { method: 'PUT' })).status).toBe(405);
  });
});

describe('The reason', () => {
  const reason = '/query/page: must be integer';
  const bodyOf = async (response: Node) => (await refused({ 400: response }, 'parameter')).json;
  const member = (name: string) => ({ type: 'object', required: [name], properties: { [name]: { type: 'string' } } });
  it.each([
    ['detail before the others', problem(described), { title: 'Something is wrong', detail: reason }],
    ['title', problem(titled), { title: reason }],
    ['message', problem(member('message')), { message: reason }],
    ['error_description', problem(member('error_description')), { error_description: reason }],
    [
      'error.message',
      problem({
        type: 'object',
        properties: {
          error: {
            ...member('message'),
            properties: { message: { type: 'string' }, code: { type: 'integer', example: 7 } },
          },
        },
      }),
      { error: { message: reason, code: 7 } },
    ],
    [
      'errors[0].message',
      problem({ type: 'object', properties: { errors: { type: 'array', items: member('message') } } }),
      { errors: [{ message: reason }] },
    ],
    [
      'nothing where the schema does not allow it',
      problem({ type: 'object', properties: { title: { const: 'No' }, code: { type: 'integer', example: 9 } } }),
      { title: 'No', code: 9 },
    ],
    [
      'nothing where it would be too long',
      problem({ type: 'object', properties: { message: { type: 'string', maxLength: 5, example: 'Bad' } } }),
      { message: 'Bad' },
    ],
    [
      'the example of the response, and the reason in it',
      problem({ type: 'object' }, { example: { code: 'E1', message: 'x' } }),
      { code: 'E1', message: reason },
    ],
  ])('stands in %s', async (_name, response, json) => {
    expect(await bodyOf(response)).toEqual(json);
  });

  it('is a header, too, with one line', async () => {
    const { headers } = await asked({ 200: ok, 400: form })('/x?page=x', good);
    expect(headers['Atoll-Reason']).toBe(reason);
  });

  it('is the text of a refusal that is one', async () => {
    const text = { description: 'refused', content: { 'text/plain': { schema: { type: 'string' } } } };
    const { text: body } = await asked({ 200: ok, 400: text })('/x?page=x', good);
    expect(body).toBe(reason);
  });

  it('leaves a refusal without content empty', async () => {
    const { status, text } = await asked({ 200: ok, 400: { description: 'refused' } })('/x?page=x', good);
    expect([status, text]).toEqual([400, '']);
  });

  it('comes with the headers of the response', async () => {
    const response = { ...form, headers: { 'X-Trace': { required: true, schema: { type: 'string' }, example: 't1' } } };
    expect((await asked({ 200: ok, 400: response })('/x?page=x', good)).headers['X-Trace']).toBe('t1');
  });
});

it("What the client did wrong is not the server's fault", async () => {
  const { noticed } = await asked({ 200: ok })('/x?page=x', good);
  expect(noticed.replyViolations).toEqual([]);
  expect(noticed.requestViolations).toEqual([
    expect.objectContaining({ pointer: '/query/page', rule: expect.objectContaining({ keyword: 'type' }) }),
  ]);
});
