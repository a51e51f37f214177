/** Reads a file line by line, as bytes with their offsets. */
import type { FileHandle } from 'node:fs/promises';
import { notRegularCode, openRegularFile as openFile } from '../../basics/disk/regular-file.ts';
import { errorCode, ifThere } from '../../basics/error-code.ts';
import { storeDamaged } from '../store-errors.ts';

/** A line without its line break. `complete` is false for a last line without one. */
export type Line = { readonly offset: number; readonly bytes: Buffer; readonly complete: boolean };

/** Yields the lines of a file in groups of about 1 MiB. Throws `StoreDamaged` when it is not a regular file. */
export async function* readLines(path: string): AsyncGenerator<Line[]> {
  for await (const { offset, bytes } of readPieces(path)) {
    const lines: Line[] = [];
    for (let start = 0; start < bytes.byteLength;) {
      const found = bytes.indexOf(lineBreak, start);
      const end = found === -1 ? bytes.byteLength : found;
      lines.push({ offset: offset + start, bytes: bytes.subarray(start, end), complete: found !== -1 });
      start = end + 1;
    }
    yield lines;
  }
}

/** Whole lines with their line breaks, and where they begin in the file. */
type Lines = { readonly offset: number; readonly bytes: Buffer };

const pieceBytes = 1024 * 1024;

/**
 * Yields a file in pieces of about 1 MiB, each of them whole lines. Only the last piece may end without a line break. The
 * pieces may be kept. Throws `StoreDamaged` when it is not a regular file.
 */
export async function* readPieces(path: string): AsyncGenerator<Lines> {
  const handle = await openRegularFile(path);
  const read = (): Promise<Buffer> => {
    const reading = handle
      .read(Buffer.allocUnsafeSlow(pieceBytes), 0, pieceBytes, null)
      .then(({ buffer, bytesRead }) => buffer.subarray(0, bytesRead));
    // Awaited below. A rejection must not count as unhandled until then.
    reading.catch(() => undefined);
    return reading;
  };
  let offset = 0;
  let begun: Buffer[] = [];
  const take = (bytes: Buffer): Lines => {
    const taken = { offset, bytes };
    offset += bytes.byteLength;
    return taken;
  };
  let next = read();
  try {
    for (let piece = await next; piece.byteLength > 0; piece = await next) {
      // Goes on while the caller looks at this piece.
      next = read();
      const isOpen = begun.length > 0;
      const first = isOpen ? piece.indexOf(lineBreak) + 1 : 0;
      const last = piece.lastIndexOf(lineBreak) + 1;
      if (isOpen && first > 0) {
        // The line that began in an earlier piece becomes a piece of its own: nothing else has to be copied.
        yield take(Buffer.concat([...begun, piece.subarray(0, first)]));
        begun = [];
      }
      if (last > first) yield take(piece.subarray(first, last));
      if (last < piece.byteLength) begun.push(piece.subarray(last));
    }
    if (begun.length > 0) yield take(Buffer.concat(begun));
  } finally {
    await next.catch(() => undefined);
    await handle.close();
  }
}

const lineBreak = 0x0a;

/** The bytes of a small file; none when it is missing. Throws `StoreDamaged` when it is not a regular file. */
export const readRegularFile = async (path: string): Promise<Buffer> => {
  const handle = await ifThere(openRegularFile(path));
  if (handle === undefined) return Buffer.alloc(0);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
};

const openRegularFile = (path: string): Promise<FileHandle> =>
  openFile(path).catch((error: unknown) => {
    const isOther = [notRegularCode, 'ENXIO'].includes(errorCode(error) ?? '');
    throw isOther ? storeDamaged(path, 0, 'this is not a regular file') : error;
  });

/** This many bytes from the end of a file, or all when it is shorter. Throws `StoreDamaged` when it is not a regular file. */
export const lastBytes = async (path: string, count: number): Promise<Buffer> => {
  const handle = await openRegularFile(path);
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(count), 0, count, Math.max(0, size - count));
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
};
