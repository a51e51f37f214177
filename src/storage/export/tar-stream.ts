/** Writes and reads tar archives as streams. Neither keeps more of an archive than a chunk. */
import { blockBytes, cutArchive, paddingOf, readTarHeader, tarHeader } from './tar-blocks.ts';

/** A file of an archive that is being read. */
export type TarEntry = {
  readonly name: string;
  readonly size: number;
  /** Where its content begins in the archive. */
  readonly at: number;
  /** Its content, to be read before the next file is asked for. The unread rest is passed over. */
  readonly bytes: AsyncIterable<Uint8Array>;
};

/**
 * The files of an archive in their order. Throws `ConfigurationError` when it is none or has no end, and what the source
 * throws.
 */
export async function* readTarStream(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const reader = createReader(source);
  for (let at = blockBytes; ;) {
    const header = readTarHeader(await reader.whole(blockBytes));
    if (header === undefined) break;
    const { name, size, isFile } = header;
    const content = reader.part(size);
    if (isFile) yield { name, size, at, bytes: content.bytes };
    await content.skip();
    await reader.part(paddingOf(size)).skip();
    at += size + paddingOf(size) + blockBytes;
  }
  await reader.skipEnd();
}

/** Programs fill an archive up with zeros, to 10 KiB or a little more. */
const mostAfterEnd = 1024 * 1024;

const createReader = (source: AsyncIterable<Uint8Array>) => {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);
  /** Up to `most` bytes, at least one. Undefined at the end. */
  const next = async (most: number): Promise<Uint8Array | undefined> => {
    while (rest.byteLength === 0) {
      const chunk = await chunks.next();
      if (chunk.done === true) return undefined;
      rest = chunk.value;
    }
    const part = rest.subarray(0, most);
    rest = rest.subarray(part.byteLength);
    return part;
  };
  const part = (size: number) => {
    let left = size;
    const bytes = async function* (): AsyncGenerator<Uint8Array> {
      while (left > 0) {
        const some = await next(left);
        if (some === undefined) throw cutArchive();
        left -= some.byteLength;
        yield some;
      }
    };
    return {
      bytes: { [Symbol.asyncIterator]: bytes },
      skip: async (): Promise<void> => {
        const passed = bytes();
        while ((await passed.next()).done !== true);
      },
    };
  };
  return {
    part,
    whole: async (size: number): Promise<Uint8Array> => {
      const collected = new Uint8Array(size);
      let at = 0;
      for await (const some of part(size).bytes) {
        collected.set(some, at);
        at += some.byteLength;
      }
      return collected;
    },
    /** Reads what follows the end, so that the sender of a request can send all of it. */
    skipEnd: async (): Promise<void> => {
      let left = mostAfterEnd;
      for (let some = await next(left); some !== undefined && left > 0; some = await next(Math.max(1, left))) {
        left -= some.byteLength;
      }
    },
  };
};

/** The blocks of a file whose content is at hand. */
export const tarFile = (name: string, content: string): readonly Uint8Array[] => {
  const bytes = new TextEncoder().encode(content);
  return [tarHeader(name, bytes.byteLength), bytes, new Uint8Array(paddingOf(bytes.byteLength))];
};
