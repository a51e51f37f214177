/** What the library answers without a socket: what it answers over one. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startAtoll, type Atoll } from '../../src/cli/entries/atoll.ts';
import { basicCredentials } from '../../src/basics/formats/basic-credentials.ts';
import { pngBytes } from '../support/png.ts';

const admin = { authorization: basicCredentials('admin', 'islandora') };
const json = { ...admin, 'content-type': 'application/json' };
const object = {
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'A new one' }],
  field_model: [{ target_id: 23 }],
};

let atoll: Atoll;
let content: string;
beforeAll(async () => {
  atoll = await startAtoll();
  await atoll.clock.set({ now: '2026-01-01T00:00:00Z', mode: 'frozen' });
  const file = (await (await atoll.fetch('/entity/file/1?_format=json', { headers: admin })).json()) as {
    uri: [{ url: string }];
  }; // contract: File
  content = file.uri[0].url;
});
afterAll(() => atoll.close());

/** Of one connection, not of an answer. */
const ofTheConnection = ['connection', 'date', 'keep-alive', 'transfer-encoding'];

type Seen = { status: number; headers: [string, string][]; body: string; url: string };
const seen = async (response: Response): Promise<Seen> => ({
  status: response.status,
  headers: [...response.headers].filter(([name]) => !ofTheConnection.includes(name)),
  body: Buffer.from(await response.arrayBuffer()).toString('latin1'),
  url: response.url,
});

type Asked = [status: number, what: string, path: string | (() => string), init?: RequestInit];
const asked: Asked[] = [
  [200, 'a node', '/node/1?_format=json'],
  [200, 'a node as JSON-LD', '/node/1?_format=jsonld'],
  [200, 'the head of a node', '/node/1?_format=json', { method: 'HEAD' }],
  [
    200,
    'a node asked for by a page elsewhere',
    '/node/1?_format=json',
    { headers: { origin: 'http://localhost:5173' } },
  ],
  [200, 'the methods of a node', '/node/1', { method: 'OPTIONS' }],
  [
    204,
    'a preflight',
    '/node/1',
    {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'PATCH' },
    },
  ],
  [200, 'content', () => content, { headers: admin }],
  [206, 'a part of content', () => content, { headers: { ...admin, range: 'bytes=2-5' } }],
  [200, 'the document', '/openapi.json'],
  [200, 'the health', '/_atoll/health'],
  [400, 'a body that is no JSON', '/node?_format=json', { method: 'POST', headers: json, body: '{' }],
  [
    401,
    'a change by nobody',
    '/node/1?_format=json',
    {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(object),
    },
  ],
  [404, 'a node that is not there', '/node/999999?_format=json'],
  [405, 'a method that no path has', '/node/1?_format=json', { method: 'PUT', body: 'x' }],
  [406, 'a format that there is not', '/node/1?_format=xml'],
  [
    413,
    'a body that is too long',
    '/node?_format=json',
    { method: 'POST', headers: json, body: ' '.repeat(1024 * 1024 + 1) },
  ],
  [414, 'an address that is too long', `/node/1?_format=json&${'x'.repeat(4096)}`],
  [415, 'a body of another kind', '/node?_format=json', { method: 'POST', headers: admin, body: 'text' }],
];

describe('Without a socket the answer is the same, header by header, as over HTTP', () => {
  it.each(asked.map(([status, what, path, init = {}]) => ({ status, what, path, init })))(
    '$status: $what',
    async ({ status, path, init }) => {
      const address = atoll.url + (typeof path === 'string' ? path : path());
      const [inside, outside] = [await seen(await atoll.fetch(address, init)), await seen(await fetch(address, init))];
      expect(inside.status).toBe(status);
      expect(inside).toEqual(outside);
    },
  );

  it('201, 200, 204: what is created, changed, uploaded and deleted', async () => {
    const outcomes: Seen[][] = [];
    for (const send of [atoll.fetch, fetch]) {
      const world = await atoll.world('same');
      await world.clock.set({ now: '2026-01-01T00:00:00Z', mode: 'frozen' });
      const created = await seen(
        await send(`${world.url}/node?_format=json`, { method: 'POST', headers: json, body: JSON.stringify(object) }),
      );
      const address = new Map(created.headers).get('location') ?? '';
      const png = { ...admin, 'content-type': 'image/png', 'content-location': 'public://a.png' };
      const steps: [string, RequestInit][] = [
        [
          `${address}?_format=json`,
          { method: 'PATCH', headers: json, body: JSON.stringify({ type: object.type, title: [{ value: 'b' }] }) },
        ],
        [`${address}/media/image/16`, { method: 'PUT', headers: png, body: new Blob([Uint8Array.from(pngBytes())]) }],
        [`${address}?_format=json`, { headers: admin }],
        [`${address}?_format=json`, { method: 'DELETE', headers: admin }],
      ];
      const rest: Seen[] = [];
      for (const [url, init] of steps) rest.push(await seen(await send(url, init)));
      outcomes.push([created, ...rest]);
      await world.drop();
    }
    expect(outcomes[0]?.map(({ status }) => status)).toEqual([201, 200, 201, 200, 204]);
    expect(outcomes[0]).toEqual(outcomes[1]);
  });
});

/** `pieces` times 64 KiB, made when they are asked for. */
const streamed = (pieces: number): { stream: ReadableStream<Uint8Array>; read: () => number } => {
  let read = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (read === pieces) controller.close();
      else controller.enqueue(new Uint8Array(64 * 1024).fill((read += 1)));
    },
  });
  return { stream, read: () => read };
};

const put = (path: string, body: ReadableStream<Uint8Array>, extra: RequestInit = {}): Promise<Response> =>
  atoll.fetch(path, {
    method: 'PUT',
    headers: { ...admin, 'content-type': 'application/octet-stream', 'content-location': 'public://stream.txt' },
    body,
    duplex: 'half',
    ...extra,
  }); // Node's fetch wants `duplex`; the type of browsers has not heard of it

describe('Bytes without a socket', () => {
  it('go in and out as streams: 201, then 200 with what was sent', async () => {
    const world = await atoll.world();
    const { stream } = streamed(40);
    expect((await put(`${world.url}/node/1/media/file/17`, stream)).status).toBe(201);
    const list = (await (await world.fetch('/node/1/media?_format=json', { headers: admin })).json()) as {
      field_media_file?: [{ url: string }];
    }[]; // contract: Media
    const address = list
      .flatMap(({ field_media_file: file }) => file?.[0].url ?? [])
      .find((url) => url.includes('stream'));
    const response = await world.fetch(address ?? '');
    let length = 0;
    const pieces = response.body as AsyncIterable<Uint8Array> | null; // Node's streams can be iterated, the type of browsers' cannot
    for await (const piece of pieces ?? []) length += piece.length;
    expect([response.status, length]).toEqual([200, 40 * 64 * 1024]);
    await world.drop();
  });

  it('of a refused upload stay where they are: 403, and hardly any is read', async () => {
    const { stream, read } = streamed(1000);
    const response = await put('/node/1/media/file/17', stream, {
      headers: { authorization: basicCredentials('plain', 'plain') },
    });
    expect(response.status).toBe(403);
    expect(read()).toBeLessThan(5);
  });

  it('that end in an error store nothing, and reject as a broken connection does', async () => {
    const world = await atoll.world();
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(100)),
      pull: (controller) => controller.error(new Error('The disk of the client is gone.')),
    });
    await expect(put(`${world.url}/node/1/media/file/17`, broken)).rejects.toThrow(TypeError);
    const list = (await (await world.fetch('/node/1/media?_format=json', { headers: admin })).json()) as unknown[]; // contract: Media
    const before = (await (await atoll.fetch('/node/1/media?_format=json', { headers: admin })).json()) as unknown[]; // contract: Media
    expect(list).toHaveLength(before.length);
    await world.drop();
  });
});

describe('fetch without a socket', () => {
  it('rejects when it is aborted before and meanwhile', async () => {
    await expect(atoll.fetch('/node/1?_format=json', { signal: AbortSignal.abort() })).rejects.toThrow('abort');
    const controller = new AbortController();
    let isLeft = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: async (into) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (!isLeft) into.enqueue(new Uint8Array(1));
      },
      cancel: () => {
        isLeft = true;
      },
    });
    const coming = put('/node/1/media/file/17', endless, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('Enough.')), 20);
    await expect(coming).rejects.toThrow('Enough.');
    expect(isLeft).toBe(true);
  });

  it('reaches this server only', async () => {
    await expect(atoll.fetch('http://localhost:1/node/1')).rejects.toThrow('is not served here');
    await expect(atoll.fetch('https://example.org/')).rejects.toThrow('is not served here');
  });

  it('takes a Request as well as an address', async () => {
    const response = await atoll.fetch(new Request(`${atoll.url}/node/1?_format=json`, { headers: admin }));
    expect(response.status).toBe(200);
  });
});
