/** Writes the target's answer to the client as it comes: status line, header lines, body and trailers. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { discardRest, keepSocketForReply, endWhenUnread } from '../../server/server-start.ts';
import { pairsOf } from '../../basics/formats/pairs.ts';
import { type RawLines, replyLines, valueIn } from './header-lines.ts';
import type { KeptBytes } from '../../exchange/exchange-target.ts';
import type { ProxiedExchange } from './proxied-exchange.ts';
import { pump } from './forward.ts';

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

/** An answer of the target whose body has not been read, but for what is held. */
type Answered = {
  readonly message: IncomingMessage;
  /** The lines for the client, as `clientLines` makes them. */
  readonly lines: string[];
  /** Gets the pieces of the body that are read from now on. */
  readonly kept: KeptBytes;
  readonly held?: HeldBody | undefined;
  /** Changes the body on its way. */
  readonly changed?: ((body: Readable) => Readable) | undefined;
};

/** Whether an answer has a body (RFC 9112 §6.3). */
export const hasReplyBody = (method: string, { statusCode = 0, headers }: IncomingMessage): boolean =>
  method !== 'HEAD' && statusCode !== 204 && statusCode !== 304 && headers['content-length'] !== '0';

/** The lines of an answer as the client gets them. */
export const clientLines = ({ request }: ProxiedExchange, { statusCode, rawHeaders }: IncomingMessage): string[] => {
  const coding = valueIn(rawHeaders, 'transfer-encoding');
  const isChunked = coding !== undefined && request.httpVersion !== '1.0' && statusCode !== 204 && statusCode !== 304;
  return replyLines(rawHeaders, isChunked);
};

/** Writes the head, and nothing that Node would add. Throws when a line is none that Node writes. */
const writeReplyHead = (proxied: ProxiedExchange, message: IncomingMessage, lines: string[]): void => {
  const { request, response, stopUpload } = proxied;
  response.sendDate = false;
  const isCutShort = stopUpload !== undefined && !request.complete && proxied.upstream?.shouldKeepAlive !== true;
  const isFramed = ['content-length', 'transfer-encoding'].some((name) => valueIn(lines, name) !== undefined);
  // A body that ends with the connection is passed on as such.
  if (!isFramed) response.removeHeader('Transfer-Encoding');
  if (isCutShort || (!isFramed && hasReplyBody(request.method ?? '', message))) lines.push('Connection', 'close');
  if (isCutShort) keepSocketForReply(request);
  response.writeHead(message.statusCode ?? 502, message.statusMessage ?? '', lines);
  if (isCutShort) response.once('finish', () => discardRest(request));
};

/** Resolves with whether the whole answer was passed on. Throws when its head cannot be written. */
export const passReply = async (proxied: ProxiedExchange, answered: Answered): Promise<boolean> => {
  const { message, lines } = answered;
  writeReplyHead(proxied, message, lines);
  proxied.mayBeSilent = (message.headers['content-type'] ?? '').startsWith('text/event-stream');
  flushSoon(proxied, message);
  return passBody(proxied, answered);
};

const passBody = (proxied: ProxiedExchange, answered: Answered): Promise<boolean> =>
  new Promise((resolve) => {
    const { request, response } = proxied;
    const { message } = answered;
    const broken = (): void => {
      response.destroy();
      resolve(false);
    };
    message.once('error', broken);
    response.once('close', () => resolve(false));
    const { source, look } = sourceOf(answered);
    if (source !== message) source.once('error', broken);
    let isWatched = false;
    const onFull = (): void => {
      if (isWatched) return;
      isWatched = true;
      endWhenUnread(request, response);
    };
    const onEnd = (): void => {
      addTrailers(proxied, message.rawTrailers);
      response.end();
      resolve(true);
    };
    pump(source, response, { look, onEnd, onFull });
  });

/** The body for the client, and who looks at its pieces, where nobody has done so yet. */
const sourceOf = ({ message, held, changed, kept }: Answered) => {
  const whole = held === undefined ? message : Readable.from(heldThenRest(held, message, kept));
  if (changed === undefined) return { source: whole, look: held === undefined ? kept.add : undefined };
  if (held === undefined) message.on('data', kept.add);
  return { source: changed(whole), look: undefined };
};

const heldThenRest = async function* (
  { pieces, isWhole }: HeldBody,
  message: IncomingMessage,
  kept: KeptBytes,
): AsyncGenerator<Uint8Array> {
  yield* pieces;
  if (isWhole) return;
  for await (const piece of message as AsyncIterable<Uint8Array>) {
    kept.add(piece);
    yield piece;
  }
};

/** Node writes the head with the first bytes. When these come later, the head must not wait for them. */
const flushSoon = ({ response }: ProxiedExchange, message: IncomingMessage): void => {
  setImmediate(() => {
    if (!message.complete && !response.destroyed) response.flushHeaders();
  });
};

/** Trailers need chunks. Who reads a body of another kind does not learn of them. */
const addTrailers = ({ response }: ProxiedExchange, trailers: RawLines): void => {
  if (trailers.length > 0 && response.chunkedEncoding) response.addTrailers(pairsOf(trailers));
};
