/** A receiver of messages that takes the connection and says nothing costs no more than one that is away. */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { components } from '../../src/client/generated/control.ts';
import { openEventTarget } from '../../src/application/application-disk.ts';
import type { ReceiverPatience } from '../../src/application/events/receiver-away.ts';
import { starterSiteAtoll } from '../living/sending-site.ts';

const message = { queue: 'islandora-connector-houdini', text: '{}', authorization: 'Bearer x.y.z' };
const patience: ReceiverPatience = { answerMs: 100, failures: 3, awayMs: 60_000 };

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A port that takes connections, reads and never answers. */
const silentPort = async (): Promise<{ readonly port: number; readonly connections: () => number }> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).resume();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, connections: () => sockets.size }; // a server on a port has such an address
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

describe.each([
  ['A webhook', 'http', 'The webhook did not answer within 0.1 s.'],
  ['A broker', 'stomp', 'No broker answers at 127.0.0.1:'],
])('%s that says nothing', (_name, scheme, late) => {
  it('loses three messages after its time, and those that follow at once', async () => {
    const silent = await silentPort();
    const { send, close } = await openEventTarget(`${scheme}://127.0.0.1:${silent.port}/`, patience);
    for (let failed = 0; failed < 3; failed += 1) await expect(send?.(message)).rejects.toThrow(late);
    const tried = silent.connections();
    const took = await timed(async () => {
      for (let lost = 0; lost < 500; lost += 1)
        await expect(send?.(message)).rejects.toThrow(
          'Not sent: the receiver counts as away after 3 failures in a row.',
        );
    });
    expect(took).toBeLessThan(5000);
    expect(silent.connections()).toBe(tried);
    await close();
  });

  it('gets one message after the pause, and the others do not wait for it', async () => {
    const silent = await silentPort();
    const pausing = { answerMs: 150, failures: 1, awayMs: 200 };
    const { send, close } = await openEventTarget(`${scheme}://127.0.0.1:${silent.port}/`, pausing);
    await expect(send?.(message)).rejects.toThrow();
    const before = silent.connections();
    await new Promise((resolve) => setTimeout(resolve, 250));
    const all = await Promise.allSettled(Array.from({ length: 5 }, async () => send?.(message)));
    expect(all.filter((one) => one.status === 'rejected' && !String(one.reason).includes('Not sent'))).toHaveLength(1);
    expect(silent.connections()).toBe(before + 1);
    await close();
  });

  it('settles a site with many messages in bounded time, and each message says why it was lost', async () => {
    const silent = await silentPort();
    const target = await openEventTarget(`${scheme}://127.0.0.1:${silent.port}/`, patience);
    const atoll = await starterSiteAtoll(target);
    const node = {
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: 'A' }],
      field_model: [{ target_id: 13 }],
    };
    for (let count = 0; count < 12; count += 1)
      await atoll.send('post', '/node?_format=json', 'admin').send(node).expect(201);
    const settled = await atoll.send('get', '/_atoll/reactions?settled=true').expect(200);
    expect((settled.body as components['schemas']['Reactions']).settled).toBe(true);
    const { events } = (await atoll.send('get', '/_atoll/events?limit=1000').expect(200))
      .body as components['schemas']['EventPage']; // the document says so
    expect(events.length).toBeGreaterThanOrEqual(12);
    expect(events.every(({ delivery, message: reason = '' }) => delivery === 'lost' && reason !== '')).toBe(true);
    expect(events.at(-1)?.message).toContain('counts as away');
    await target.close();
  });
});

describe('A webhook', () => {
  it('that refuses one message gets the next, for it is there', async () => {
    let asked = 0;
    const server = createHttpServer((_request, reply) => {
      asked += 1;
      reply.writeHead(503).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => {
      server.close();
      server.closeAllConnections();
    });
    const { port } = server.address() as AddressInfo; // a server on a port has such an address
    const { send } = await openEventTarget(`http://127.0.0.1:${port}/`, patience);
    for (let count = 0; count < 5; count += 1)
      await expect(send?.(message)).rejects.toThrow('The webhook answered 503.');
    expect(asked).toBe(5);
  });

  it('that is back after its pause gets messages again', async () => {
    let isSilent = true;
    const server = createHttpServer((_request, reply) => {
      if (!isSilent) reply.writeHead(204).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => {
      server.close();
      server.closeAllConnections();
    });
    const { port } = server.address() as AddressInfo; // a server on a port has such an address
    const { send } = await openEventTarget(`http://127.0.0.1:${port}/`, { answerMs: 200, failures: 1, awayMs: 100 });
    await expect(send?.(message)).rejects.toThrow('did not answer');
    isSilent = false;
    await new Promise((resolve) => setTimeout(resolve, 150));
    await send?.(message);
    await send?.(message);
  });

  it('that cannot be reached is named with the reason', async () => {
    const { send } = await openEventTarget('http://127.0.0.1:1/', patience);
    await expect(send?.(message)).rejects.toThrow('The webhook cannot be reached (');
  });

  it('is given up at the end of the server, not after its time', async () => {
    const silent = await silentPort();
    const { send, close } = await openEventTarget(`http://127.0.0.1:${silent.port}/`, {
      ...patience,
      answerMs: 60_000,
    });
    const sent = expect(send?.(message)).rejects.toThrow('The server was stopped.');
    await close();
    await sent;
  });
});

describe('The work that waits', () => {
  it('is bounded: the messages of a further write are lost, and both lists say why', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const atoll = await starterSiteAtoll({ send: () => held, services: undefined }, 2);
    const node = {
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: 'A' }],
      field_model: [{ target_id: 13 }],
    };
    for (let count = 0; count < 6; count += 1) {
      await atoll.send('post', '/node?_format=json', 'admin').send(node).expect(201);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { reactions } = (await atoll.send('get', '/_atoll/reactions').expect(200))
      .body as components['schemas']['Reactions']; // the document says so
    expect(reactions.map(({ state }) => state)).toEqual('running waiting waiting failed failed failed'.split(' '));
    expect(reactions.at(-1)).toMatchObject({ id: 6, name: 'send messages', message: '2 others wait already.' });
    const { events } = (await atoll.send('get', '/_atoll/events').expect(200))
      .body as components['schemas']['EventPage']; // the document says so
    expect(new Set(events.map(({ message: reason }) => reason))).toEqual(new Set(['2 others wait already.']));
    expect(events.length).toBeGreaterThanOrEqual(3);
    release();
    const settled = await atoll.send('get', '/_atoll/reactions?settled=true').expect(200);
    expect((settled.body as components['schemas']['Reactions']).settled).toBe(true);
  });
});
