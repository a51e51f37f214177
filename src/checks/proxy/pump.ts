/** Copies a stream into another one, no faster than it is taken, and shows each piece to somebody who only looks. */
import type { Readable, Writable } from 'node:stream';

type PumpOptions = {
  readonly look?: ((piece: Uint8Array) => void) | undefined;
  /** Called when the source has ended. The pump does not end the sink. */
  readonly onEnd: () => void;
  /** Called when the sink cannot take more at the moment. */
  readonly onFull?: (() => void) | undefined;
};

/** Returns a function that stops the copying and leaves the source paused. Errors of both streams are the caller's. */
export const pump = (source: Readable, sink: Writable, { look, onEnd, onFull }: PumpOptions): (() => void) => {
  const resume = (): void => void source.resume();
  const onPiece = (piece: Uint8Array): void => {
    look?.(piece);
    if (sink.write(piece)) return;
    source.pause();
    sink.once('drain', resume);
    onFull?.();
  };
  source.on('data', onPiece);
  source.once('end', onEnd);
  source.resume();
  return () => {
    source.off('data', onPiece);
    source.off('end', onEnd);
    sink.off('drain', resume);
    source.pause();
  };
};
