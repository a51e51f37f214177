/** Defines what a server and the process that reads files for it say to each other, and the bounds of that process. */
import type { DerivativeOrder } from '../../repository/repository-content.ts';

/** To the process, for each file: an order, pieces of the source, and what to make of them. */
export type DecoderRequest =
  | { readonly order: DerivativeOrder }
  | { readonly piece: Uint8Array }
  /** With a reason the pieces are only the beginning of the source, and a placeholder is wanted. */
  | { readonly finish: { readonly placeholder: string | undefined } };

/** From it, for each file: pieces of the derivative, then why it is a placeholder, if it is one; or why the process now ends. */
export type DecoderReply =
  | { readonly piece: Uint8Array }
  | { readonly done: { readonly placeholder: string | undefined } }
  | { readonly givenUp: string };

/** In bytes. A larger message would hold up the event loop of the server. */
export const pieceBytes = 256 * 1024;

/**
 * What reading one file may take. A picture of 12 million pixels that is written in its full size took 436 MiB as a JPEG of 8 MB and
 * 551 MiB as a PNG of 38 MB. The heap of JavaScript has a bound of its own, because V8 would collect no garbage before it is reached.
 */
export const decoderBounds = {
  processorMs: 10_000,
  /** A process that waits, or that others hold up. */
  passedMs: 60_000,
  memoryBytes: 640 * 1024 * 1024,
  heapMegabytes: 256,
} as const;
