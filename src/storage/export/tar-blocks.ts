/** Writes and reads the blocks of plain tar archives (POSIX ustar). */
import { ConfigurationError } from '../../basics/configuration-error.ts';

export const blockBytes = 512;

/** How many zeros follow a file of this size. */
export const paddingOf = (size: number): number => (blockBytes - (size % blockBytes)) % blockBytes;

/** What an archive ends with. */
export const tarEnd = (): Uint8Array<ArrayBuffer> => new Uint8Array(2 * blockBytes);

/** Where the fields of a header begin, and their lengths. */
const fields = {
  name: [0, 100],
  size: [124, 12],
  sum: [148, 8],
  kind: [156, 1],
  magic: [257, 6],
  prefix: [345, 155],
} as const;

/** The header of a file. `name` has at most 100 characters of ASCII. Equal content gives an equal header. */
export const tarHeader = (name: string, size: number): Uint8Array<ArrayBuffer> => {
  const header = new Uint8Array(blockBytes);
  const write = (at: number, text: string): void => header.set(new TextEncoder().encode(text), at);
  if (name.length > fields.name[1]) throw new Error(`${name}: the name is too long for an archive.`);
  write(0, name);
  // Mode, owner and group. Then the size and the time, always 1970.
  write(100, '0000600\0' + '0000000\0' + '0000000\0');
  write(fields.size[0], `${octal(Math.min(size, largestOctal), 11)}\0${octal(0, 11)}\0`);
  if (size > largestOctal) header.set(binarySize(size), fields.size[0]);
  write(fields.kind[0], '0');
  write(fields.magic[0], 'ustar\0' + '00');
  write(fields.sum[0], `${octal(sumOf(header), 6)}\0 `);
  return header;
};

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

/** 11 octal digits: 8 GiB. */
const largestOctal = 8 ** 11 - 1;

/** How GNU tar writes a larger size: the highest bit, then a binary number. */
const binarySize = (size: number): Uint8Array => {
  const bytes = new Uint8Array(fields.size[1]);
  new DataView(bytes.buffer).setBigUint64(4, BigInt(size));
  bytes[0] = 0x80;
  return bytes;
};

const readSize = (header: Uint8Array): number => {
  const [start, length] = fields.size;
  const bytes = header.subarray(start, start + length);
  if (((bytes[0] ?? 0) & 0x80) === 0) return Math.max(0, Number.parseInt(textIn(header, fields.size), 8) || 0); // a negative one would lead back
  const size = Number(new DataView(bytes.buffer, bytes.byteOffset + 4, 8).getBigUint64(0));
  if (!Number.isSafeInteger(size)) throw noArchive();
  return size;
};

/** The sum of all bytes, where the sum itself counts as spaces. */
const sumOf = (header: Uint8Array): number => {
  const [start, length] = fields.sum;
  return header.reduce((sum, byte, at) => sum + (at >= start && at < start + length ? 0x20 : byte), 0);
};

const textIn = (header: Uint8Array, [start, length]: readonly [number, number]): string =>
  (new TextDecoder().decode(header.subarray(start, start + length)).split('\0')[0] ?? '').trim();

const noArchive = (): ConfigurationError =>
  new ConfigurationError('This is not an archive of a repository: choose a tar file that was exported here.');

/** Says that an archive has no end. */
export const cutArchive = (): ConfigurationError =>
  new ConfigurationError('The archive ends too early. Export it again.');

type TarHeader = {
  readonly name: string;
  readonly size: number;
  /** False for folders, and for what newer formats say of the next file. */
  readonly isFile: boolean;
};

/** A folder, and the headers of newer formats: pax, and GNU's long names. Links, devices and FIFOs have other kinds. */
const passedOver: readonly string[] = ['5', 'x', 'g', 'L', 'K'];

const refuseEntry = (name: string, why: string): never => {
  throw new ConfigurationError(`${JSON.stringify(name.slice(-200))} in the archive ${why}. Export it again.`);
};

/** On Windows a backslash parts folders, too, and a drive is the begin of an absolute path. */
const leadsOut = (path: string): boolean => /^(?:[\\/]|[A-Za-z]:)/.test(path) || path.split(/[\\/]/).includes('..');

/**
 * Reads a header. Undefined for the block of zeros at the end. Throws `ConfigurationError` when it is none, or that of a link, a
 * device or a FIFO, or when its name leads out of the archive or has a backslash.
 */
export const readTarHeader = (header: Uint8Array): TarHeader | undefined => {
  if (header.every((byte) => byte === 0)) return undefined;
  if (Number.parseInt(textIn(header, fields.sum), 8) !== sumOf(header)) throw noArchive();
  // GNU's own format has something else in place of the prefix.
  const isPosix = textIn(header, fields.magic) === 'ustar' && header[fields.magic[0] + 5] === 0;
  const prefix = isPosix ? textIn(header, fields.prefix) : '';
  const name = textIn(header, fields.name);
  const kind = textIn(header, fields.kind);
  const path = (prefix === '' ? name : `${prefix}/${name}`).replace(/^(\.\/)+/, '');
  const isFile = kind === '0' || kind === '';
  if (!isFile && !passedOver.includes(kind)) refuseEntry(path, 'is a link, a device or a FIFO');
  if (leadsOut(path)) refuseEntry(path, 'leads out of it');
  if (path.includes('\\')) refuseEntry(path, 'has a backslash in its name');
  return { name: path, size: readSize(header), isFile };
};
