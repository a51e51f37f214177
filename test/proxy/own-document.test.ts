/** `atoll proxy --document`: exchanges with any server are judged by a document of one's own, as `serve --document` judges them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { components } from '../../src/client/generated/control.ts';
import type { BrokenReply } from '../../src/checks/checks-proxy.ts';
import { coverageCells, missedGoals, type CoverageRecord } from '../../src/contract/contract-coverage.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { proxyTo, stopAll, stops, type TestProxy, type TestProxyOptions } from './start-proxy.ts';

type Entry = components['schemas']['TrafficEntry'];

afterEach(stopAll);

const document = `openapi: 3.1.0
info: { title: Bookmarks, version: "1" }
servers: [{ url: https://team.example/v1 }]
paths:
  /bookmarks:
    get:
      operationId: listBookmarks
      parameters:
        - { name: tag, in: query, style: pipeDelimited, explode: false, schema: { type: array, items: { enum: [a, b] } } }
        - { name: filter, in: query, style: deepObject, schema: { type: object, properties: { year: { type: integer } } } }
        - { name: session, in: cookie, schema: { type: string, pattern: '^[a-z]+$' } }
      responses:
        '200':
          description: A page.
          headers:
            X-Total: { required: true, schema: { type: integer } }
          content:
            application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Bookmark' } } }
            text/csv: { schema: { type: string, pattern: '^id,' } }
        default: { $ref: '#/components/responses/Problem' }
    post:
      operationId: createBookmark
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema: { type: object, required: [url], properties: { url: { type: string }, stars: { type: integer, maximum: 5 } } }
          multipart/form-data:
            schema: { type: object, required: [url], properties: { url: { type: string }, file: { type: string, format: binary } } }
      responses:
        '201': { description: It is made. }
        4XX: { $ref: '#/components/responses/Problem' }
  /bookmarks/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: getBookmark
      responses:
        '200':
          description: One of them.
          content: { application/json: { schema: { $ref: '#/components/schemas/Bookmark' } } }
components:
  responses:
    Problem:
      description: It is refused.
      content:
        application/problem+json: { schema: { type: object, required: [title], properties: { title: { type: string } } } }
  schemas:
    Bookmark:
      type: object
      required: [id]
      properties:
        id: { type: integer }
        secret: { type: string, writeOnly: true }
        year: { type: [integer, 'null'] }
`;

/** The line of the first text in a document. */
const lineOf = (text: string, inside = document): number => inside.slice(0, inside.indexOf(text)).split('\n').length;

type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string | Buffer };

/** Answers by method and path, without the query. */
const startTarget = async (answers: Readonly<Record<string, Answer>>): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const { status = 200, headers = {}, body } = answers[`${request.method} ${request.url?.split('?')[0]}`] ?? {};
      response.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  stops.push(() => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const fileWith = async (text: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-proxy-document-'));
  stops.push(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'api.yaml'), text);
  return join(folder, 'api.yaml');
};

const proxyFor = async (text: string, url: string, options: TestProxyOptions = {}): Promise<TestProxy> =>
  proxyTo(url, { documents: [{ file: await fileWith(text), prefix: undefined }], ...options });

const control = async (proxy: TestProxy, path: string, init?: RequestInit): Promise<unknown> => {
  const response = await fetch(`${proxy.url}/_atoll${path}`, init);
  expect(response.status).toBeLessThan(300);
  return response.json();
};

const entriesOf = async (proxy: TestProxy, count: number): Promise<Entry[]> => {
  let entries: Entry[] = [];
  await until(async () => {
    ({ entries } = (await control(proxy, '/traffic')) as { entries: Entry[] });
    return entries.length >= count;
  }, `${count} entries`);
  return entries;
};

const json = { 'Content-Type': 'application/json' };
const total = { ...json, 'X-Total': '1' };

describe('A server with three mistakes', () => {
  const answers: Readonly<Record<string, Answer>> = {
    // right
    'GET /v1/bookmarks': { headers: total, body: '[{"id":1,"year":null}]' },
    'POST /v1/bookmarks': {
      status: 422,
      headers: { 'Content-Type': 'application/problem+json' },
      body: '{"title":"No"}',
    },
    // wrong
    'GET /bookmarks/1': { status: 202, headers: json, body: '{"id":1}' },
    'GET /bookmarks/2': { headers: json, body: '{"id":2,"year":"1912"}' },
    'GET /bookmarks': { headers: { ...total, 'X-Total': 'many' }, body: '[]' },
  };

  const askAll = async (proxy: TestProxy): Promise<Response[]> => {
    const form = new URLSearchParams({ url: 'http://a.example', stars: '5' });
    const asked: Response[] = [];
    for (const [path, init] of [
      ['/v1/bookmarks?tag=a%7Cb&filter[year]=1912', { headers: { Cookie: 'session=abc' } }],
      ['/v1/bookmarks', { method: 'POST', body: form }],
      ['/bookmarks/1', {}],
      ['/bookmarks/2', {}],
      ['/bookmarks', {}],
    ] as const)
      asked.push(await fetch(`${proxy.url}${path}`, init));
    return asked;
  };

  it('has each of them in traffic, with its rule and its line; what is right is kept', async () => {
    const broken: BrokenReply[] = [];
    const proxy = await proxyFor(document, await startTarget(answers), { onBroken: (each) => broken.push(each) });
    expect((await askAll(proxy)).map(({ status }) => status)).toEqual([200, 422, 202, 200, 200]);
    const entries = await entriesOf(proxy, 5);
    expect(
      entries.map(({ operation, status, verdict }) => [operation, status, verdict.request, verdict.reply]),
    ).toEqual([
      ['listBookmarks', 200, 'kept', 'kept'],
      ['createBookmark', 422, 'kept', 'kept'],
      ['getBookmark', 202, 'kept', 'broken'],
      ['getBookmark', 200, 'kept', 'broken'],
      ['listBookmarks', 200, 'kept', 'broken'],
    ]);
    const faults = entries.flatMap(({ replyFaults }) => replyFaults);
    expect(faults.map(({ pointer, rule, document: place }) => [pointer, rule, place?.line])).toEqual([
      ['/status', 'responses', lineOf("responses:\n        '200':\n          description: One")],
      ['/body/year', 'type', lineOf("year: { type: [integer, 'null'] }")],
      ['/headers/X-Total', 'type', lineOf('X-Total:')],
    ]);
    expect(faults.every(({ document: place }) => place?.file?.endsWith('api.yaml'))).toBe(true);
    await until(() => Promise.resolve(broken.length === 3), 'three reports');
    expect(broken.map(({ operation, status, rules }) => [operation, status, rules[0]?.document?.line])).toEqual(
      faults.map(({ document: place }, at) => [entries[at + 2]?.operation, entries[at + 2]?.status, place?.line]),
    );
    expect(proxy.counts()).toEqual({ broken: 3, failed: 0 });
  });

  it('gets a 502 for each of them with --fail, and what is right passes', async () => {
    const proxy = await proxyFor(document, await startTarget(answers), { fails: true });
    const replies = await askAll(proxy);
    expect(replies.map(({ status }) => status)).toEqual([200, 422, 502, 502, 502]);
    const { message } = (await replies[3]?.json()) as { message: string };
    expect(message).toMatch(
      /^The 200 of getBookmark breaks the contract: \/body\/year must be integer,null \(type\) \[.*api\.yaml:\d+\]$/,
    );
    expect(proxy.counts().broken).toBe(3);
  });

  it('is counted for coverage and its goals by the document, without its broken replies', async () => {
    const proxy = await proxyFor(document, await startTarget(answers));
    await askAll(proxy);
    await entriesOf(proxy, 5);
    const record = (await control(proxy, '/coverage')) as CoverageRecord;
    expect(coverageCells(record, 'statuses').map(({ operation, name, count }) => [operation, name, count])).toEqual([
      ['listBookmarks', '200', 1],
      ['listBookmarks', 'default', 0],
      ['createBookmark', '201', 0],
      ['createBookmark', '4XX', 1],
      ['getBookmark', '200', 0],
    ]);
    expect(missedGoals(record, { statuses: 40 })).toEqual([]);
    expect(missedGoals(record, { statuses: 41 })).toHaveLength(1);
  });
});

describe('A request is judged, too', () => {
  const form = (text: string): RequestInit => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: text,
  });
  const parts = (fields: Readonly<Record<string, string | Blob>>): RequestInit => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    return { method: 'POST', body };
  };
  it.each<[string, string, RequestInit, readonly string[]]>([
    ['a list with pipes', '/bookmarks?tag=a|z', {}, ['/query/tag/1']],
    ['a deep object', '/bookmarks?filter[year]=x', {}, ['/query/filter/year']],
    ['a cookie', '/bookmarks', { headers: { Cookie: 'session=A1' } }, ['/cookie/session']],
    ['a path', '/bookmarks/x', {}, ['/path/id']],
    ['what it accepts', '/bookmarks', { headers: { Accept: 'image/png' } }, ['/header/accept']],
    ['a form', '/bookmarks', form('url=u&stars=6'), ['/requestBody/stars']],
    ['a form without a member', '/bookmarks', form('stars=x'), ['/requestBody']],
    ['a form with parts', '/bookmarks', parts({ file: new Blob(['abc']) }), ['/requestBody']],
    ['a media type', '/bookmarks', { method: 'POST', headers: json, body: '{}' }, ['/header/content-type']],
    ['a body that is not there', '/bookmarks', { method: 'POST' }, ['/requestBody']],
    ['a right form', '/bookmarks', form('url=u&stars=5'), []],
    ['right parts', '/bookmarks', parts({ url: 'u', file: new Blob(['abc']) }), []],
  ])('%s', async (_, path, init, pointers) => {
    const proxy = await proxyFor(document, await startTarget({}));
    await (await fetch(`${proxy.url}${path}`, init)).arrayBuffer();
    const [entry] = await entriesOf(proxy, 1);
    expect([entry?.verdict.request, entry?.requestFaults.map(({ pointer }) => pointer)]).toEqual([
      pointers.length === 0 ? 'kept' : 'lenient',
      pointers,
    ]);
    expect(entry?.requestFaults.every(({ document: place }) => (place?.line ?? 0) > 0)).toBe(true);
  });
});

describe('A reply', () => {
  const judged = async (method: string, path: string, answer: Answer, text = document): Promise<unknown> => {
    const proxy = await proxyFor(text, await startTarget({ [`${method} ${path}`]: answer }));
    await (await fetch(`${proxy.url}${path}`, { method })).arrayBuffer().catch(() => undefined);
    const [entry] = await entriesOf(proxy, 1);
    return [entry?.verdict.reply, entry?.replyFaults.map(({ pointer, message }) => `${pointer} ${message}`)];
  };
  const problem = { 'Content-Type': 'application/problem+json' };
  it.each<[string, string, string, Answer, readonly string[]]>([
    ['of `default`', 'GET', '/bookmarks', { status: 503, headers: problem, body: '{"title":"Later"}' }, []],
    [
      'of `default` in another form',
      ...(['GET', '/bookmarks', { status: 503, headers: problem, body: '{}' }] as const),
      ["/body must have required property 'title'"],
    ],
    [
      'of another media type',
      'GET',
      '/bookmarks',
      { headers: { 'Content-Type': 'text/csv', 'X-Total': '1' }, body: 'id,a' },
      [],
    ],
    [
      'that is a text which the schema does not take',
      ...(['GET', '/bookmarks', { headers: { 'Content-Type': 'text/csv', 'X-Total': '1' }, body: 'no' }] as const),
      ['/body must match pattern "^id,"'],
    ],
    [
      'of an undocumented media type',
      ...(['GET', '/bookmarks/1', { headers: { 'Content-Type': 'text/html' }, body: '<p>' }] as const),
      ['/headers/Content-Type text/html is not documented for 200'],
    ],
    ['without its header', 'GET', '/bookmarks', { headers: json, body: '[]' }, ['/headers/X-Total is missing']],
    ['without a body', 'GET', '/bookmarks/1', {}, ['/body is missing']],
    ['without a media type', 'GET', '/bookmarks/1', { body: '{"id":1}' }, ['/headers/Content-Type is missing']],
    ['that is not JSON', 'GET', '/bookmarks/1', { headers: json, body: '{' }, ['/body is not JSON']],
    [
      'that is compressed',
      ...([
        'GET',
        '/bookmarks/1',
        { headers: { ...json, 'Content-Encoding': 'gzip' }, body: gzipSync('{"id":"x"}') },
      ] as const),
      ['/body/id must be integer'],
    ],
    ['to HEAD', 'HEAD', '/bookmarks/1', { headers: json }, []],
    [
      'to HEAD of another status',
      'HEAD',
      '/bookmarks/1',
      { status: 206 },
      ['/status 206 is not documented for getBookmark'],
    ],
    [
      'of an Atoll that refuses beyond its document',
      ...(['GET', '/bookmarks/1', { status: 400, headers: { 'Atoll-Refusal': 'undocumented' } }] as const),
      [],
    ],
    [
      'that refuses beyond the document',
      'GET',
      '/bookmarks/1',
      { status: 400 },
      ['/status 400 is not documented for getBookmark'],
    ],
    ['to a condition', 'GET', '/bookmarks/1', { status: 304 }, []],
  ])('%s', async (_, method, path, answer, faults) => {
    expect(await judged(method, path, answer)).toEqual([faults.length === 0 ? 'kept' : 'broken', faults]);
  });

  const old = `openapi: 3.0.3
info: { title: Old, version: "1" }
paths:
  /a:
    get:
      responses:
        200:
          description: ok
          content:
            application/*:
              schema:
                type: object
                properties:
                  name: { type: string, nullable: true }
                  share: { type: number, minimum: 0, exclusiveMinimum: true }
`;
  it.each<[string, string, readonly string[]]>([
    ['right', '{"name":null,"share":0.1}', []],
    ['wrong', '{"name":null,"share":0}', ['/body/share must be > 0']],
  ])('of a document of 3.0: %s', async (_, body, faults) => {
    expect(await judged('GET', '/a', { headers: json, body }, old)).toEqual([
      faults.length === 0 ? 'kept' : 'broken',
      faults,
    ]);
  });
});

it('A fault on demand answers as the document shows it', async () => {
  const proxy = await proxyFor(document, await startTarget({}));
  const fault = { fault: 'status', parameters: { status: 503 }, operations: ['listBookmarks'], count: 1 };
  await control(proxy, '/faults', { method: 'POST', headers: json, body: JSON.stringify(fault) });
  const reply = await fetch(`${proxy.url}/bookmarks`);
  expect([reply.status, reply.headers.get('content-type'), Object.keys((await reply.json()) as object)]).toEqual([
    503,
    'application/problem+json',
    ['title'],
  ]);
});

it('A path that the document does not have has no operation, and passes', async () => {
  const proxy = await proxyFor(document, await startTarget({ 'GET /else': { status: 404 } }));
  expect((await fetch(`${proxy.url}/else`)).status).toBe(404);
  const [entry] = await entriesOf(proxy, 1);
  expect([entry?.operation, entry?.verdict.reply]).toEqual([null, 'unchecked']);
});

it('Next to a site, each judges its own paths', async () => {
  const server = await startServer();
  stops.push(() => server.stop());
  const proxy = await proxyFor(document, server.url, { site: 'default' });
  await fetch(`${proxy.url}/node/1?_format=json`);
  await fetch(`${proxy.url}/v1/bookmarks/1`);
  const entries = await entriesOf(proxy, 2);
  expect(entries.map(({ operation, status, verdict }) => [operation, status, verdict.reply])).toEqual([
    ['getNode', 200, 'kept'],
    ['getBookmark', 404, 'broken'],
  ]);
});
