/** Reads a file line by line, as bytes with their offsets. */
import { createReadStream } from 'node:fs';

/** A line without its line break. `complete` is false for a last line without one. */
export type Line = { readonly offset: number; readonly bytes: Buffer; readonly complete: boolean };

/** Yields the lines of a file in groups of about 1 MiB. */
export async function* readLines(path: string): AsyncGenerator<Line[]> {
  const stream = createReadStream(path, { highWaterMark: 1024 * 1024 });
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
