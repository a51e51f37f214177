/**
 * Writes and reads plain tar archives (POSIX ustar) as Blobs. Own code: the libraries for browsers keep a whole archive in
 * memory, and here the bytes of its files stay where the browser has them.
 */
import { ConfigurationError } from '../../site/read-yaml.ts';

const blockBytes = 512;

/** An archive that is being written. */
export type TarWriter = {
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
      parts.push(headerOf(name, size), bytes, new Uint8Array(paddingOf(size)));
    },
    end: () => new Blob([...parts, new Uint8Array(2 * blockBytes)], { type: 'application/x-tar' }),
  };
};

const paddingOf = (size: number): number => (blockBytes - (size % blockBytes)) % blockBytes;

/** Where the fields of a header begin, and their lengths. */
const fields = {
  name: [0, 100],
  size: [124, 12],
  sum: [148, 8],
  kind: [156, 1],
  magic: [257, 6],
  prefix: [345, 155],
} as const;

const headerOf = (name: string, size: number): Uint8Array<ArrayBuffer> => {
  const header = new Uint8Array(blockBytes);
  const write = (at: number, text: string): void => header.set(new TextEncoder().encode(text), at);
  if (name.length > fields.name[1]) throw new Error(`${name}: the name is too long for an archive.`);
  write(0, name);
  // Mode, owner and group. Then the size and the time, always 1970, so that equal content gives an equal archive.
  write(100, '0000600\0' + '0000000\0' + '0000000\0');
  write(fields.size[0], `${octal(size, 11)}\0${octal(0, 11)}\0`);
  write(fields.kind[0], '0');
  write(fields.magic[0], 'ustar\0' + '00');
  write(fields.sum[0], `${octal(sumOf(header), 6)}\0 `);
  return header;
};

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

/** The sum of all bytes, where the sum itself counts as spaces. */
const sumOf = (header: Uint8Array): number => {
  const [start, length] = fields.sum;
  return header.reduce((sum, byte, at) => sum + (at >= start && at < start + length ? 0x20 : byte), 0);
};

/** A file of an archive. */
export type TarFile = {
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
    if (header.byteLength < blockBytes) throw cut();
    if (header.every((byte) => byte === 0)) return;
    const { name, kind, size } = readHeader(header);
    const start = at + blockBytes;
    if (start + size > archive.size) throw cut();
    // Other kinds are folders, links, and what newer formats say of the next file.
    if (kind === '0' || kind === '') {
      yield { name, content: archive.slice(start, start + size), bytes: () => read(start, size) };
    }
    at = start + size + paddingOf(size);
  }
}

const cut = (): ConfigurationError => new ConfigurationError('The archive ends too early. Export it again.');

const readHeader = (header: Uint8Array) => {
  const text = ([start, length]: readonly [number, number]): string =>
    (new TextDecoder().decode(header.subarray(start, start + length)).split('\0')[0] ?? '').trim();
  if (Number.parseInt(text(fields.sum), 8) !== sumOf(header)) {
    throw new ConfigurationError('This is no archive of a repository: choose a tar file that was exported here.');
  }
  // GNU's own format has something else in the place of the prefix.
  const prefix = text(fields.magic) === 'ustar' && header[fields.magic[0] + 5] === 0 ? text(fields.prefix) : '';
  const name = prefix === '' ? text(fields.name) : `${prefix}/${text(fields.name)}`;
  return {
    name: name.replace(/^(\.\/)+/, ''),
    kind: text(fields.kind),
    size: Math.max(0, Number.parseInt(text(fields.size), 8) || 0), // a negative one would lead back
  };
};

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
