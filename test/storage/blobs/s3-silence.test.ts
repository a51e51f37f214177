/** The S3 storage with a service that says nothing, or says that it has stored what it has not. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { openS3BlobStorage } from '../../../src/storage/storage.ts';
import type { S3BlobStorage } from '../../../src/storage/blobs/s3-blob-storage.ts';
import { createPartSums, mayBeEtagOf } from '../../../src/storage/blobs/s3-etag.ts';
import { chunksOf } from '../blob-storage.suite.ts';

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

/** In the suite `processes` the storage waits as long as it does for users. */
const silenceMs = process.env['SUITE'] === 'processes' ? undefined : 300;

const openOn = async (server: Server): Promise<S3BlobStorage> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  const storage = await openS3BlobStorage({
    location: {
      ...{ bucket: 'b', region: 'us-east-1', endpoint: `http://127.0.0.1:${port}`, pathStyle: true, keyPrefix: '' },
      keys: { accessKeyId: 'a', secretAccessKey: 'b' },
    },
    newName: randomUUID,
    ...(silenceMs === undefined ? {} : { silenceMs }),
  });
  opened.push(() => {
    storage.close();
    server.close();
  });
  return storage;
};

type Answers = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

const service = (answers: Answers): Server =>
  createServer((request, response) => void buffer(request).then((body) => answers(request, response, body)));

const refusal = (storage: S3BlobStorage) =>
  storage.receive(chunksOf('bytes'), { maxBytes: 10 }).then(
    () => undefined,
    (error: unknown) => error,
  );

const isUnavailable = expect.objectContaining({ status: 503 }) as unknown;

describe('a service that does not answer', () => {
  it('is 503 within ten seconds, sooner where less silence is allowed: at the first question, and when it falls silent before the bytes are stored', async () => {
    const mute = await openOn(service(() => undefined));
    const falls = await openOn(
      service(({ method }, response) => {
        if (method === 'HEAD') response.writeHead(404).end();
      }),
    );
    const blob = { key: 'a'.repeat(32), size: 1, sha256: '' };
    const timed = async (work: Promise<unknown>): Promise<number> => {
      const started = performance.now();
      expect(await work.catch((error: unknown) => error)).toEqual(isUnavailable);
      return performance.now() - started;
    };
    const times = await Promise.all([timed(refusal(mute)), timed(refusal(falls)), timed(mute.open(blob))]);
    expect(Math.max(...times)).toBeLessThan(silenceMs === undefined ? 10_000 : 5_000);
  }, 15_000);
});

/** A service that keeps what `store` makes of each body. */
const keeping = (store: (body: Buffer) => Buffer | undefined): Server => {
  const kept = new Map<string, Buffer>();
  const etagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`;
  return service(({ method, url = '' }, response, body) => {
    const path = url.split('?')[0] ?? '';
    if (method === 'PUT') {
      const stored = store(body);
      if (stored !== undefined) kept.set(path, stored);
      response.writeHead(200, { ETag: etagOf(body) }).end();
      return;
    }
    const found = kept.get(path);
    if (method === 'DELETE') kept.delete(path);
    if (found === undefined) response.writeHead(404).end();
    else response.writeHead(200, { ETag: etagOf(found), 'Content-Length': found.length }).end();
  });
};

describe('what the service has stored', () => {
  it.each([
    ['nothing, although it answered 200', () => undefined],
    ['less', (body: Buffer) => body.subarray(1)],
    ['other bytes', (body: Buffer) => Buffer.alloc(body.length)],
  ])('is %s: 503', async (_, store) => {
    expect(await refusal(await openOn(keeping(store)))).toEqual(isUnavailable);
  });

  it('is what was sent: kept', async () => {
    const storage = await openOn(keeping((body) => body));
    expect(await (await storage.receive(chunksOf('bytes'), { maxBytes: 10 })).keep()).toMatchObject({ size: 5 });
  });
});

describe('an ETag', () => {
  const md5 = (text: string): Buffer => createHash('md5').update(text).digest();
  const ofParts = createHash('md5')
    .update(Buffer.concat([md5('abcd'), md5('ef')]))
    .digest('hex');

  it.each([
    [`"${ofParts}-2"`, true],
    [`"${ofParts.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))}-2"`, false],
    [md5('abcdef').toString('hex'), true],
    ['"an opaque one"', true],
  ])('%s of two parts may be right: %s', (etag, expected) => {
    const sums = createPartSums(4);
    for (const piece of ['abc', 'def']) sums.add(Buffer.from(piece));
    expect(mayBeEtagOf(sums, etag)).toBe(expected);
  });

  it('of no bytes at all is known too', () => {
    expect([
      mayBeEtagOf(createPartSums(4), md5('').toString('hex')),
      mayBeEtagOf(createPartSums(4), '0'.repeat(32)),
    ]).toEqual([true, false]);
  });
});
