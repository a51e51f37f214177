/** Handlers in two steps, and what an application may choose for all of its operations. */
import { describe, expect, it } from '@jest/globals';
import { type OpeningHandler, Refusal } from '../../src/openapi/openapi.ts';
import { askOf, documentOf, engineFor } from './support/ask.ts';

const text = { description: 'ok', content: { 'text/plain': { schema: { type: 'string' } } } };
const refused = { description: 'refused' };
const document = documentOf({
  '/files/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    get: { operationId: 'getFile', responses: { 200: text, 404: refused } },
    put: {
      operationId: 'putFile',
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { type: 'object', required: ['name'] } },
          'application/octet-stream': {},
        },
      },
      responses: { 200: text, 404: refused, 408: refused, 422: refused },
    },
  },
});

const putFile: OpeningHandler<unknown> = {
  open: ({ path, body }) => {
    if (Number(path['id']) > 9) throw Object.assign(new Error('There is no such file.'), { status: 404 });
    return async ({ json, bytes }) => {
      let size = 0;
      for await (const chunk of bytes?.stream ?? []) size += chunk.length;
      return { body: `${json === undefined ? size : JSON.stringify(json)} ${String(body)}` };
    };
  },
};
const ask = askOf(document, { handlers: new Map([['putFile', putFile]]) });

/** Fails when somebody reads it. */
const unread = (): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('The body was read.')) }),
});

describe('A handler in two steps', () => {
  it('answers with what it has opened, and the body: JSON, or bytes while they arrive', async () => {
    const json = { 'content-type': 'application/json' };
    expect((await ask('/files/1', { method: 'PUT', headers: json, body: '{"name":"a"}' })).text).toBe(
      '{"name":"a"} undefined',
    );
    const bytes = { 'content-type': 'application/octet-stream' };
    expect((await ask('/files/1', { method: 'PUT', headers: bytes, body: 'abc', pieces: 1 })).text).toBe('3 undefined');
  });

  it('refuses before the body is read, which may be wrong or never come: 404', async () => {
    const engine = engineFor(document, { handlers: new Map([['putFile', putFile]]) });
    const headers = { 'content-type': 'application/json', 'content-length': '9' };
    const asked = { method: 'PUT', query: '', headers, body: unread() };
    expect(await engine.handle({ ...asked, path: '/files/10' }, undefined)).toMatchObject({ status: 404 });
    expect(await engine.handle({ ...asked, path: '/files/9' }, undefined)).toMatchObject({ status: 500 });
  });

  it('is 500 when it opens without a function that answers', async () => {
    const wrong = { open: () => ({ body: 'at once' }) } as unknown as OpeningHandler<unknown>;
    const { status, noticed } = await askOf(document, { handlers: new Map([['getFile', wrong]]) })('/files/1');
    expect([status, noticed.error]).toEqual([
      500,
      expect.objectContaining({ message: 'opened, and returned no function that answers' }),
    ]);
  });
});

describe('A body', () => {
  const headers = { 'content-type': 'application/json' };

  it('whose host refuses it is a refusal with that status: 408', async () => {
    const engine = engineFor(document, { handlers: new Map([['putFile', putFile]]) });
    const late = Object.assign(new Error('The body made no progress.'), { status: 408 });
    const body: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(late) }) };
    const sent = { method: 'PUT', path: '/files/1', query: '', headers: { ...headers, 'content-length': '9' }, body };
    expect(await engine.handle(sent, undefined)).toMatchObject({ status: 408 });
  });

  it('that is read whole may have a time limit: 408', async () => {
    const engine = engineFor(document, { handlers: new Map([['putFile', putFile]]), limits: { maxMs: 5 } });
    const body: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }),
    };
    const sent = { method: 'PUT', path: '/files/1', query: '', headers: { ...headers, 'content-length': '9' }, body };
    expect(await engine.handle(sent, undefined)).toMatchObject({ status: 408 });
  });

  it('may be as long as its world allows: 413', async () => {
    const small = askOf(document, { handlers: new Map([['putFile', putFile]]), limitsOf: () => ({ maxBytes: 5 }) });
    expect((await small('/files/1', { method: 'PUT', headers, body: '{"name":"a"}' })).status).toBe(413);
  });
});

it('A stream of a handler ends with its reader, also one that nobody has begun to read', async () => {
  let isCancelled = false;
  const cancel = (): void => {
    isCancelled = true;
  };
  const getFile = (): { body: ReadableStream } => ({ body: new ReadableStream({ cancel }, { highWaterMark: 0 }) });
  const { text: body } = await askOf(document, { handlers: new Map([['getFile', getFile]]) })('/files/1', {
    method: 'HEAD',
  });
  expect([body, isCancelled]).toEqual(['', true]);
});

describe('An application', () => {
  it('may have one form for all that is refused or fails', async () => {
    const own = askOf(document, {
      handlers: new Map([['getFile', () => Promise.reject(new Error('secret'))]]),
      replyToError: (error, { operation }) => ({
        status: error instanceof Refusal ? (error.statuses[0] ?? 400) : 500,
        headers: {},
        body: `${operation?.id ?? 'nothing'}: ${error instanceof Refusal ? error.kind : 'failed'}`,
      }),
    });
    const answers = [await own('/files/1'), await own('/files'), await own('/files/1', { method: 'DELETE' })];
    expect(answers.map(({ status, text: said }) => `${status} ${said}`)).toEqual([
      '500 getFile: failed',
      '404 nothing: path',
      '405 nothing: method',
    ]);
  });

  it('may answer everybody alike, whatever the Accept says, and know other spellings of a path', async () => {
    const handlers = new Map([['getFile', () => ({ body: 'x' })]]);
    const headers = { accept: 'application/json' };
    expect((await askOf(document, { handlers })('/files/1', { headers })).status).toBe(406);
    const own = askOf(document, { handlers, ignoresAccept: true, spelling: { isExact: true, ignoresLastSlash: true } });
    expect((await own('/files/1/', { headers })).status).toBe(200);
    expect((await own('/f%69les/1', { headers })).status).toBe(404);
  });
});
