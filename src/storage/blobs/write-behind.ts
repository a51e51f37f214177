/** Writes to a file in large pieces while the next bytes arrive. */
import type { OpenFile } from '../../basics/disk/files.ts';

/** An upload has two buffers of this size. 1 MiB was not faster (`npm run bench:suite -- upload`). */
const pieceBytes = 256 * 1024;

export type WriteBehind = ReturnType<typeof createWriteBehind>;

/** Calls `beforePiece` with the position of each piece before writing it. A rejection refuses the piece. */
export const createWriteBehind = (
  file: OpenFile,
  beforePiece: (position: number) => Promise<void> = () => Promise.resolve(),
) => {
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
  const startWrite = async (): Promise<void> => {
    await writing;
    const piece = filling;
    writing = write(piece, filled, position);
    // The next `append` or `flush` rejects with the error. When the source fails first, neither is called.
    writing.catch(() => undefined);
    position += filled;
    filled = 0;
    filling = spare ?? Buffer.allocUnsafeSlow(pieceBytes);
    spare = undefined;
  };
  return {
    /** Resolves when more bytes can be appended. Rejects with the error of an earlier write. */
    append: async (bytes: Uint8Array): Promise<void> => {
      for (let taken = 0; taken < bytes.byteLength;) {
        const part = bytes.subarray(taken, taken + pieceBytes - filled);
        filling.set(part, filled);
        filled += part.byteLength;
        taken += part.byteLength;
        if (filled === pieceBytes) await startWrite();
      }
    },
    /** Resolves when the operating system has all bytes. */
    flush: async (): Promise<void> => {
      if (filled > 0) await startWrite();
      await writing;
    },
  };
};
