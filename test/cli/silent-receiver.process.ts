/** SIGTERM ends a server whose messages nobody takes, within its notice: neither those on their way nor those that wait hold it. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { startProgram } from '../support/program.ts';
import { until } from '../support/until.ts';

jest.setTimeout(60_000);

const sockets = new Set<Socket>();
let silent: Server;

beforeEach(async () => {
  silent = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).resume();
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  silent.close();
});

const authorization = `Basic ${Buffer.from('admin:islandora').toString('base64')}`;

/** The time from the first request to the end leaves a busy machine room; what is measured is that nothing waits for the receiver. */
const noticeMs = 1000;
const longestMs = noticeMs + 8000;

it.each(['http', 'stomp'])('ends with 0 while a receiver at %s says nothing and messages wait', async (scheme) => {
  const { port } = silent.address() as AddressInfo; // a server on a port has such an address
  const target = `${scheme}://127.0.0.1:${port}/`;
  const program = await startProgram(['--memory', '--site', 'starter-site', '--events', target, '--drain-notice', '1']);
  for (let count = 0; count < 40; count += 1) {
    const reply = await fetch(`${program.url}/node/5?_format=json`, {
      method: 'PATCH',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: [{ value: `Title ${count}` }] }),
    });
    expect(reply.status).toBe(200);
  }
  await until(() => sockets.size > 0, 'a message is on its way');
  // Somebody waits for the reactions, too.
  const waiting = fetch(`${program.url}/_atoll/reactions?settled=true`).then(
    (reply) => reply.status,
    () => 0,
  );
  const begun = performance.now();
  expect(await program.stop()).toBe(0);
  expect(performance.now() - begun).toBeLessThan(longestMs);
  expect([200, 0]).toContain(await waiting);
});
