/**
 * Writes and reads plain tar archives as Blobs. Own code: the libraries for browsers keep a whole archive in
 * memory, and here the bytes of its files stay where the browser has them.
 */
import {
  blockBytes,
  cutArchive,
  paddingOf,
  readTarHeader,
  tarEnd,
  tarHeader,
} from '../../storage/export/tar-blocks.ts';

/** An archive that is being written. */
type TarWriter = {
  /** `name` has at most 100 characters of ASCII. Files may have up to 8 GiB. */
  add(name: string, content: Blob | string): void;
  /** The whole archive. */
  end(): Blob;
};

export const createTarWriter = (): TarWriter => {
  const parts: BlobPart[] = [];
  return {
    add: (name, content) => {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      const size = bytes instanceof Blob ? bytes.size : bytes.byteLength;
      parts.push(tarHeader(name, size), bytes, new Uint8Array(paddingOf(size)));
    },
    end: () => new Blob([...parts, tarEnd()], { type: 'application/x-tar' }),
  };
};

/** A file of an archive. */
type TarFile = {
  readonly name: string;
  /** Its content, which the browser reads when it is needed. */
  readonly content: Blob;
  /** Its content at once. Quick for small files, while the archive is read. */
  bytes(): Promise<Uint8Array>;
};

/** The files of an archive in their order. Throws `ConfigurationError` when it is none, or was cut. */
export async function* readTar(archive: Blob): AsyncGenerator<TarFile> {
  const read = windowOf(archive);
  for (let at = 0; ;) {
    const header = await read(at, blockBytes);
    if (header.byteLength === 0 && at > 0) return;
    if (header.byteLength < blockBytes) throw cutArchive();
    const found = readTarHeader(header);
    if (found === undefined) return;
    const { name, isFile, size } = found;
    const start = at + blockBytes;
    if (start + size > archive.size) throw cutArchive();
    if (isFile) {
      yield { name, content: archive.slice(start, start + size), bytes: () => read(start, size) };
    }
    at = start + size + paddingOf(size);
  }
}

const windowBytes = 1024 * 1024;

/** Reads a megabyte at once, because each read of a Blob takes a while. */
const windowOf = (archive: Blob) => {
  let first = 0;
  let bytes = new Uint8Array(0);
  return async (start: number, length: number): Promise<Uint8Array> => {
    if (start < first || start + length > first + bytes.byteLength) {
      const part = archive.slice(start, start + Math.max(length, windowBytes));
      [first, bytes] = [start, new Uint8Array(await part.arrayBuffer())];
    }
    return bytes.subarray(start - first, start - first + length);
  };
};
