/** Bodies of every media type that a document may have: how they are read, typed, checked and refused. */
import { gzipSync, deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { HandlerRequest } from '../../src/openapi/openapi.ts';
import { askOf, documentOf } from './support/ask.ts';

type Node = Readonly<Record<string, unknown>>;

const responses = { 200: { description: 'ok' } };

/** Serves `POST /x`, which answers with the body that its handler got. */
const echoing = (content: Node, { isRequired = true, limits = {} } = {}) =>
  askOf(
    documentOf({ '/x': { post: { operationId: 'x', requestBody: { required: isRequired, content }, responses } } }),
    {
      handlers: new Map([['x', async ({ body }: HandlerRequest) => ({ body: { got: await shown(body) } })]]),
      ...{ checkReplies: 'off', limits },
    },
  );

/** Bytes as their text. */
const shown = async (body: unknown): Promise<unknown> => {
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body))
    return body === undefined ? 'nothing' : body;
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return `bytes ${Buffer.concat(chunks).toString()}`;
};

const send = async (
  ask: ReturnType<typeof askOf>,
  type: string | undefined,
  body: string | Uint8Array,
  headers = {},
) => {
  const sent = type === undefined ? headers : { 'Content-Type': type, ...headers };
  const { status, json, headers: got } = await ask('/x', { method: 'POST', headers: sent, body });
  return status === 200 ? (json as { got: unknown }).got : `${status} ${String(got['Atoll-Reason'])}`;
};

const book = {
  type: 'object',
  required: ['title'],
  additionalProperties: false,
  properties: {
    title: { type: 'string', minLength: 2 },
    year: { type: 'integer' },
    lang: { type: 'string', default: 'en' },
  },
};

describe('A body of JSON', () => {
  const ask = echoing({ 'application/json': { schema: book } });
  it.each([
    ['with its defaults', '{"title":"ab","year":3}', { title: 'ab', year: 3, lang: 'en' }],
    ['with a byte order mark', '\ufeff{"title":"ab"}', { title: 'ab', lang: 'en' }],
    ['that is none', '{', expect.stringMatching(/^400 The body is not JSON/)],
    ['that is empty', ' ', '400 The body is empty.'],
    ['that is no UTF-8', Buffer.from([0x22, 0xe9, 0x22]), '400 The body is not UTF-8.'],
    ['against its schema', '{"title":"a"}', '422 /requestBody/title: must NOT have fewer than 2 characters'],
    ['with another member', '{"title":"ab","x":1}', '422 /requestBody: must NOT have additional properties (x)'],
    [
      'nested too deeply',
      `{"title":${'['.repeat(600)}${']'.repeat(600)}}`,
      '400 The JSON is nested more than 500 levels deep.',
    ],
    ['of another type', '5', '422 /requestBody: must be object'],
    ['with a number beyond all numbers', '{"title":"ab","year":1e999}', '422 /requestBody/year: must be integer'],
    ['null', 'null', '422 /requestBody: must be object'],
  ])('%s', async (_name, body, value) => {
    expect(await send(ask, 'application/json', body)).toEqual(value);
  });

  it('may have names that every object has: they are data', async () => {
    const any = echoing({ 'application/json': { schema: { type: 'object' } } });
    const { json } = await any('/x', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"__proto__":{"a":1},"constructor":2}',
    });
    expect(JSON.stringify(json)).toBe('{"got":{"__proto__":{"a":1},"constructor":2}}');
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  it('is not refused because of a default that its author has got wrong', async () => {
    const wrong = {
      properties: {
        a: { type: 'string', default: null },
        b: { type: 'integer', default: 1 },
        c: { enum: ['x'], default: 'y' },
      },
    };
    expect(await send(echoing({ 'application/json': { schema: wrong } }), 'application/json', '{}')).toEqual({ b: 1 });
  });

  it('may have the address of this machine as a url', async () => {
    const linked = echoing({
      'application/json': { schema: { properties: { to: { type: 'string', format: 'url' } } } },
    });
    expect(await send(linked, 'application/json', '{"to":"http://localhost:8000/x"}')).toEqual({
      to: 'http://localhost:8000/x',
    });
    expect(await send(linked, 'application/json', '{"to":"no address"}')).toBe(
      '422 /requestBody/to: must match format "url"',
    );
  });

  describe('with a discriminator', () => {
    const kind = (name: string, required: readonly string[], more: Node): Node => ({
      type: 'object',
      required,
      properties: { kind: { type: 'string' }, ...more },
      title: name,
    });
    const animals = {
      Cat: kind('Cat', ['kind', 'lives'], { lives: { type: 'integer' } }),
      Dog: kind('Dog', ['bark'], { bark: { type: 'boolean' } }),
    };
    const oneOf = Object.keys(animals).map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const pets = askOf(
      documentOf(
        {
          '/x': {
            post: {
              operationId: 'x',
              requestBody: {
                content: {
                  'application/json': {
                    schema: {
                      oneOf,
                      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
                    },
                  },
                },
              },
              responses,
            },
          },
        },
        { components: { schemas: animals } },
      ),
      { handlers: new Map([['x', ({ body }: HandlerRequest) => ({ body: { got: body } })]]), checkReplies: 'off' },
    );
    it.each([
      ['a value of the mapping', '{"kind":"cat","lives":9}', { kind: 'cat', lives: 9 }],
      ['the name of a mapped schema', '{"kind":"Cat","lives":9}', { kind: 'Cat', lives: 9 }],
      ['the name of a schema that the mapping leaves out', '{"kind":"Dog","bark":true}', { kind: 'Dog', bark: true }],
      ['the branch that is meant, wrong', '{"kind":"cat","lives":"x"}', '422 /requestBody/lives: must be integer'],
      [
        'another value',
        '{"kind":"bird"}',
        '422 /requestBody/kind: must be equal to one of the allowed values ("cat", "Cat", "Dog")',
      ],
      ['none where a branch does not require it', '{"bark":true}', { bark: true }],
      ['none where all fail', '{"lives":9}', expect.stringMatching(/^422 \/requestBody: must/)],
      ['no object', '5', expect.stringMatching(/^422 \/requestBody: must be object/)],
    ])('%s', async (_name, body, value) => {
      expect(await send(pets, 'application/json', body)).toEqual(value);
    });
  });

  it('arrives in pieces', async () => {
    const answer = await ask('/x', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"title":"日本"}',
      pieces: 1,
    });
    expect(answer.json).toEqual({ got: { title: '日本', lang: 'en' } });
  });

  it.each([
    ['gzip', gzipSync('{"title":"ab"}'), { title: 'ab', lang: 'en' }],
    ['x-gzip', gzipSync('{"title":"ab"}'), { title: 'ab', lang: 'en' }],
    ['deflate', deflateSync('{"title":"ab"}'), { title: 'ab', lang: 'en' }],
    ['identity', '{"title":"ab"}', { title: 'ab', lang: 'en' }],
    ['gzip', '{"title":"ab"}', '400 The body is not encoded as gzip.'],
    ['br', '{}', '415 The content encoding "br" is not supported.'],
  ])('encoded as %s', async (encoding, body, value) => {
    expect(await send(ask, 'application/json', body, { 'Content-Encoding': encoding })).toEqual(value);
  });

  it('is refused above the limit, also when it grows by its encoding', async () => {
    const small = echoing({ 'application/json': { schema: {} } }, { limits: { maxBytes: 100 } });
    const long = JSON.stringify('x'.repeat(1000));
    expect(await send(small, 'application/json', long)).toBe('413 The body is larger than 100 bytes.');
    expect(await send(small, 'application/json', gzipSync(long), { 'Content-Encoding': 'gzip' })).toBe(
      '413 The body is larger than 100 bytes.',
    );
  });
});

describe('A media type', () => {
  it.each([
    ['application/json', 'application/json; charset=utf-8', true],
    ['application/json', 'APPLICATION/JSON', true],
    ['application/json', 'application/json;charset="UTF-8"', true],
    ['application/json', 'application/vnd.api+json', false],
    ['application/*', 'application/json', true],
    ['*/*', 'application/json', true],
    ['*/*+json', 'application/vnd.api+json', true],
    ['application/*+json', 'application/merge-patch+json', true],
    ['application/*+json', 'application/json', false],
    ['application/json; version=2', 'application/json; version=2', true],
    ['application/json; version=2', 'application/json; version=1', false],
    ['application/json', 'text/plain', false],
    ['application/json', 'nonsense', false],
    ['application/json', 'application/json; charset=klingon', false],
  ])('%s takes %s: %s', async (documented, sent, isTaken) => {
    const got = await send(echoing({ [documented]: { schema: {} } }), sent, '{"a":1}');
    expect(isTaken ? got : String(got).slice(0, 3)).toEqual(isTaken ? { a: 1 } : '415');
  });

  it('that is missing is refused where there is a body', async () => {
    expect(await send(echoing({ 'application/json': {} }), undefined, '{}')).toMatch(/^415 /);
  });

  it('chooses the most exact one, whose schema counts', async () => {
    const ask = echoing({
      '*/*': { schema: {} },
      'application/*+json': { schema: { type: 'array' } },
      'application/a+json': { schema: { type: 'object' } },
    });
    expect(await send(ask, 'application/a+json', '{}')).toEqual({});
    expect(await send(ask, 'application/a+json', '[]')).toMatch(/^422 /);
    expect(await send(ask, 'application/b+json', '[]')).toEqual([]);
    expect(await send(ask, 'application/b+json', '{}')).toMatch(/^422 /);
  });

  it.each(['application/merge-patch+json', 'application/vnd.x+json'])('%s is checked as JSON', async (type) => {
    const ask = echoing({ [type]: { schema: book } });
    expect(await send(ask, type, '{"title":"a"}')).toMatch(/^422 /);
  });
});

describe('A body that is absent', () => {
  it('is 400 where it is required, and nothing where it is not', async () => {
    const sent = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    expect((await echoing({ 'application/json': {} })('/x', sent)).status).toBe(400);
    expect((await echoing({ 'application/json': {} }, { isRequired: false })('/x', sent)).json).toEqual({
      got: 'nothing',
    });
    expect((await echoing({ 'application/json': {} }, { isRequired: false })('/x', { method: 'POST' })).json).toEqual({
      got: 'nothing',
    });
  });
});

describe('A text', () => {
  const ask = echoing({ 'text/plain': { schema: { type: 'string', minLength: 3 } } });
  it.each([
    ['text/plain', 'abc', 'abc'],
    ['text/plain; charset=iso-8859-1', Buffer.from([0x61, 0xe4, 0x62]), 'aäb'],
    ['text/plain; charset=utf-16le', Buffer.from('aäb', 'utf16le'), 'aäb'],
    ['text/plain', 'ab', '422 /requestBody: must NOT have fewer than 3 characters'],
  ])('as %s', async (type, body, value) => {
    expect(await send(ask, type, body)).toEqual(value);
  });
});

describe('Bytes', () => {
  it.each(['application/octet-stream', 'image/png', 'image/*', '*/*'])('of %s are a stream', async (documented) => {
    const type = documented.replace('image/*', 'image/gif').replace('*/*', 'application/pdf');
    expect(await send(echoing({ [documented]: {} }), type, 'abc')).toBe('bytes abc');
  });
});

describe('A form', () => {
  const urlEncoded = (media: Node) => {
    const ask = echoing({ 'application/x-www-form-urlencoded': media });
    return (body: string) => send(ask, 'application/x-www-form-urlencoded', body);
  };
  const schema = {
    type: 'object',
    required: ['title'],
    properties: {
      title: { type: 'string', minLength: 1 },
      year: { type: 'integer' },
      tags: { type: 'array', items: { type: 'string' } },
      by: { type: 'object', properties: { name: { type: 'string' }, age: { type: 'integer' } } },
    },
  };
  it.each([
    [{ schema }, 'title=a+b&year=1999', { title: 'a b', year: 1999 }],
    [{ schema }, 'title=%E6%97%A5', { title: '日' }],
    [{ schema }, 'year=1', "422 /requestBody: must have required property 'title'"],
    [{ schema }, 'title=a&year=x', '422 /requestBody/year: must be integer'],
    [{ schema }, 'title=a&tags=b&tags=c', { title: 'a', tags: ['b', 'c'] }],
    [{ schema }, 'title=a&tags=b', { title: 'a', tags: ['b'] }],
    [{ schema }, 'title=a&by=%7B%22age%22%3A3%7D', { title: 'a', by: { age: 3 } }],
    [{ schema }, 'title=a&more=x', { title: 'a', more: 'x' }],
    [
      { schema: { ...schema, additionalProperties: false } },
      'title=a&more=x',
      '422 /requestBody: must NOT have additional properties (more)',
    ],
    [
      { schema, encoding: { tags: { style: 'form', explode: false } } },
      'title=a&tags=b,c',
      { title: 'a', tags: ['b', 'c'] },
    ],
    [
      { schema, encoding: { tags: { style: 'pipeDelimited', explode: false } } },
      'title=a&tags=b|c',
      { title: 'a', tags: ['b', 'c'] },
    ],
    [
      { schema, encoding: { by: { style: 'deepObject', explode: true } } },
      'title=a&by[age]=3',
      { title: 'a', by: { age: 3 } },
    ],
    [
      { schema, encoding: { by: { style: 'deepObject', explode: true } } },
      'title=a&by[age]=x',
      '422 /requestBody/by/age: must be integer',
    ],
    [{ schema }, 'title=a&title=b', expect.stringMatching(/^422 .*title/)],
    [{ schema }, 'title=%E9', expect.stringMatching(/^422 .*title/)],
  ])('urlencoded %j sent as %s', async (media, body, value) => {
    expect(await urlEncoded(media)(body)).toEqual(value);
  });
});

describe('A form of several parts', () => {
  const part = (name: string, content: string, more = ''): string =>
    `--B\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
  const file = (name: string, fileName: string, content: string, type = 'application/octet-stream'): string =>
    part(name, content, `; filename="${fileName}"\r\nContent-Type: ${type}`);
  const schema = {
    type: 'object',
    required: ['file', 'title'],
    properties: {
      file: { type: 'string', contentMediaType: 'application/octet-stream' },
      title: { type: 'string', minLength: 2 },
      year: { type: 'integer' },
      tags: { type: 'array', items: { type: 'string' } },
      files: { type: 'array', maxItems: 2, items: { type: 'string', format: 'binary' } },
      by: { type: 'object', required: ['age'], properties: { age: { type: 'integer' } } },
      cover: { type: 'string', format: 'binary', maxLength: 4 },
    },
  };
  const ask = (media: Node, limits = {}) => {
    const asked = echoing({ 'multipart/form-data': media }, { limits });
    return async (body: string, pieces?: number) => {
      const { status, json, headers } = await asked('/x', {
        method: 'POST',
        headers: { 'Content-Type': 'multipart/form-data; boundary=B' },
        body,
        ...(pieces === undefined ? {} : { pieces }),
      });
      return status === 200 ? (json as { got: unknown }).got : `${status} ${String(headers['Atoll-Reason'])}`;
    };
  };
  const good = part('title', 'ab') + file('file', 'a.txt', 'bytes');
  const sentFile = { name: 'a.txt', type: 'application/octet-stream', size: 5 };

  it.each([
    ['a text and a file', `${good}--B--\r\n`, { title: 'ab', file: sentFile }],
    ['a number', `${good}${part('year', '1999')}--B--\r\n`, { title: 'ab', file: sentFile, year: 1999 }],
    ['a number that is none', `${good}${part('year', 'x')}--B--\r\n`, '422 /requestBody/year: must be integer'],
    [
      'without a text',
      `${file('file', 'a.txt', 'bytes')}--B--\r\n`,
      "422 /requestBody: must have required property 'title'",
    ],
    ['without a file', `${part('title', 'ab')}--B--\r\n`, "422 /requestBody: must have required property 'file'"],
    [
      'a list of texts',
      `${good}${part('tags', 'a')}${part('tags', 'b')}--B--\r\n`,
      { title: 'ab', file: sentFile, tags: ['a', 'b'] },
    ],
    ['a list of one', `${good}${part('tags', 'a')}--B--\r\n`, { title: 'ab', file: sentFile, tags: ['a'] }],
    [
      'two files of a list',
      `${good}${file('files', 'b', 'x')}${file('files', 'c', 'y')}--B--\r\n`,
      expect.objectContaining({
        files: [expect.objectContaining({ name: 'b' }), expect.objectContaining({ name: 'c' })],
      }),
    ],
    [
      'three files of two',
      `${good}${file('files', 'b', 'x')}${file('files', 'c', 'y')}${file('files', 'd', 'y')}--B--\r\n`,
      '422 /requestBody/files: must NOT have more than 2 items',
    ],
    [
      'JSON',
      `${good}${part('by', '{"age":3}', '\r\nContent-Type: application/json')}--B--\r\n`,
      expect.objectContaining({ by: { age: 3 } }),
    ],
    [
      'JSON of a Blob, as browsers send it',
      `${good}${part('by', '{"age":3}', '; filename="blob"\r\nContent-Type: application/json')}--B--\r\n`,
      expect.objectContaining({ by: { age: 3 } }),
    ],
    [
      'JSON that is wrong',
      `${good}${part('by', '{"age":"x"}', '\r\nContent-Type: application/json')}--B--\r\n`,
      '422 /requestBody/by/age: must be integer',
    ],
    [
      'JSON that is none',
      `${good}${part('by', '{', '\r\nContent-Type: application/json')}--B--\r\n`,
      '422 /requestBody/by: is not JSON',
    ],
    [
      'a file that is too long for its schema',
      `${good}${file('cover', 'c', '12345')}--B--\r\n`,
      '422 /requestBody/cover: must NOT have more than 4 characters',
    ],
    ['a file that nobody chose', `${good}${file('cover', '', '')}--B--\r\n`, { title: 'ab', file: sentFile }],
    [
      'a file name beyond Latin-1',
      `${part('title', 'ab')}${file('file', '日本€.txt', 'bytes')}--B--\r\n`,
      { title: 'ab', file: { ...sentFile, name: '日本€.txt' } },
    ],
    ['without its end', good, expect.stringMatching(/^400 /)],
    ['nothing of it', 'nonsense', expect.stringMatching(/^400 /)],
  ])('%s', async (_name, body, value) => {
    expect(await ask({ schema })(body)).toEqual(value);
  });

  it('arrives in pieces of one byte', async () => {
    expect(await ask({ schema })(`${good}--B--\r\n`, 1)).toEqual({ title: 'ab', file: sentFile });
  });

  it('is refused by the media type of a part that its encoding does not allow', async () => {
    const asked = ask({ schema, encoding: { file: { contentType: 'image/png, image/jpeg' } } });
    expect(await asked(`${good}--B--\r\n`)).toBe(
      '422 /requestBody/file: has the media type application/octet-stream, not image/png, image/jpeg',
    );
    expect(await asked(`${part('title', 'ab')}${file('file', 'a.png', 'bytes', 'image/png')}--B--\r\n`)).toMatchObject({
      title: 'ab',
    });
  });

  it.each([
    ['X-Rate: 5\r\n', expect.objectContaining({ title: 'ab' })],
    ['x-rate: 5\r\nX-Other: a\r\n', expect.objectContaining({ title: 'ab' })],
    ['', '422 /requestBody/zäh file: has the header X-Rate, which is required'],
    ['X-Rate: fast\r\n', '422 /requestBody/zäh file: has the header X-Rate, which must be integer'],
  ])('is checked by the headers of a part: %j', async (sent, value) => {
    const headers = { 'X-Rate': { required: true, schema: { type: 'integer' } }, 'Content-Type': { schema: false } };
    const asked = ask({ schema, encoding: { 'zäh file': { headers }, title: { headers: {} } } });
    // A header has the bytes of UTF-8.
    const expected: unknown = typeof value === 'string' ? Buffer.from(value).toString('latin1') : value;
    const body = `${good}${part('zäh file', 'bytes', `; filename="a"\r\n${sent}Content-Type: image/png`)}--B--\r\nmore`;
    expect(await asked(body)).toEqual(expected);
    expect(await asked(body, 1)).toEqual(expected);
    expect(await asked(body.slice(0, -40))).toMatch(/^400 /);
  });

  it.each([
    [{ style: 'form', explode: false }, 'a,b', ['a', 'b']],
    [{ explode: false }, 'a', ['a']],
    [{ style: 'spaceDelimited' }, 'a b', ['a', 'b']],
    [{ style: 'pipeDelimited', explode: false }, 'a|b,c', ['a', 'b,c']],
    [{ style: 'form' }, 'a,b', ['a,b']],
    [{}, 'a,b', ['a,b']],
  ])('has a list in one part, which its encoding %j divides', async (encoding, text, tags) => {
    const asked = ask({ schema, encoding: { tags: encoding } });
    expect(await asked(`${good}${part('tags', text)}--B--\r\n`)).toMatchObject({ tags });
  });

  it('is refused above the limits: 413', async () => {
    expect(await ask({ schema }, { maxFileBytes: 4 })(`${good}--B--\r\n`)).toBe(
      '413 The file "file" is larger than 4 bytes.',
    );
    expect(await ask({ schema }, { maxParts: 1 })(`${good}--B--\r\n`)).toMatch(/^413 /);
    expect(await ask({ schema }, { maxBytes: 1 })(`${good}--B--\r\n`)).toMatch(/^413 /);
  });

  it('needs a boundary', async () => {
    const asked = echoing({ 'multipart/form-data': { schema } });
    expect(await send(asked, 'multipart/form-data', good)).toMatch(/^400 /);
  });
});
