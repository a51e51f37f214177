/** Reads a file line by line, as bytes with their offsets. */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { ifThere } from '../files.ts';
import { storeDamaged } from './store-damaged.ts';

/** A line without its line break. `complete` is false for a last line without one. */
export type Line = { readonly offset: number; readonly bytes: Buffer; readonly complete: boolean };

/** Yields the lines of a file in groups of about 1 MiB. Throws `StoreDamaged` when it is no regular file. */
export async function* readLines(path: string): AsyncGenerator<Line[]> {
  const handle = await openRegularFile(path);
  const stream = handle.createReadStream({ highWaterMark: 1024 * 1024 });
  let offset = 0;
  let pieces: Buffer[] = [];
  for await (const chunk of stream) {
    const bytes = chunk as Buffer; // a stream without an encoding gives buffers
    const lines: Line[] = [];
    let start = 0;
    for (let end = bytes.indexOf(lineBreak); end !== -1; end = bytes.indexOf(lineBreak, start)) {
      const rest = bytes.subarray(start, end);
      const line = pieces.length === 0 ? rest : Buffer.concat([...pieces, rest]);
      lines.push({ offset, bytes: line, complete: true });
      offset += line.byteLength + 1;
      pieces = [];
      start = end + 1;
    }
    if (start < bytes.byteLength) pieces.push(bytes.subarray(start));
    yield lines;
  }
  if (pieces.length > 0) yield [{ offset, bytes: Buffer.concat(pieces), complete: false }];
}

const lineBreak = 0x0a;

/** The bytes of a small file; none when it is missing. Throws `StoreDamaged` when it is no regular file. */
export const readRegularFile = async (path: string): Promise<Buffer> => {
  const handle = await ifThere(openRegularFile(path));
  if (handle === undefined) return Buffer.alloc(0);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
};

/** Does not wait for the other end of a FIFO. */
const openRegularFile = async (path: string): Promise<FileHandle> => {
  // Windows has no such flag and no FIFOs.
  const withoutWaiting = (constants.O_NONBLOCK as number | undefined) ?? 0;
  const handle = await ifThere(open(path, constants.O_RDONLY | withoutWaiting), ['ENXIO']);
  if (handle !== undefined && (await handle.stat()).isFile()) return handle;
  await handle?.close();
  throw storeDamaged(path, 0, 'this is not a regular file');
};
