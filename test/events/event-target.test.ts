/** Where `--events` sends messages: to a broker by STOMP, to a webhook, to nobody. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '../../src/basics/configuration-error.ts';
import { openEventTarget } from '../../src/application/application-disk.ts';
import { startStompBroker } from '../support/stomp-broker.ts';

const message = { queue: 'islandora-connector-houdini', text: '{"a":"\\u00e4 \\/"}', authorization: 'Bearer x.y.z' };

describe('A broker', () => {
  it('gets each message in a transaction, with the headers of the real site and without a length', async () => {
    const broker = await startStompBroker();
    const target = await openEventTarget(`stomp://one:two%20three@127.0.0.1:${broker.port}`);
    await target.send?.(message);
    await target.send?.({ ...message, queue: 'another' });
    await target.close();
    expect(broker.frames.map(({ command }) => command).slice(0, 7)).toEqual(
      'CONNECT BEGIN SEND COMMIT BEGIN SEND COMMIT'.split(' '),
    );
    expect(broker.frames[0]?.headers).toMatchObject({ login: 'one', passcode: 'two three' });
    expect(broker.messages.map(({ headers, body }) => ({ headers, body }))).toEqual(
      ['islandora-connector-houdini', 'another'].map((destination, at) => ({
        headers: {
          ...{ destination, Authorization: 'Bearer x.y.z', persistent: 'true' },
          transaction: `transaction-${at + 1}`,
          receipt: `message-${at + 1}`,
        },
        body: message.text,
      })),
    );
    await broker.close();
  });

  it('that is away loses the message, and gets the next one when it is back', async () => {
    const first = await startStompBroker();
    const target = await openEventTarget(`stomp://127.0.0.1:${first.port}`);
    await target.send?.(message);
    await first.close();
    await expect(target.send?.(message)).rejects.toThrow(/^(No broker answers at|The connection to the broker)/);
    await expect(target.send?.(message)).rejects.toThrow(`No broker answers at 127.0.0.1:${first.port}.`);
    await target.close();
  });

  it('that refuses is named with its reason, and without the password', async () => {
    const broker = await startStompBroker('Bad login');
    const target = await openEventTarget(`stomp://one:secret@127.0.0.1:${broker.port}`);
    await expect(target.send?.(message)).rejects.toThrow('The broker refused: Bad login');
    await target.close();
    await broker.close();
  });
});

describe('A webhook', () => {
  it('gets each message as JSON, with its queue and a token', async () => {
    const got: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
    const server = createServer((request, reply) => {
      let body = '';
      request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      request.on('end', () => {
        got.push({ headers: request.headers, body });
        reply.statusCode = got.length === 1 ? 204 : 503;
        reply.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // a server on a port has such an address
    const target = await openEventTarget(`http://127.0.0.1:${port}/hook`);
    await target.send?.(message);
    await expect(target.send?.(message)).rejects.toThrow('The webhook answered 503.');
    expect(got[0]).toMatchObject({
      headers: {
        authorization: 'Bearer x.y.z',
        'content-type': 'application/json',
        'atoll-queue': 'islandora-connector-houdini',
      },
      body: message.text,
    });
    server.close();
    server.closeAllConnections();
  });
});

describe('A target', () => {
  it.each([
    [undefined, true],
    ['services', true],
    ['none', false],
  ])('%s sends nothing; whether derivatives are made: %s', async (name, areMade) => {
    const { send, services } = await openEventTarget(name);
    expect({ send, areMade: services !== undefined }).toEqual({ send: undefined, areMade });
  });
  it.each(['', 'nobody', 'amqp://127.0.0.1', 'stomp://', 'stomp:x:secret'])('%p is refused', async (name) => {
    await expect(openEventTarget(name)).rejects.toThrow(ConfigurationError);
    await expect(openEventTarget(name)).rejects.not.toThrow('secret');
  });
});
