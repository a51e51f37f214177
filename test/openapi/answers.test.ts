/** What a mock answers: which response, which media type, which example, with which headers. */
import { describe, expect, it } from '@jest/globals';
import { askOf, documentOf, jsonAnswer } from './support/ask.ts';

type Node = Readonly<Record<string, unknown>>;

const answering = (responses: Node, more: Node = {}) =>
  askOf(documentOf({ '/x': { get: { operationId: 'x', responses } } }, more));
const json = (example: unknown): Node => ({ description: '', content: { 'application/json': { example } } });

describe('The response', () => {
  it.each([
    [['200', '201'], 200],
    [['404', '201'], 201],
    [['2XX'], 200],
    [['2xx', '404'], 200],
    [['default'], 200],
    [['404', 'default'], 200],
    [['302'], 302],
    [['404'], 404],
    [['5XX'], 500],
    [['204'], 204],
  ])('of %j is %s', async (keys, status) => {
    const { status: got, json: body } = await answering(Object.fromEntries(keys.map((key) => [key, json({ key })])))(
      '/x',
    );
    expect(got).toBe(status);
    if (status !== 204) expect(body).toEqual({ key: expect.any(String) });
  });

  it('without any is 200 without a body', async () => {
    const { status, text } = await answering({})('/x');
    expect([status, text]).toEqual([200, '']);
  });

  it.each([
    ['code=404', ['200', '404', '4XX', 'default'], 404, '404'],
    ['code=404', ['200', '4XX', 'default'], 404, '4XX'],
    ['code=404', ['200', 'default'], 404, 'default'],
    ['code=4XX', ['200', '404', '409'], 404, '404'],
    ['code=4XX', ['200', '4XX', '404'], 400, '4XX'],
    ['code="404"', ['200', '404'], 404, '404'],
    ['respond-async, code=404; wait=5', ['200', '404'], 404, '404'],
    ['dynamic=true, code=404', ['200', '404'], 404, '404'],
  ])('that Prefer: %s asks for, of %j, is %s of %s', async (prefer, keys, status, key) => {
    const ask = answering(Object.fromEntries(keys.map((each) => [each, json({ key: each })])));
    const { status: got, json: body } = await ask('/x', { headers: { Prefer: prefer } });
    expect([got, body]).toEqual([status, { key }]);
  });

  it.each(['code=500', 'code=abc', 'example=nope'])(
    'that Prefer: %s asks for and is not there is refused',
    async (prefer) => {
      const { status, headers } = await answering({ 200: json(1) })('/x', { headers: { Prefer: prefer } });
      expect([status, headers['Atoll-Refusal']]).toEqual([400, 'undocumented']);
    },
  );
});

describe('The media type', () => {
  const media = {
    'application/json': { example: { a: 1 } },
    'text/csv': { example: 'a\n1\n' },
    'application/xml': { example: '<a>1</a>' },
    'image/png': { schema: { type: 'string', contentEncoding: 'base64' }, example: 'aGFyYm91cg==' },
  };
  const ask = answering({ 200: { description: '', content: media } });
  it.each([
    [undefined, 'application/json', '{"a":1}'],
    ['', 'application/json', '{"a":1}'],
    ['*/*', 'application/json', '{"a":1}'],
    ['text/csv', 'text/csv; charset=utf-8', 'a\n1\n'],
    ['text/*', 'text/csv; charset=utf-8', 'a\n1\n'],
    ['application/json;q=0.1, text/csv', 'text/csv; charset=utf-8', 'a\n1\n'],
    ['application/json;q=0, */*', 'text/csv; charset=utf-8', 'a\n1\n'],
    ['application/xml, application/json', 'application/xml', '<a>1</a>'],
    ['text/html, image/*', 'image/png', 'harbour'],
    ['TEXT/CSV', 'text/csv; charset=utf-8', 'a\n1\n'],
  ])('for Accept: %s is %s', async (accept, type, text) => {
    const answer = await ask('/x', accept === undefined ? {} : { headers: { Accept: accept } });
    expect([answer.status, answer.headers['Content-Type'], answer.text]).toEqual([200, type, text]);
  });

  it('that the client does not accept is 406', async () => {
    expect((await ask('/x', { headers: { Accept: 'text/html' } })).status).toBe(406);
  });

  /** RFC 9110 §12.5.1: a range matches a type with its parameters, and the most specific range counts. */
  it.each<[kind: string, accept: string, documented: string[], chosen: string | 406]>([
    ['a charset', 'application/json; charset=utf-8', ['application/json'], 'application/json'],
    ['a charset in other letters', 'application/json;Charset="UTF-8";q=0.5', ['application/json'], 'application/json'],
    ['another charset', 'text/plain; charset=iso-8859-1', ['text/plain'], 'text/plain'],
    ['a charset of both', 'text/csv;charset=latin1', ['text/csv; charset=utf-8'], 'text/csv; charset=utf-8'],
    ['a charset of a suffix', 'application/hal+json;charset=utf-8', ['application/hal+json'], 'application/hal+json'],
    ['a charset of a range', 'application/*;charset=utf-8', ['text/csv', 'application/json'], 'application/json'],
    ['a charset of any type', '*/*;charset=utf-8', ['application/json'], 'application/json'],
    ['a charset for a documented range', 'application/json;charset=utf-8', ['application/*'], 'application/json'],
    ['a charset without weight', 'application/json;charset=utf-8;q=0, */*;q=0.1', ['application/json'], 406],
    ['a parameter that the document lacks', 'application/json;odata=verbose', ['application/json'], 'application/json'],
    ['such a one with a comma', 'application/json;profile="a,b"', ['application/json'], 'application/json'],
    ['such a one next to a charset', 'application/json;v=1;charset=utf-8', ['application/json'], 'application/json'],
    [
      'such a one with a low weight',
      'application/json;v=1;q=0.1, text/csv',
      ['application/json', 'text/csv'],
      'text/csv',
    ],
    ['the same parameter', 'a/j;profile="a"', ['a/j;profile="b"', 'a/j;profile="a"'], 'a/j;profile="a"'],
    ['the same and more', 'a/j;profile="a";v=1', ['a/j;profile="b"', 'a/j;profile="a"'], 'a/j;profile="a"'],
    ['the same goes before none', 'a/j;profile="a"', ['a/j', 'a/j;profile="a"'], 'a/j;profile="a"'],
    ['none goes before another', 'a/j;profile="a"', ['a/j;profile="b"', 'a/j'], 'a/j'],
    ['another alone', 'a/j;profile="a"', ['a/j;profile="b"'], 406],
    ['another, and the type', 'a/j;profile="a", a/j;q=0.1', ['a/j;profile="b"'], 'a/j;profile="b"'],
    ['none, where the document has one', 'a/j', ['a/j;profile="b"'], 'a/j;profile="b"'],
    ['a charset of another type', 'text/html;charset=utf-8', ['application/json'], 406],
  ])('by parameters: %s', async (_, accept, documented, chosen) => {
    const content = Object.fromEntries(documented.map((type) => [type, { example: type }]));
    const handled = askOf(
      documentOf({ '/x': { get: { operationId: 'x', responses: { 200: { description: '', content } } } } }),
      { handlers: new Map([['x', () => ({ body: 'text' })]]) },
    );
    for (const asked of [answering({ 200: { description: '', content } }), handled]) {
      const { status, headers } = await asked('/x', { headers: { Accept: accept } });
      expect(status === 200 ? String(headers['Content-Type']).split('; charset')[0] : status).toBe(
        chosen === 406 ? 406 : chosen.split('; charset')[0],
      );
    }
  });

  it('may be named by Prefer', async () => {
    expect(
      (await ask('/x', { headers: { Prefer: 'media-type=text/csv', Accept: 'application/json' } })).headers[
        'Content-Type'
      ],
    ).toBe('text/csv; charset=utf-8');
  });

  it('of a range is the one that the client names', async () => {
    const any = answering({ 200: { description: '', content: { 'image/*': {} } } });
    expect((await any('/x', { headers: { Accept: 'image/gif' } })).headers['Content-Type']).toBe('image/gif');
    expect((await any('/x')).headers['Content-Type']).toBe('image/png');
  });
});

describe('The example', () => {
  const body = async (media: Node, headers = {}, more: Node = {}) =>
    (await askOf(documentOf({ '/x': { get: { operationId: 'x', ...jsonAnswer(media) } } }, more))('/x', { headers }))
      .json;
  const schemas = (all: Node): Node => ({ components: { schemas: all } });
  const ada = { name: 'Ada' };
  it.each<[string, Node, unknown, Node?]>([
    ['of the media', { example: ada }, ada],
    ['the first of several', { examples: { one: { value: ada }, two: { value: {} } } }, ada],
    [
      'behind a reference',
      { examples: { one: { $ref: '#/components/examples/Ada' } } },
      ada,
      { components: { examples: { Ada: { value: ada } } } },
    ],
    ['of the schema', { schema: { type: 'object', example: ada } }, ada],
    ["the first of the schema's", { schema: { examples: [ada, {}] } }, ada],
    ['the default of the schema', { schema: { default: ada } }, ada],
    ['of a member', { schema: { properties: { name: { type: 'string', example: 'Ada' } } } }, ada],
    ["the first of a member's", { schema: { properties: { name: { type: 'string', examples: ['Ada'] } } } }, ada],
    ['the default of a member', { schema: { properties: { name: { default: 'Ada' } } } }, ada],
    ['the constant of a member', { schema: { properties: { name: { const: 'Ada' } } } }, ada],
    ['the first of an enum', { schema: { properties: { name: { enum: ['Ada', 'Grace'] } } } }, ada],
    ['of an item', { schema: { type: 'array', items: { example: 5 } } }, [5]],
    ['of a list', { schema: { type: 'array', example: [1, 2], items: {} } }, [1, 2]],
    [
      'below allOf',
      { schema: { allOf: [{ properties: { name: { example: 'Ada' } } }, { properties: { age: { example: 36 } } }] } },
      { name: 'Ada', age: 36 },
    ],
    [
      'of a branch of allOf',
      { schema: { allOf: [{ type: 'object', example: ada }, { properties: { age: { example: 36 } } }] } },
      { name: 'Ada', age: 36 },
    ],
    ['below oneOf', { schema: { oneOf: [{ properties: { name: { example: 'Ada' } } }, { type: 'string' }] } }, ada],
    [
      'through $ref',
      { schema: { $ref: '#/components/schemas/Person' } },
      ada,
      schemas({ Person: { properties: { name: { example: 'Ada' } } } }),
    ],
    [
      'of a $ref in a list',
      { schema: { type: 'array', items: { $ref: '#/components/schemas/Person' } } },
      [ada],
      schemas({ Person: { example: ada } }),
    ],
    [
      'beside a $ref',
      { schema: { properties: { name: { $ref: '#/components/schemas/Name', example: 'Ada' } } } },
      ada,
      schemas({ Name: { type: 'string', example: 'Bob' } }),
    ],
    [
      'two references to one schema',
      { schema: { properties: { a: { $ref: '#/components/schemas/N' }, b: { $ref: '#/components/schemas/N' } } } },
      { a: { n: 1 }, b: { n: 1 } },
      schemas({ N: { properties: { n: { example: 1 } } } }),
    ],
    ['null', { schema: { properties: { name: { type: ['string', 'null'], example: null } } } }, { name: null }],
    ['that is null', { schema: { type: ['object', 'null'] }, example: null }, null],
    ['that is null, of several', { schema: { type: ['object', 'null'] }, examples: { one: { value: null } } }, null],
    [
      'no default of another type',
      { schema: { properties: { name: { type: 'string', default: null, maxLength: 4 } } } },
      { name: 'Ada' },
    ],
    [
      'false, zero and nothing',
      { schema: { properties: { a: { example: false }, b: { example: 0 }, c: { example: '' } } } },
      { a: false, b: 0, c: '' },
    ],
    ['that is JSON in a text', { schema: { type: 'object' }, example: '{"name":"Ada"}' }, ada],
    ['that is a text and looks like JSON', { schema: { type: 'string' }, example: '{"name":"Ada"}' }, '{"name":"Ada"}'],
  ])('%s', async (_name, media, value, more = {}) => {
    expect(await body(media, {}, more)).toEqual(value);
  });

  it('is chosen by its name', async () => {
    const media = { examples: { one: { value: 1 }, two: { value: 2 } } };
    expect(await body(media, { Prefer: 'example=two' })).toBe(2);
  });

  it('gives way to made values that look like what their names say', async () => {
    const properties = { email: { type: 'string' }, homepage: { type: 'string' } };
    const made = await body({ schema: { type: 'object', properties } }, { Prefer: 'dynamic=true' });
    expect(made).toEqual({
      email: expect.stringMatching(/^\w+@example\.org$/),
      homepage: expect.stringMatching(/^https:\/\/example\.org\/\w+$/),
    });
  });

  it('gives way to made values, the same each time', async () => {
    const media = {
      schema: {
        properties: { name: { type: 'string', example: 'Ada' }, age: { type: 'integer' } },
        required: ['name'],
      },
      example: { name: 'Ada' },
    };
    const dynamic = await body(media, { Prefer: 'dynamic=true' });
    expect(dynamic).not.toEqual({ name: 'Ada' });
    expect(await body(media, { Prefer: 'dynamic=true' })).toEqual(dynamic);
  });
});

describe('Bytes', () => {
  const bytes = async (type: string, media: Node, external?: Readonly<Record<string, string>>) =>
    (
      await askOf(documentOf({ '/x': { get: { operationId: 'x', ...jsonAnswer(media, type) } } }), {
        external: (address) => (external?.[address] === undefined ? undefined : Buffer.from(external[address])),
      })('/x')
    ).bytes;
  it('of an externalValue are those of the file', async () => {
    expect(
      String(
        await bytes(
          'image/png',
          { examples: { a: { externalValue: 'file:///a.png' } } },
          { 'file:///a.png': 'picture' },
        ),
      ),
    ).toBe('picture');
  });
  it.each([
    ['image/png', { example: Buffer.from('a picture of one pixel').toString('base64') }, 'a picture of one pixel'],
    ['application/pdf', { schema: { type: 'string', format: 'byte' }, example: 'UERG' }, 'PDF'],
    ['application/octet-stream', { schema: { type: 'string', contentEncoding: 'base64' }, example: 'YWJj' }, 'abc'],
    ['text/plain', { example: 'YWJj' }, 'YWJj'],
    ['application/octet-stream', { example: 'abcd' }, 'abcd'],
  ])('of %s, as %j', async (type, media, text) => {
    expect(String(await bytes(type, media))).toBe(text);
  });
  it('of a picture without an example are a picture', async () => {
    expect((await bytes('image/png', { schema: { type: 'string', format: 'binary' } })).subarray(1, 4).toString()).toBe(
      'PNG',
    );
  });
});

describe('XML', () => {
  const xml = async (schema: Node, more: Node = {}) =>
    (
      await askOf(
        documentOf({ '/x': { get: { operationId: 'x', ...jsonAnswer({ schema }, 'application/xml') } } }, more),
      )('/x')
    ).text.split('\n')[1];
  const name = { type: 'string', example: 'Ada' };
  it.each<[string, Node, string, Node?]>([
    ['a member', { xml: { name: 'person' }, properties: { name } }, '<person><name>Ada</name></person>'],
    [
      'an attribute',
      { xml: { name: 'person' }, properties: { id: { example: 7, xml: { attribute: true } }, name } },
      '<person id="7"><name>Ada</name></person>',
    ],
    [
      'another name',
      { xml: { name: 'p' }, properties: { name: { ...name, xml: { name: 'called' } } } },
      '<p><called>Ada</called></p>',
    ],
    [
      'a list',
      { xml: { name: 'p' }, properties: { tags: { type: 'array', example: ['a', 'b'], items: {} } } },
      '<p><tags>a</tags><tags>b</tags></p>',
    ],
    [
      'a wrapped list',
      {
        xml: { name: 'p' },
        properties: {
          tags: { type: 'array', xml: { wrapped: true }, example: ['a', 'b'], items: { xml: { name: 'tag' } } },
        },
      },
      '<p><tags><tag>a</tag><tag>b</tag></tags></p>',
    ],
    [
      'a prefix and a namespace',
      { xml: { name: 'p', prefix: 'x', namespace: 'urn:x' }, properties: { name } },
      '<x:p xmlns:x="urn:x"><name>Ada</name></x:p>',
    ],
    [
      'the name of a schema',
      { $ref: '#/components/schemas/Person' },
      '<Person><name>Ada</name></Person>',
      { components: { schemas: { Person: { properties: { name } } } } },
    ],
    [
      'signs that XML escapes',
      { xml: { name: 'p' }, properties: { name: { example: '<&>' } } },
      '<p><name>&lt;&amp;&gt;</name></p>',
    ],
  ])('of %s', async (_name, schema, text, more = {}) => {
    expect(await xml(schema, more)).toBe(text);
  });
});

describe('A header', () => {
  const header = async (name: string, described: Node) =>
    (await answering({ 200: { description: '', headers: { [name]: described } } })('/x')).headers[name];
  it.each<[string, Node, unknown]>([
    ['X-A', { example: 'a' }, 'a'],
    ['X-A', { schema: { type: 'integer', example: 5 } }, '5'],
    ['X-A', { schema: { default: true } }, 'true'],
    ['X-A', { schema: { type: 'string' } }, undefined],
    ['X-A', { required: true, schema: { const: 'b' } }, 'b'],
    ['X-A', { required: true, schema: { type: 'integer', minimum: 3 } }, '3'],
    ['X-A', { examples: { one: { value: 'c' } } }, 'c'],
    ['X-A', { example: ['a', 'b'], schema: { type: 'array' } }, 'a, b'],
    ['X-A', { example: { a: 1 }, schema: { type: 'object' } }, 'a,1'],
    ['X-A', { example: { a: 1 }, explode: true, schema: { type: 'object' } }, 'a=1'],
    ['X-A', { content: { 'application/json': { example: { a: 1 } } } }, '{"a":1}'],
    ['Set-Cookie', { example: ['a=1', 'b=2'] }, ['a=1', 'b=2']],
    ['X-A', { example: 'two\r\nlines' }, 'two lines'],
    ['Content-Type', { example: 'text/html' }, undefined],
  ])('%s described as %j is %j', async (name, described, value) => {
    expect(await header(name, described)).toEqual(value);
  });
});

it('A mock says that it is one, and that its example breaks its schema', async () => {
  const { headers, noticed } = await askOf(
    documentOf({
      '/x': { get: { operationId: 'x', ...jsonAnswer({ schema: { type: 'object', required: ['a'] }, example: {} }) } },
    }),
  )('/x');
  expect(headers['Atoll-Mocked']).toBe('true');
  expect(noticed.replyViolations).toEqual([expect.objectContaining({ pointer: '/body' })]);
});
