/** What every blob storage promises; called by the test of each implementation. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { headBytes, type BlobReference, type BlobStorage } from '../../src/openapi/openapi-records.ts';

export const bytesOf = async (stream: ReadableStream<Uint8Array> | undefined): Promise<string | undefined> =>
  stream === undefined ? undefined : new Response(stream).text();

export async function* chunksOf(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk));
}

/** A body that stops after one piece. `isEnded` tells whether its reader has ended it. */
const stalledAfter = (piece: string): AsyncIterable<Uint8Array> & { isEnded(): boolean } => {
  const pieces = [Buffer.from(piece)];
  let isEnded = false;
  return {
    isEnded: () => isEnded,
    [Symbol.asyncIterator]: () => ({
      next: () => {
        const value = pieces.shift();
        return value === undefined ? new Promise(() => undefined) : Promise.resolve({ done: false, value });
      },
      return: () => {
        isEnded = true;
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
};

/** Stores a text as an upload does whose record is written. */
export const storeText = async (storage: BlobStorage, ...chunks: string[]): Promise<BlobReference> => {
  const received = await storage.receive(chunksOf(...chunks), { maxBytes: 1_000_000 });
  const blob = await received.keep();
  received.settle();
  return blob;
};

export const takeAway = (storage: BlobStorage | undefined, ...keys: (string | undefined)[]) =>
  storage?.sweep(() => Promise.resolve(keys.filter((key) => key !== undefined)));

/** `isClean` tells whether nothing of an unfinished upload is left. */
export const describeBlobStorage = (
  name: string,
  openStorage: (maxBytes?: number) => Promise<{ storage: BlobStorage; isClean: () => Promise<boolean> }>,
): void => {
  describe(`${name} as a blob storage`, () => {
    let storage: BlobStorage;
    let isClean: () => Promise<boolean>;
    beforeEach(async () => {
      ({ storage, isClean } = await openStorage());
    });
    const receive = (...chunks: string[]) => storage.receive(chunksOf(...chunks), { maxBytes: 1_000_000 });

    it('gives kept bytes back, with their size and hash, whole and in part', async () => {
      const received = await receive('hello ', 'world');
      expect(Buffer.concat(received.head).toString()).toBe('hello world');
      const blob = await received.keep();
      expect([blob.size, blob.sha256]).toEqual([11, createHash('sha256').update('hello world').digest('hex')]);
      expect(await bytesOf(await storage.open(blob))).toBe('hello world');
      expect(await bytesOf(await storage.open(blob, { start: 6, end: 6 }))).toBe('w');
      expect(await bytesOf(await storage.open(blob, { start: 0, end: 10 }))).toBe('hello world');
      expect(await storage.keys()).toEqual([blob.key]);
      expect(await isClean()).toBe(true);
    });

    it('keeps an empty body and a stream of many chunks', async () => {
      const empty = await (await receive()).keep();
      expect(await bytesOf(await storage.open(empty))).toBe('');
      const pieces = Array.from({ length: 9 }, (_, at) => String(at).repeat(65_536));
      const received = await storage.receive(chunksOf(...pieces), { maxBytes: 1_000_000 });
      expect([received.size, Buffer.concat(received.head).byteLength]).toEqual([9 * 65_536, headBytes]);
      const back = await bytesOf(await storage.open(await received.keep()));
      expect([back?.length, back?.at(0), back?.at(-1)]).toEqual([9 * 65_536, '0', '8']);
    });

    it('shows nothing before keep, and nothing after discard or a sweep', async () => {
      const received = await receive('gone');
      expect(await storage.keys()).toEqual([]);
      await received.discard();
      const refused = await receive('kept and refused');
      const unnamed = await refused.keep();
      await refused.discard();
      const blob = await storeText(storage, 'gone too');
      expect(await takeAway(storage, blob.key)).toEqual([blob.key]);
      await takeAway(storage, blob.key);
      expect([await storage.open(blob), await storage.open(unnamed)]).toEqual([undefined, undefined]);
      expect([await storage.keys(), await isClean()]).toEqual([[], true]);
    });

    it('sweeps no bytes that an upload keeps, before its record is written and while the sweep looks', async () => {
      const before = await receive('before');
      const kept = await before.keep();
      expect(await takeAway(storage, kept.key)).toEqual([]);
      before.settle();
      let during: BlobReference | undefined;
      const swept = await storage.sweep(async () => {
        during = await storeText(storage, 'during');
        return [kept.key, during.key];
      });
      expect(swept).toEqual([kept.key]);
      expect(during && (await bytesOf(await storage.open(during)))).toBe('during');
    });

    it('keeps the same bytes for one upload when another one with them is refused, and after an earlier one', async () => {
      const [one, other] = [await receive('same'), await receive('same')];
      const [kept] = await Promise.all([one.keep(), other.keep()]);
      await other.discard();
      one.settle();
      expect(await bytesOf(await storage.open(kept))).toBe('same');
      const later = await receive('same');
      await later.keep();
      await later.discard();
      expect(await bytesOf(await storage.open(kept))).toBe('same');
    });

    it('refuses a body over the limit with 413, takes one of exactly the limit, and leaves the source alive', async () => {
      const source = stalledAfter('1234567890');
      await expect(storage.receive(source, { maxBytes: 9 })).rejects.toMatchObject({ status: 413 });
      expect([source.isEnded(), await isClean()]).toEqual([false, true]);
      expect((await storage.receive(chunksOf('12345', '67890'), { maxBytes: 10 })).size).toBe(10);
    });

    it('passes the error of a failing source on and leaves nothing', async () => {
      const failure = new Error('the client went away');
      const source = (async function* () {
        yield* chunksOf('half');
        throw failure;
      })();
      await expect(storage.receive(source, { maxBytes: 100 })).rejects.toBe(failure);
      expect(await isClean()).toBe(true);
    });

    it('stops a stalled body when the signal aborts, and leaves nothing', async () => {
      const stalled = stalledAfter('half');
      const controller = new AbortController();
      const receiving = storage.receive(stalled, { maxBytes: 100, signal: controller.signal });
      setTimeout(() => controller.abort(new Error('stopped')), 20);
      await expect(receiving).rejects.toThrow('stopped');
      const late = storage.receive(chunksOf('x'), { maxBytes: 100, signal: controller.signal });
      await expect(late).rejects.toThrow('stopped');
      expect(await isClean()).toBe(true);
    });

    it('answers undefined for unknown, crooked and lying references', async () => {
      const blob = await (await receive('hello')).keep();
      for (const key of ['', '../x', '/etc/passwd', 'ab/../../x', '__proto__', 'ab/cdef', `${blob.key}\0`]) {
        expect(await storage.open({ ...blob, key })).toBeUndefined();
        await takeAway(storage, key);
      }
      expect(await storage.open({ ...blob, size: 4 })).toBeUndefined();
      expect(await bytesOf(await storage.open(blob))).toBe('hello');
    });

    it('gives each of 20 bodies that arrive together a name of its own', async () => {
      const blobs = await Promise.all(
        Array.from({ length: 20 }, async (_, at) => (await receive(`body ${at}`)).keep()),
      );
      expect(await Promise.all(blobs.map(async (blob) => bytesOf(await storage.open(blob))))).toEqual(
        blobs.map((_, at) => `body ${at}`),
      );
    });
  });
};
