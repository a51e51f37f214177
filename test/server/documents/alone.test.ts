/** A document that is served alone, over a real socket: what a client of HTTP/1.1 gets, and what traffic says of it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send, startServer, type TestServer } from '../../support/server.ts';

const document = {
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  paths: {
    '/nothing': { get: { responses: { 200: { description: 'ok' } } } },
    '/books': {
      get: {
        responses: {
          200: {
            description: 'ok',
            headers: { 'X-Total': { schema: { type: 'integer' }, example: 4 } },
            content: { 'application/json': { example: { title: 'The harbour' } } },
          },
        },
      },
      post: {
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  id: { type: 'integer', readOnly: true },
                  by: { type: 'array', items: { properties: { id: { readOnly: true }, name: { type: 'string' } } } },
                },
              },
            },
          },
        },
        responses: { 201: { description: 'made' } },
      },
    },
  },
};

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-document-'));
  const file = join(folder, 'api.json');
  await writeFile(file, JSON.stringify(document));
  server = await startServer({ documents: [{ file, prefix: undefined }] });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const ask = (method: string, path: string, json?: unknown) =>
  send(server, method, path, { as: null, ...(json === undefined ? {} : { json }) });

describe('A document that is served alone', () => {
  // Node's client refuses an answer with two lengths.
  it('has one length in the answers to HEAD, and in those without a body', async () => {
    const { headers } = await ask('GET', '/books');
    const head = await ask('HEAD', '/books');
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([
      200,
      headers['content-length'],
      0,
    ]);
    for (const method of ['GET', 'HEAD']) expect((await ask(method, '/nothing')).headers['content-length']).toBe('0');
  });

  it('refuses an address that is too long, and says that the document has no such refusal', async () => {
    const { status, headers } = await ask('GET', `/books?q=${'a'.repeat(5000)}`);
    expect([status, headers['atoll-refusal']]).toEqual([414, 'undocumented']);
  });

  it('lets pages of other origins read the documented headers, and why a request was refused', async () => {
    const exposedOf = async (method: string, path: string) => {
      const { headers } = await send(server, method, path, { as: null, headers: { Origin: 'http://localhost:3000' } });
      expect(headers['access-control-allow-origin']).toBe('http://localhost:3000');
      return headers['access-control-expose-headers'];
    };
    expect(await exposedOf('GET', '/books')).toContain('X-Total');
    expect(await exposedOf('PUT', '/books')).toMatch(/Atoll-Reason.*Atoll-Refusal/);
  });

  it('takes members that clients only read, with a note in traffic', async () => {
    expect((await ask('POST', '/books', { id: 3, by: [{ name: 'Ada' }, { id: 5 }] })).status).toBe(201);
    const { entries } = JSON.parse((await ask('GET', '/_atoll/traffic')).body.toString()) as {
      entries: { advice: object[] }[];
    };
    const reason = 'The document says that clients only read this member (readOnly).';
    expect(entries.at(-1)?.advice).toEqual([
      expect.objectContaining({ pointer: '/requestBody/id', reason }),
      expect.objectContaining({ pointer: '/requestBody/by/1/id', reason }),
    ]);
  });
});
