/** Keeps the first bytes of a body while it passes, and counts all of them. It copies nothing before somebody asks. */
import { createHash } from 'node:crypto';
import type { WireBody } from './wire-exchange.ts';

/** The bytes of a body that has passed so far. */
export type KeptBytes = {
  readonly add: (piece: Uint8Array) => void;
  /** How many have passed. */
  bytes(): number;
  /** The body so far. `isEnded` is false for a body that was broken off. */
  body(isEnded: boolean): WireBody;
};

/** Keeps at most `most` bytes. With `hashes` the hash is made while the bytes pass; without, only that of a body that was kept whole is known. */
export const keepBytes = (most: number, hashes: boolean): KeptBytes => {
  const hash = hashes ? createHash('sha256') : undefined;
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  return {
    add: (piece) => {
      const room = most - bytes;
      bytes += piece.length;
      hash?.update(piece);
      if (room > 0) pieces.push(piece.length <= room ? piece : piece.subarray(0, room));
    },
    bytes: () => bytes,
    body: (isEnded) => {
      const [only] = pieces;
      const kept = only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
      pieces = [kept];
      const isWhole = isEnded && bytes <= most;
      return hash === undefined
        ? new UnhashedBody(kept, bytes, isWhole)
        : { bytes, kept, isWhole, sha256: hash.copy().digest('hex') };
    },
  };
};

/** Finds the hash when it is asked for. A class: V8 would keep each object with a getter of its own until the next full collection. */
class UnhashedBody implements WireBody {
  readonly kept: Uint8Array;
  readonly bytes: number;
  readonly isWhole: boolean;

  constructor(kept: Uint8Array, bytes: number, isWhole: boolean) {
    this.kept = kept;
    this.bytes = bytes;
    this.isWhole = isWhole;
  }

  get sha256(): string {
    return createHash('sha256').update(this.kept).digest('hex');
  }
}
