/** Holds the body of an answer back until it can be checked. */
import type { IncomingMessage } from 'node:http';

/** `isWhole`: these are all pieces. Otherwise the message is paused, and the rest is still to come. */
export type HeldBody = { readonly pieces: readonly Uint8Array[]; readonly isWhole: boolean };

/** Reads at most `most` bytes, and the piece that brings more than that. Rejects when the body is broken off. */
export const holdBody = (message: IncomingMessage, most: number): Promise<HeldBody> =>
  new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    const end = (isWhole: boolean): void => {
      message.off('data', onPiece).off('end', onEnd).off('error', reject);
      resolve({ pieces, isWhole });
    };
    const onEnd = (): void => end(true);
    const onPiece = (piece: Uint8Array): void => {
      bytes += piece.length;
      pieces.push(piece);
      if (bytes <= most) return;
      message.pause();
      end(false);
    };
    message.on('data', onPiece).once('end', onEnd).once('error', reject);
  });

/** Whether the body says what the document has a schema for, and may be short enough. */
export const isHoldable = ({ headers }: IncomingMessage, most: number): boolean =>
  Number(headers['content-length'] ?? 0) <= most &&
  /[/+]json\b|^text\/(?!event-stream)/i.test(headers['content-type'] ?? '');
