/** Writing to a file in large pieces while the next ones arrive. What is written, and where it comes from, is not known here. */
import type { OpenFile } from '../files.ts';

/** A file that is filled from its beginning. */
export type WriteBehind = {
  /** Takes the bytes; resolves when there is room for more. Rejects with the error of an earlier write. */
  append(bytes: Uint8Array): Promise<void>;
  /** Resolves when everything has been handed to the operating system. */
  flush(): Promise<void>;
};

/** Two of them an upload: one is filled while the other is written. 1 MiB was not faster (`npm run bench:upload`). */
const pieceBytes = 256 * 1024;

/** `beforePiece` is called with the position of each piece before it is written, and may refuse it by rejecting. */
export const createWriteBehind = (
  file: OpenFile,
  beforePiece: (position: number) => Promise<void> = () => Promise.resolve(),
): WriteBehind => {
  let filling: Buffer = Buffer.allocUnsafeSlow(pieceBytes);
  let spare: Buffer | undefined;
  let filled = 0;
  let position = 0;
  let writing: Promise<void> = Promise.resolve();

  const write = async (piece: Buffer, length: number, at: number): Promise<void> => {
    await beforePiece(at);
    await file.write(piece.subarray(0, length), at);
    spare = piece;
  };
  const handOver = async (): Promise<void> => {
    await writing;
    const piece = filling;
    writing = write(piece, filled, position);
    // Whoever appends or flushes next is told; nobody may come at all when the source fails first.
    writing.catch(() => undefined);
    position += filled;
    filled = 0;
    filling = spare ?? Buffer.allocUnsafeSlow(pieceBytes);
    spare = undefined;
  };
  return {
    append: async (bytes) => {
      for (let taken = 0; taken < bytes.byteLength;) {
        const part = bytes.subarray(taken, taken + pieceBytes - filled);
        filling.set(part, filled);
        filled += part.byteLength;
        taken += part.byteLength;
        if (filled === pieceBytes) await handOver();
      }
    },
    flush: async () => {
      if (filled > 0) await handOver();
      await writing;
    },
  };
};
