/** Records bodies while they pass: keeps short texts and counts the bytes of everything else. It never delays a body. */
import { hasBody, type PlainReply, type PlainRequest, type RequestBody } from '../../core/engine/exchange.ts';
import type { RecordedBody } from '../../exchange/recorded-exchange.ts';

/** The longest text that is kept, in bytes. */
export const keptTextBytes = 16 * 1024;

/** `body` replaces the request's body. `recorded` returns what has passed so far. */
type RequestBodyRecorder = { readonly body: RequestBody; recorded(): RecordedBody };

export const noBody: RecordedBody = { bytes: 0, text: undefined };

/** Returns undefined for a request without a body. */
export const recordRequestBody = ({ headers, body }: PlainRequest): RequestBodyRecorder | undefined => {
  if (!hasBody(headers)) return undefined;
  const isShort = Number(headers['content-length'] ?? 0) <= keptTextBytes;
  const isText = isShort && textTypes.test(headers['content-type'] ?? '');
  let bytes = 0;
  let pieces: Uint8Array[] = [];
  const record = (piece: Uint8Array): void => {
    bytes += piece.byteLength;
    if (!isText) return;
    if (bytes <= keptTextBytes) pieces.push(piece);
    else pieces = [];
  };
  return {
    body: passThrough(body, record),
    recorded: () => ({
      bytes,
      text: isText && bytes > 0 && bytes <= keptTextBytes ? textOf(pieces) : undefined,
    }),
  };
};

const textOf = (pieces: readonly Uint8Array[]): string => {
  const [first = new Uint8Array(), ...others] = pieces;
  const bytes = others.length === 0 ? first : Buffer.concat(pieces);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
};

const textTypes = /^(application\/([\w.-]+\+)?json|text\/plain|application\/x-json)\b/i;

/** Not a generator, for speed: an upload of 1 GiB/s arrives in 16,000 pieces a second. */
const passThrough = (body: RequestBody, record: (piece: Uint8Array) => void): RequestBody => ({
  takeWhole: () => {
    const bytes = body.takeWhole?.();
    if (bytes !== undefined) record(bytes);
    return bytes;
  },
  [Symbol.asyncIterator]: () => {
    const pieces = body[Symbol.asyncIterator]();
    return {
      next: async () => {
        const piece = await pieces.next();
        if (piece.done !== true) record(piece.value);
        return piece;
      },
      return: async () => (await pieces.return?.()) ?? { done: true, value: undefined },
    };
  },
});

/** Records a reply's body before it is sent. */
export const recordReplyBody = ({ body }: PlainReply): RecordedBody => {
  if (body === undefined) return noBody;
  if (typeof body !== 'string') return { bytes: body.length ?? 0, text: undefined };
  // The length in characters is enough here. `traffic-entry.ts` takes the exact bytes from Content-Length.
  return { bytes: body.length, text: body.length <= keptTextBytes ? body : undefined };
};
