/** Handlers of one function: what they get, what they may return, and what becomes of what they throw. */
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Handler, KeepFile } from '../../src/openapi/openapi.ts';
import { askOf, documentOf } from './support/ask.ts';

type Node = Readonly<Record<string, unknown>>;
type Own = Handler<unknown>;

const json = (schema: Node, more: Node = {}): Node => ({
  description: 'ok',
  content: { 'application/json': { schema } },
  ...more,
});
const anyJson = { 200: json({}) };

/** Asks `GET /x` (or another method) of a document with one operation. */
const handledBy = (
  handler: unknown,
  operation: Node = { responses: anyJson },
  options: Parameters<typeof askOf>[1] = {},
) => {
  const methods = Object.fromEntries(
    ['get', 'post'].map((method) => [method, { operationId: `${method}X`, ...operation }]),
  );
  const handlers = new Map([
    ['getX', handler as Own],
    ['postX', handler as Own],
  ]);
  return askOf(documentOf({ '/x': methods }), { handlers, ...options });
};

describe('what a handler gets', () => {
  it('is typed values of every place, and the defaults', async () => {
    const ask = askOf(
      documentOf(
        {
          '/books/{id}': {
            get: {
              operationId: 'search',
              security: [{ basic: [] }],
              parameters: [
                { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
                { name: 'page', in: 'query', schema: { type: 'integer', default: 1 } },
                { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
                { name: 'X-Deep', in: 'header', schema: { type: 'boolean' } },
                { name: 'seen', in: 'cookie', schema: { type: 'number' } },
              ],
              responses: anyJson,
            },
          },
        },
        { components: { securitySchemes: { basic: { type: 'http', scheme: 'basic' } } } },
      ),
      {
        handlers: new Map<string, Own>([
          [
            'search',
            ({ path, query, headers, cookies, identity, target }) => ({
              body: { path, query, deep: headers['x-deep'], cookies, identity, target },
            }),
          ],
        ]),
      },
    );
    const value = Buffer.from('ada:secret').toString('base64');
    const headers = { 'X-Deep': 'true', Cookie: 'seen=2.5', Authorization: `Basic ${value}` };
    expect((await ask('/books/7?tags=a&tags=b', { headers })).json).toEqual({
      path: { id: 7 },
      query: { page: 1, tags: ['a', 'b'] },
      deep: true,
      cookies: { seen: 2.5 },
      identity: { scheme: 'basic', value, who: 'ada' },
      target: '/books/7?tags=a&tags=b',
    });
  });

  const taking = (type: string, schema: Node): Node => ({
    requestBody: { content: { [type]: { schema } } },
    responses: anyJson,
  });
  const echo: Own = ({ body }) => ({ body: { body } });

  it.each([
    ['JSON', 'application/json', { type: 'object' }, '{"a":[1]}', { a: [1] }],
    [
      'a form',
      'application/x-www-form-urlencoded',
      { type: 'object', properties: { n: { type: 'integer' } } },
      'n=3',
      { n: 3 },
    ],
    ['a text', 'text/plain', { type: 'string' }, 'über', 'über'],
  ])('is the body as %s', async (_kind, type, schema, body, wanted) => {
    const ask = handledBy(echo, taking(type, schema));
    expect((await ask('/x', { method: 'POST', headers: { 'Content-Type': type }, body })).json).toEqual({
      body: wanted,
    });
  });

  it('is bytes as they arrive', async () => {
    const sizes: Own = async ({ body }) => {
      const lengths: number[] = [];
      for await (const chunk of body as AsyncIterable<Uint8Array>) lengths.push(chunk.length);
      return { body: lengths };
    };
    const ask = handledBy(sizes, taking('application/octet-stream', {}));
    const asked = {
      method: 'POST',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: 'abcdefg',
      pieces: 3,
    };
    expect((await ask('/x', asked)).json).toEqual([3, 3, 1]);
  });

  it('is absent where none was sent', async () => {
    const ask = handledBy(({ body }: { body: unknown }) => ({ body: { isUndefined: body === undefined } }));
    expect((await ask('/x')).json).toEqual({ isUndefined: true });
  });

  it('is its body later, where it returns a function', async () => {
    const opened = () => (input: object) => ({ status: 200, body: input });
    const ask = handledBy(opened, taking('application/json', {}));
    const { json: answer } = await ask('/x', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '[1]',
    });
    expect(answer).toEqual({ json: [1] });
  });
});

describe('what a handler returns', () => {
  const binary = { 200: { description: 'ok', content: { 'application/octet-stream': {} } } };
  const bytes = new Uint8Array([0, 255, 10]);
  async function* pieces() {
    yield 'one ';
    yield await Promise.resolve(Buffer.from('two'));
  }
  function* atHand() {
    yield 'one ';
    yield 'two';
  }

  it.each([
    ['a Buffer', Buffer.from(bytes), '00ff0a'],
    ['a Uint8Array', bytes, '00ff0a'],
    ['a part of an ArrayBuffer', new DataView(bytes.buffer, 1, 1), 'ff'],
    ['an ArrayBuffer', bytes.buffer, '00ff0a'],
    ['a Blob', new Blob([bytes]), '00ff0a'],
    ['a stream', new Blob([bytes]).stream(), '00ff0a'],
    ['an async iterable', pieces(), Buffer.from('one two').toString('hex')],
    ['a generator', atHand(), Buffer.from('one two').toString('hex')],
    ['a text', 'über', Buffer.from('über').toString('hex')],
    ['an empty text', '', ''],
  ])('may be %s', async (_kind, body, hex) => {
    const { status, headers, bytes: sent } = await handledBy(() => ({ body }), { responses: binary })('/x');
    expect([status, headers['Content-Type'], sent.toString('hex')]).toEqual([200, 'application/octet-stream', hex]);
  });

  it.each([[null], [false], [0], ['a'], [[1]], [{ a: 1 }]])('may be the JSON %j', async (body) => {
    const { headers, text } = await handledBy(() => ({ body }))('/x');
    expect([headers['Content-Type'], text]).toEqual(['application/json', JSON.stringify(body)]);
  });

  it('has numbers and lists as headers, and leaves out those that are undefined', async () => {
    const headers = {
      'X-Total': 3,
      'X-Done': true,
      'Set-Cookie': ['a=1', 'b=2'],
      'X-None': undefined,
      'X-Cut': 'a\r\nX-Evil: b',
    };
    const answered = await handledBy(() => ({ headers, body: {} }))('/x');
    expect(answered.headers).toEqual({
      ...{ 'Content-Type': 'application/json', 'Content-Length': '2' },
      ...{ 'X-Total': '3', 'X-Done': 'true', 'Set-Cookie': ['a=1', 'b=2'], 'X-Cut': 'a X-Evil: b' },
    });
  });

  it('has the lowest documented success as its status, and a media type by Accept', async () => {
    const content = { 'application/json': {}, 'text/csv': {} };
    const operation = {
      responses: {
        404: { description: 'no' },
        202: { description: 'ok', content },
        201: { description: 'ok', content },
      },
    };
    const ask = handledBy(() => ({ body: 'a;b' }), operation);
    const { status, headers, text } = await ask('/x', { headers: { Accept: 'text/*' } });
    expect([status, headers['Content-Type'], text]).toEqual([201, 'text/csv; charset=utf-8', 'a;b']);
  });

  it('is the example of the document where it is undefined', async () => {
    const operation = { responses: { 200: json({ type: 'object', example: { name: 'Ada' } }) } };
    const { json: answer, headers } = await handledBy(() => undefined, operation)('/x');
    expect([answer, headers['Atoll-Mocked']]).toEqual([{ name: 'Ada' }, 'true']);
  });

  it('is sent without its body to HEAD', async () => {
    const { status, headers, text } = await handledBy(() => ({ body: { a: 1 } }))('/x', { method: 'HEAD' });
    expect([status, headers['Content-Length'], text]).toEqual([200, '7', '']);
  });

  it.each([
    ['a value alone', 'hello', 'returned a string; a reply is an object with status, headers, mediaType and body'],
    ['null', null, 'returned null; a reply is an object with status, headers, mediaType and body'],
    ['a list', [1], 'returned a list; a reply is an object with status, headers, mediaType and body'],
    [
      'a Response',
      Response.json({ a: 1 }),
      'returned an object of the class Response; a reply is an object with status, headers, mediaType and body',
    ],
    [
      'the body alone',
      { name: 'Ada' },
      'returned an object with the member "name"; a reply is an object with status, headers, mediaType and body',
    ],
    ['a status as a text', { status: '200' }, 'returned the status "200"; it is a number from 200 to 599'],
    ['a status of no answer', { status: 100 }, 'returned the status 100; it is a number from 200 to 599'],
    [
      'an object as a header',
      { headers: { 'X-A': { b: 1 } } },
      'returned an object of the class Object as the header X-A',
    ],
    ['a header that is none', { headers: { 'X A': '1' } }, 'returned a header named "X A"'],
    [
      'Headers',
      { headers: new Headers({ a: '1' }) },
      'returned an object of the class Headers as headers; they are a plain object',
    ],
    ['a Map as the body', { body: new Map() }, 'returned an object of the class Map as the body'],
    [
      'a number that JSON lacks',
      { body: { n: 1n } },
      'returned a body that cannot be written: Do not know how to serialize a BigInt',
    ],
  ])('is a mistake where it is %s: 500 says so', async (_kind, returned, said) => {
    const {
      status,
      json: answer,
      noticed,
    } = await handledBy(() => returned, { responses: anyJson }, { checkReplies: 'off' })('/x');
    expect([status, answer]).toEqual([
      500,
      { type: 'about:blank', title: 'Internal Server Error', status: 500, detail: `The handler ${said}.` },
    ]);
    expect((noticed.error as Error).message).toBe(said);
  });
});

describe('the check of what a handler returns', () => {
  const operation = {
    responses: {
      200: json(
        { type: 'object', required: ['name'] },
        { headers: { 'X-Total': { required: true, schema: { type: 'integer' } } } },
      ),
    },
  };
  const good = { headers: { 'X-Total': 3 }, body: { name: 'Ada' } };

  it.each([
    ['nothing', good, []],
    ['a body against its schema', { ...good, body: {} }, ['/body']],
    ['a header against its schema', { ...good, headers: { 'X-Total': 'many' } }, ['/headers/X-Total']],
    ['a header that is missing', { ...good, headers: {} }, ['/headers/X-Total']],
    ['a body that is missing', { headers: good.headers }, ['/body']],
    ['an undocumented status', { status: 202 }, ['/status']],
    ['an undocumented media type', { ...good, mediaType: 'text/html' }, ['/headers/Content-Type']],
  ])('names %s, and sends it with "log"', async (_kind, reply, pointers) => {
    const { status, noticed } = await handledBy(() => reply, operation, { checkReplies: 'log' })('/x');
    expect([status, noticed.replyViolations.map(({ pointer }) => pointer)]).toEqual([
      (reply as { status?: number }).status ?? 200,
      pointers,
    ]);
  });

  it('answers 500 with "fail", and names the violation', async () => {
    const { status, json: answer } = await handledBy(() => ({ ...good, body: {} }), operation, {
      checkReplies: 'fail',
    })('/x');
    expect([status, answer]).toMatchObject([
      500,
      { detail: "The handler returned a 200 that breaks the contract: /body must have required property 'name'." },
    ]);
  });

  it('sees nothing with "off"', async () => {
    const { status, noticed } = await handledBy(() => ({ body: {} }), operation, { checkReplies: 'off' })('/x');
    expect([status, noticed.replyViolations]).toEqual([200, []]);
  });
});

describe('what a handler throws', () => {
  const problem = (status: string): Node => ({
    [status]: {
      description: 'no',
      content: { 'application/problem+json': { example: { title: 'Wrong', detail: '-', code: status } } },
    },
  });
  const throwing = (more: object, responses: Node = {}) =>
    handledBy(() => Promise.reject(Object.assign(new Error('The book 7 is lent.'), more)), {
      responses: { ...anyJson, ...responses },
    });

  it.each([
    ['its status', 409, '409'],
    ['its class', 409, '4XX'],
    ['default', 423, 'default'],
    ['one of the server', 503, '5XX'],
  ])('is the documented refusal of %s, with the message as the reason', async (_kind, status, key) => {
    const answered = await throwing({ status, headers: { 'Retry-After': 5 } }, problem(key))('/x');
    expect([answered.status, answered.headers['Content-Type'], answered.headers['Retry-After'], answered.json]).toEqual(
      [status, 'application/problem+json', '5', { title: 'Wrong', detail: 'The book 7 is lent.', code: key }],
    );
    expect([answered.noticed.error, answered.noticed.replyViolations]).toEqual([undefined, []]);
  });

  it('is problem details where the document has nothing for the status', async () => {
    const { status, headers, json: answer } = await throwing({ status: 410 })('/x');
    expect([status, headers['Atoll-Refusal'], answer]).toEqual([
      410,
      'undocumented',
      { type: 'about:blank', title: 'Gone', status: 410, detail: 'The book 7 is lent.' },
    ]);
  });

  it.each([
    ['no status', {}],
    ['the status 500', { status: 500 }],
    ['a status of a success', { status: 200 }],
    ['a text as status', { status: '404' }],
  ])('is a 500 that tells nothing where it has %s', async (_kind, more) => {
    const { status, json: answer, noticed } = await throwing(more)('/x');
    expect([status, answer]).toEqual([
      500,
      {
        type: 'about:blank',
        title: 'Internal Server Error',
        status: 500,
        detail: 'The handler failed. The log says why.',
      },
    ]);
    expect((noticed.error as Error).message).toBe('The book 7 is lent.');
  });

  it('is the same from the function that a handler returns', async () => {
    const opened = () => () => Promise.reject(Object.assign(new Error('no'), { status: 404 }));
    expect((await handledBy(opened)('/x')).status).toBe(404);
  });

  it('ends the reply after it began', async () => {
    async function* broken() {
      yield 'one';
      await Promise.resolve();
      throw new Error('The disk is gone.');
    }
    await expect(handledBy(() => ({ body: broken() }))('/x')).rejects.toThrow('The disk is gone.');
  });
});

describe('the files of a form', () => {
  const form = {
    type: 'object',
    required: ['title', 'file'],
    properties: { title: { type: 'string' }, file: { type: 'string', format: 'binary' } },
  };
  const operation = {
    requestBody: { required: true, content: { 'multipart/form-data': { schema: form } } },
    responses: anyJson,
  };
  const part = (head: string, body: string): string =>
    `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
  const title = part('name="title"', 'Notes');
  const file = part('name="file"; filename="a.txt"\r\nContent-Type: text/plain', 'hello');
  const sent = (body: string) => ({
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    body,
    pieces: 7,
  });

  /** Counts the files that are kept. */
  const counting = () => {
    const state = { kept: 0, most: 0 };
    const keepFile: KeepFile = async (chunks) => {
      state.kept += 1;
      state.most += 1;
      const pieces: Uint8Array[] = [];
      try {
        for await (const chunk of chunks) pieces.push(Uint8Array.from(chunk));
      } catch (error) {
        state.kept -= 1;
        throw error;
      }
      const bytes = Buffer.concat(pieces);
      const dispose = () => {
        state.kept -= 1;
        return Promise.resolve();
      };
      return {
        size: bytes.length,
        bytes: () => Promise.resolve(bytes),
        stream: () => new Blob([bytes]).stream() as never,
        dispose,
      };
    };
    return { state, keepFile };
  };

  type Sent = {
    name: string;
    type: string;
    size: number;
    bytes: () => Promise<Uint8Array>;
    stream: () => AsyncIterable<Uint8Array>;
  };
  const fileIn = (body: unknown): Sent => (body as { file: Sent }).file;

  it('have a name, a type, a size and bytes', async () => {
    const { state, keepFile } = counting();
    const shown: Own = async ({ body }) => {
      const { name, type, size, bytes } = fileIn(body);
      return {
        body: {
          name,
          type,
          size,
          text: Buffer.from(await bytes()).toString(),
          title: (body as { title: string }).title,
        },
      };
    };
    const answered = await handledBy(shown, operation, { keepFile })('/x', sent(`${title}${file}--b--`));
    expect(answered.json).toEqual({ name: 'a.txt', type: 'text/plain', size: 5, text: 'hello', title: 'Notes' });
    expect(state).toEqual({ kept: 0, most: 1 });
  });

  it('are there while the reply is sent, and gone afterwards', async () => {
    const { state, keepFile } = counting();
    const during: number[] = [];
    const copied: Own = ({ body }) => ({
      mediaType: 'application/octet-stream',
      body: (async function* () {
        for await (const chunk of fileIn(body).stream()) {
          during.push(state.kept);
          yield chunk;
        }
      })(),
    });
    const { text } = await handledBy(copied, operation, { keepFile, checkReplies: 'off' })(
      '/x',
      sent(`${title}${file}--b--`),
    );
    expect([text, during, state]).toEqual(['hello', [1], { kept: 0, most: 1 }]);
  });

  it.each([
    ['a body against its schema', `${file}--b--`, 422],
    ['a body that ends in a file', title + file.slice(0, -4), 400],
    ['a body that ends between files', title + file, 400],
    ['a second file that is cut off', `${title}${file}${file.slice(0, -4)}`, 400],
  ])('are gone after %s', async (_kind, body, wanted) => {
    const { state, keepFile } = counting();
    const { status } = await handledBy(() => ({ body: {} }), operation, { keepFile })('/x', sent(body));
    await delay(0);
    expect([status, state.kept, state.most > 0]).toEqual([wanted, 0, true]);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('no')), 500],
    ['refuses', () => Promise.reject(Object.assign(new Error('no'), { status: 404 })), 404],
    ['returns no reply', () => 7, 500],
    ['leaves the answer to the document', () => undefined, 200],
  ])('are gone when the handler %s', async (_kind, handler, wanted) => {
    const { state, keepFile } = counting();
    const { status } = await handledBy(handler, operation, { keepFile })('/x', sent(`${title}${file}--b--`));
    expect([status, state]).toEqual([wanted, { kept: 0, most: 1 }]);
  });
});
