/** Looks at a body while it passes: keeps a small text, counts everything else. Nothing is held up or buffered for it. */
import type { PlainReply, PlainRequest } from '../engine/exchange.ts';
import type { SeenBody } from './traffic-log.ts';

/** Longest text that is kept, in bytes. */
export const keptTextBytes = 16 * 1024;

/** A request whose body is looked at, and what has been seen of it so far. */
export type SeenRequest = { readonly body: AsyncIterable<Uint8Array>; seen(): SeenBody };

/** No body at all. */
export const nothingSeen: SeenBody = { bytes: 0, text: undefined };

/** The request's body passes as it was; undefined for a request that announces none. */
export const seeRequest = ({ headers, body }: PlainRequest): SeenRequest | undefined => {
  const length = headers['content-length'];
  const hasBody = headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
  if (!hasBody) return undefined;
  const isText = textTypes.test(headers['content-type'] ?? '') && Number(length ?? 0) <= keptTextBytes;
  let bytes = 0;
  let pieces: Uint8Array[] = [];
  const see = (piece: Uint8Array): void => {
    bytes += piece.byteLength;
    if (!isText) return;
    if (bytes <= keptTextBytes) pieces.push(piece);
    else pieces = [];
  };
  return {
    body: passing(body, see),
    seen: () => ({
      bytes,
      text: isText && bytes > 0 && bytes <= keptTextBytes ? Buffer.concat(pieces).toString() : undefined,
    }),
  };
};

const textTypes = /^(application\/([\w.-]+\+)?json|text\/plain|application\/x-json)\b/i;

/** Not a generator: an upload of 1 GiB/s comes in 16,000 pieces a second. */
const passing = (body: AsyncIterable<Uint8Array>, see: (piece: Uint8Array) => void): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => {
    const pieces = body[Symbol.asyncIterator]();
    return {
      next: async () => {
        const piece = await pieces.next();
        if (piece.done !== true) see(piece.value);
        return piece;
      },
      return: async () => (await pieces.return?.()) ?? { done: true, value: undefined },
    };
  },
});

/** A reply's body as it is known before it is sent. A text that is long is not kept. */
export const seeReply = ({ body }: PlainReply): SeenBody => {
  if (body === undefined) return nothingSeen;
  if (typeof body !== 'string') return { bytes: body.length ?? 0, text: undefined };
  // The length in characters will do to decide: what is shown is counted exactly later.
  return { bytes: body.length, text: body.length <= keptTextBytes ? body : undefined };
};
