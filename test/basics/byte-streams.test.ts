/** Streams of the platform out of chunks, files and streams of Node: when they are read, and what ends them. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { chunksOf, discardStream, streamOf } from '../../src/basics/byte-streams.ts';
import { fileStream, webStream } from '../../src/basics/disk/web-stream.ts';

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

/** A source of `count` chunks that notes each call. */
const source = (count: number) => {
  const seen: string[] = [];
  let left = count;
  const chunks: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        seen.push('next');
        return (left -= 1) >= 0 ? { done: false, value: Uint8Array.of(left) } : { done: true, value: undefined };
      },
      return: async () => {
        seen.push('return');
        return { done: true, value: undefined };
      },
    }),
  };
  return { chunks, seen };
};

describe('A stream of chunks', () => {
  it('asks for one when it is wanted, and gives them all', async () => {
    const { chunks, seen } = source(2);
    const stream = streamOf(chunks);
    await turn();
    expect(seen).toEqual([]);
    const read: number[] = [];
    for await (const chunk of chunksOf(stream)) {
      read.push(...chunk);
      await turn();
      expect(seen).toHaveLength(read.length);
    }
    expect([read, seen]).toEqual([
      [1, 0],
      ['next', 'next', 'next'],
    ]);
  });

  it('ends its source when the loop is left, and when nobody has begun to read', async () => {
    const [left, unread] = [source(5), source(5)];
    for await (const chunk of chunksOf(streamOf(left.chunks))) if (chunk.length > 0) break;
    discardStream(streamOf(unread.chunks));
    await turn();
    expect([left.seen, unread.seen]).toEqual([['next', 'return'], ['return']]);
  });

  it('fails with the error of its source, and is discarded in silence after that', async () => {
    const failure = new Error('Enough.');
    const stream = streamOf(
      (async function* () {
        yield Uint8Array.of(1);
        throw failure;
      })(),
    );
    const reader = stream.getReader();
    expect((await reader.read()).value).toEqual(Uint8Array.of(1));
    await expect(reader.read()).rejects.toBe(failure);
    reader.releaseLock();
    discardStream(stream);
    await turn();
  });
});

describe('A stream of a file', () => {
  let folder: string;
  const size = 600_000;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atoll-'));
    await writeFile(join(folder, 'a'), Buffer.alloc(size, 'abc'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('gives its bytes, a part of them, and as many as there are, and closes it', async () => {
    for (const [start, end, expected] of [
      [0, size - 1, size],
      [1, 1, 1],
      [300_000, 599_999, 300_000],
      [599_999, 700_000, 1],
      [0, -1, 0],
    ] as const) {
      const handle = await open(join(folder, 'a'));
      const bytes = Buffer.from(await new Response(fileStream(handle, { start, end })).arrayBuffer());
      expect(bytes.equals(Buffer.alloc(size, 'abc').subarray(start, end + 1))).toBe(true);
      expect([bytes.length, handle.fd]).toEqual([expected, -1]);
    }
  });

  it('closes it when nobody reads on, and on an error', async () => {
    const [unread, left, broken] = await Promise.all(['a', 'a', 'a'].map((name) => open(join(folder, name))));
    if (unread === undefined || left === undefined || broken === undefined) throw new Error('Unopened.');
    await fileStream(unread, { start: 0, end: 9 }).cancel();
    for await (const chunk of chunksOf(fileStream(left, { start: 0, end: size - 1 }))) if (chunk.length > 0) break;
    const stream = fileStream(broken, { start: 0, end: 9 });
    await broken.close();
    await expect(stream.getReader().read()).rejects.toThrow();
    expect([unread.fd, left.fd, broken.fd]).toEqual([-1, -1, -1]);
  });
});

describe('A stream of Node as one of the platform', () => {
  it('is read when it is wanted, and destroyed when nobody wants it', async () => {
    const [read, unread] = [
      Readable.from([Buffer.from('ab'), Buffer.from('c')]),
      new Readable({ read: () => undefined }),
    ];
    expect(await new Response(webStream(read)).text()).toBe('abc');
    const stream = webStream(unread);
    await turn();
    expect([unread.readableFlowing, unread.destroyed]).toEqual([null, false]);
    await stream.cancel();
    expect(unread.destroyed).toBe(true);
  });
});
