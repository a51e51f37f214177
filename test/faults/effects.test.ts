/** What faults do beyond what a client of the catalogue meets: distributions of delays, broken answers without a socket, a store that is left alone. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendRaw } from '../support/raw-client.ts';
import type { PlainReply, PlainRequest } from '../../src/openapi/openapi-host.ts';
import { createFaults } from '../../src/server/faults/faults.ts';
import { createFetch } from '../../src/server/server-start.ts';
import type { Fetch } from '../../src/exchange/exchange-worlds.ts';
import type { World } from '../../src/repository/repository.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { basic } from '../support/requests.ts';

let server: TestServer;
let fetchInside: Fetch;
beforeAll(async () => {
  server = await startServer();
  const onError = (): void => undefined;
  fetchInside = createFetch({ answer: server.answer, baseUrl: server.url, cors: 'off', onError });
});
afterAll(() => server.stop());

const editor = basic('editor').headers;
const node = '/node/5?_format=json';
const inside = (fault: string, path = node): Promise<Response> =>
  fetchInside(server.url + path, { headers: { ...editor, 'Atoll-Fault': fault } });

describe('a delay', () => {
  const request = { method: 'GET', path: '/', query: '', headers: {}, address: '', body: [] as never } as PlainRequest; // nobody reads it
  const reply: PlainReply = { status: 200, headers: {}, body: undefined };
  const delays = async (parameters: Record<string, string | number>): Promise<number[]> => {
    const waited: number[] = [];
    const faults = createFaults({ seed: 's', wait: async (ms) => waited.push(ms) });
    faults.add({ fault: 'latency', parameters });
    const world = {} as World; // handed on unseen
    const answer = faults.intercept(
      async () => reply,
      () => undefined,
    );
    for (let time = 0; time < 2000; time += 1) await answer(request, world);
    return waited.sort((a, b) => a - b);
  };
  const share = (sorted: number[], at: number): number => Math.round(sorted[Math.floor(sorted.length * at)] ?? 0);

  it('that is fixed is always the same', async () => {
    expect(new Set(await delays({ ms: 120 }))).toEqual(new Set([120]));
  });

  it('that is uniform lies evenly between its bounds', async () => {
    const sorted = await delays({ ms: 100, distribution: 'uniform', spread: 50 });
    expect([(sorted[0] ?? 0) >= 50, (sorted.at(-1) ?? 0) <= 150]).toEqual([true, true]);
    expect(Math.abs(share(sorted, 0.25) - 75)).toBeLessThan(5);
    expect(Math.abs(share(sorted, 0.75) - 125)).toBeLessThan(5);
  });

  it('that is normal has its quartiles where they belong, and is never negative', async () => {
    const sorted = await delays({ ms: 100, distribution: 'normal', spread: 50 });
    expect(Math.abs(share(sorted, 0.5) - 100)).toBeLessThan(6);
    expect(Math.abs(share(sorted, 0.84) - 150)).toBeLessThan(8);
    expect(sorted[0]).toBe(0);
  });

  it('that is lognormal has a long tail above its middle, cut at a minute', async () => {
    const sorted = await delays({ ms: 100, distribution: 'lognormal', spread: 1 });
    expect(Math.abs(share(sorted, 0.5) - 100)).toBeLessThan(12);
    expect(Math.abs(share(sorted, 0.84) - 272)).toBeLessThan(40);
    expect((await delays({ ms: 60_000, distribution: 'lognormal' })).at(-1)).toBe(60_000);
  });
});

describe('a broken answer without a socket', () => {
  it('is a TypeError with the cause ECONNRESET when the connection is reset', async () => {
    await expect(inside('connection-reset')).rejects.toMatchObject({
      name: 'TypeError',
      cause: { code: 'ECONNRESET' },
    });
  });

  it('begins with 200 and fails while it is read when it is cut', async () => {
    const response = await inside('cut-answer;afterBytes=10');
    expect([response.status, Number(response.headers.get('content-length')) > 10]).toEqual([200, true]);
    await expect(response.text()).rejects.toThrow();
  });

  it('arrives whole with 200 when it trickles, bytes of files too', async () => {
    const [whole, slow] = [await inside('latency;ms=0'), await inside('slow-answer;bytesPerSecond=50000')];
    expect(await slow.text()).toBe(await whole.text());
    const record = (await (await inside('latency;ms=0', '/media/1?_format=json')).json()) as {
      field_media_image: [{ url: string }];
    }; // checked by the engine
    const path = new URL(record.field_media_image[0].url).pathname;
    const [bytes, slowBytes] = [
      await inside('latency;ms=0', path),
      await inside('slow-answer;bytesPerSecond=500000', path),
    ];
    expect(Buffer.from(await slowBytes.arrayBuffer())).toEqual(Buffer.from(await bytes.arrayBuffer()));
  });
});

describe('a slow upload', () => {
  const slow = async (bytesPerSecond: number, chunks: readonly Uint8Array[]) => {
    const waited: number[] = [];
    const faults = createFaults({ seed: 's', wait: async (ms) => waited.push(ms) });
    faults.add({ fault: 'slow-upload', parameters: { bytesPerSecond } });
    const read: Buffer[] = [];
    /** How often the reader had waited when it read on. */
    const readAfter: number[] = [];
    const body = {
      async *[Symbol.asyncIterator]() {
        for (const chunk of chunks) {
          readAfter.push(waited.length);
          yield chunk;
        }
      },
    };
    const answer = faults.intercept(
      async (request) => {
        for await (const piece of request.body) read.push(Buffer.from(piece));
        return { status: 204, headers: {}, body: undefined };
      },
      () => undefined,
    );
    const headers = { 'transfer-encoding': 'chunked' };
    const request: PlainRequest = { method: 'PUT', path: '/', query: '', headers, address: '', body };
    const reply = await answer(request, {} as World); // handed on unseen
    return { reply, read, readAfter, sum: waited.reduce((all, ms) => all + ms, 0) };
  };

  it('is read whole, in as long as its bytes take, and no further than it is due', async () => {
    const chunks = [Buffer.alloc(1000, 'a'), Buffer.alloc(1, 'b'), Buffer.alloc(2499, 'c')];
    const { reply, read, readAfter, sum } = await slow(1000, chunks);
    expect([reply.status, reply.headers['Atoll-Fault']]).toEqual([204, 'slow-upload']);
    expect(Buffer.concat(read).equals(Buffer.concat(chunks))).toBe(true);
    expect(sum).toBeCloseTo(3500);
    expect(readAfter).toEqual([0, 10, 10]);
    expect(Math.max(...read.map((piece) => piece.length))).toBe(100);
  });

  it('is read byte by byte where there are few a second, and waits seldom where there are many', async () => {
    const few = await slow(3, [Buffer.from('four')]);
    expect([few.read.map(String), few.sum]).toEqual([['f', 'o', 'u', 'r'], expect.closeTo(4000 / 3)]);
    const many = await slow(1e9, [Buffer.alloc(65_536), Buffer.alloc(65_536)]);
    expect([many.read.length, many.readAfter]).toEqual([2, [0, 0]]);
  });

  it('leaves a request without a body alone', async () => {
    const reply = await sendRaw('GET', server.url + node, { headers: { ...editor, 'Atoll-Fault': 'slow-upload' } });
    expect([reply.status, reply.headers['atoll-fault']]).toEqual([200, undefined]);
  });

  it('stores the bytes: 204, with a socket and without', async () => {
    const { url, name } = await server.worlds.fork({});
    const body = Buffer.alloc(2000, 'slow ');
    const headers = { ...editor, 'Content-Type': 'image/png', 'Atoll-Fault': 'slow-upload;bytesPerSecond=50000' };
    for (const answer of [
      await sendRaw('PUT', `${url}/media/1/source`, { headers, body }),
      await fetchInside(`${url}/media/1/source`, { method: 'PUT', headers, body }),
    ]) {
      expect(answer.status).toBe(204);
    }
    await server.worlds.drop(name);
  });
});

describe('an answer without a body', () => {
  it.each(['cut-answer', 'slow-answer'])('is not spoiled by %s: HEAD is 200, DELETE 204', async (fault) => {
    const headers = { ...editor, 'Atoll-Fault': fault };
    const head = await sendRaw('HEAD', server.url + node, { headers });
    expect([head.status, head.error, Number(head.headers['content-length']) > 0]).toEqual([200, undefined, true]);
    const { url, name } = await server.worlds.fork({});
    const gone = await sendRaw('DELETE', `${url}/node/9?_format=json`, { headers });
    expect([gone.status, gone.error]).toEqual([204, undefined]);
    await server.worlds.drop(name);
  });
});

describe('a fault leaves what is stored alone', () => {
  /** Every record and the bytes behind it, as one hash. */
  const fingerprint = async (): Promise<string> => {
    const { store } = server.worlds.main.world;
    const all = await Promise.all(
      (['node', 'media', 'file', 'taxonomy_term', 'user'] as const).map((type) =>
        store.list(type, { offset: 0, limit: 10_000 }),
      ),
    );
    return createHash('sha256').update(JSON.stringify(all)).digest('hex');
  };

  it.each([
    'token-expires',
    'role-removed',
    'media-file-gone',
    'media-file-gone;gone=bytes',
    'maintenance-page',
    'unexpected-error',
    'status',
    'connection-reset',
    'cut-upload;afterBytes=5',
    'cut-answer',
    'slow-answer;bytesPerSecond=100000',
  ])('after reads with %s', async (fault) => {
    const before = await fingerprint();
    for (const path of [node, '/media/1?_format=json', '/entity/file/1?_format=json', '/node/5/linkset']) {
      await sendRaw('GET', server.url + path, { headers: { ...editor, 'Atoll-Fault': fault } });
    }
    expect(await fingerprint()).toBe(before);
  });

  it('when an upload is cut at any byte, and lets the repeated one through with 204', async () => {
    const { url, name } = await server.worlds.fork({});
    const address = `${url}/media/1/source`;
    const content = async (): Promise<string> => {
      const record = await sendRaw('GET', `${url}/media/1?_format=json`, { headers: editor });
      const {
        field_media_image: [image],
      } = JSON.parse(record.body) as { field_media_image: [{ url: string }] }; // checked by the engine
      return (await sendRaw('GET', image.url, { headers: editor })).body;
    };
    const before = await content();
    const body = Buffer.alloc(2000, 'x');
    for (const afterBytes of [0, 1, 999, 1999]) {
      const headers = { ...editor, 'Content-Type': 'image/png', 'Atoll-Fault': `cut-upload;afterBytes=${afterBytes}` };
      const cut = await sendRaw('PUT', address, { headers, body });
      expect([afterBytes, cut.status, typeof cut.error]).toEqual([afterBytes, undefined, 'string']);
      expect(await content()).toBe(before);
    }
    // All of it has been read: there is nothing to cut.
    const headers = { ...editor, 'Content-Type': 'image/png', 'Atoll-Fault': 'cut-upload;afterBytes=2000' };
    expect((await sendRaw('PUT', address, { headers, body })).status).toBe(204);
    expect(await content()).toBe(body.toString());
    await server.worlds.drop(name);
  });
});
