/** Callbacks of a document: what traffic shows of them, and where they are sent. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.ts';
import { closeOwnServers, startOwn, type OwnServer } from './support/own-document.ts';

const document = `openapi: 3.1.0
info: { title: Orders, version: "1" }
paths:
  /orders:
    post:
      operationId: order
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { 202: { description: ok, content: { application/json: { example: { id: 5 } } } } }
      callbacks:
        done:
          '{$request.body#/notify}?id={$response.body#/id}':
            post:
              requestBody: { content: { application/json: { example: { state: sent } } } }
              responses: { 204: { description: ok } }
`;

type Received = {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly body: string;
  readonly type: string | undefined;
};
let hooks: Server;
let received: Received[];
let server: OwnServer | undefined;

beforeAll(async () => {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    received.push({
      method: request.method,
      url: request.url,
      body: await text(request),
      type: request.headers['content-type'],
    });
    if (request.url?.startsWith('/moved') === true) response.writeHead(302, { Location: 'http://192.0.2.1/' }).end();
    else response.writeHead(204).end();
  };
  hooks = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => hooks.close(resolve)));
afterEach(closeOwnServers);

const port = (): number => (hooks.address() as AddressInfo).port;
const begin = async (callbacks?: string): Promise<void> => {
  received = [];
  server = await startOwn({ 'api.yaml': document }, callbacks === undefined ? {} : { callbacks });
};
const order = async (notify: unknown, headers: Record<string, string> = {}): Promise<number> => {
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ notify }),
  };
  return (await fetch(`${server?.url ?? ''}/orders`, init)).status;
};
const shown = async () => (await server?.traffic())?.entries[0]?.callbacks;
const settled = () =>
  until(
    async () => ((await shown()) ?? [{ delivery: 'waiting' }]).every(({ delivery }) => !/shown|waiting/.test(delivery)),
    'the callback is answered',
  );

it('are shown in traffic and sent nowhere, unless the server is told to: 202', async () => {
  await begin();
  const status = await order(`http://127.0.0.1:${port()}/hook`);
  expect([status, await shown(), received]).toEqual([
    202,
    [
      {
        name: 'done',
        method: 'POST',
        url: `http://127.0.0.1:${port()}/hook?id=5`,
        contentType: 'application/json',
        body: '{"state":"sent"}',
        delivery: 'shown',
      },
    ],
    [],
  ]);
});

describe('with "loopback"', () => {
  it.each(['127.0.0.1', 'localhost'])('are sent to %s after the answer', async (host) => {
    await begin('loopback');
    await order(`http://${host}:${port()}/hook`);
    await settled();
    expect(received).toEqual([
      { method: 'POST', url: '/hook?id=5', body: '{"state":"sent"}', type: 'application/json' },
    ]);
    expect(await shown()).toMatchObject([{ delivery: 'answered', status: 204 }]);
  });

  it('follow no redirect to another address', async () => {
    await begin('loopback');
    await order(`http://127.0.0.1:${port()}/moved`);
    await settled();
    expect(await shown()).toMatchObject([{ delivery: 'answered', status: 302 }]);
  });

  it.each([
    ['http://192.0.2.1/hook', 'forbidden', 'is not a loopback address'],
    ['http://127.0.0.1.example/hook', 'forbidden', 'is not a loopback address'],
    ['http://localhost@192.0.2.1/hook', 'forbidden', 'is not a loopback address'],
    ['http://[::ffff:192.0.2.1]/hook', 'forbidden', 'is not a loopback address'],
    ['http://2130706434.example/', 'forbidden', 'is not a loopback address'],
    ['file:///etc/passwd', 'impossible', 'is not an address of HTTP'],
    [undefined, 'impossible', '$request.body#/notify has no value'],
  ])('are not sent to %s', async (notify, delivery, reason) => {
    await begin('loopback');
    await order(notify);
    await settled();
    expect([await shown(), received]).toMatchObject([[{ delivery, reason }], []]);
  });

  it('say why they have failed', async () => {
    await begin('loopback');
    await order('http://127.0.0.1:1/hook');
    await settled();
    expect(await shown()).toMatchObject([
      { delivery: 'failed', reason: expect.stringMatching(/ECONNREFUSED|bad port/) },
    ]);
  });

  it('do not follow a request that is a callback itself', async () => {
    await begin('loopback');
    await order(`http://127.0.0.1:${port()}/hook`, { 'Atoll-Callback': 'done' });
    expect([await shown(), received]).toEqual([undefined, []]);
  });
});

it('are sent to one origin, and not to another port of it', async () => {
  await begin(`http://127.0.0.1:${port()}`);
  await order(`http://127.0.0.1:${port()}/hook`);
  await settled();
  await server?.clearTraffic();
  await order(`http://127.0.0.1:${port() + 1}/hook`);
  await settled();
  expect([received.length, await shown()]).toMatchObject([
    1,
    [{ delivery: 'forbidden', reason: `is not at http://127.0.0.1:${port()}` }],
  ]);
});

it('refuses the start with a target that is none', async () => {
  await expect(startOwn({ 'api.yaml': document }, { callbacks: 'everywhere' })).rejects.toThrow(
    'callbacks "everywhere": Callbacks are sent to "loopback", or to an origin',
  );
});
