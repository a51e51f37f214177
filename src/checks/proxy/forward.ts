/** Passes a request on to the target, body and all, and informs the client of what the target says before it answers. */
import type { ClientRequest, IncomingMessage, InformationEvent } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import type { PlainRequest } from '../../openapi/openapi-host.ts';
import type { Connection } from '../../exchange/exchange-target.ts';
import { TargetError, targetErrorOf } from '../../exchange/exchange.ts';
import { discardRest } from '../../server/server-start.ts';
import { pairsOf } from '../../basics/formats/pairs.ts';
import type { ProxiedExchange } from './proxied-exchange.ts';

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

/** The client sent nothing more of its body. */
export class SlowClient extends Error {
  override name = 'SlowClient';
}

/** The target said nothing in time. */
export class SlowTarget extends TargetError {
  override name = 'SlowTarget';
}

/**
 * Resolves with the target's answer when its head has come; who gets it reads its body. Rejects with `SlowTarget`, another
 * `TargetError`, or `SlowClient`. `body` is undefined when the body passes as it comes.
 */
export const forward = (
  target: Connection,
  proxied: ProxiedExchange,
  head: Parameters<Connection['open']>[0],
  body?: PlainRequest['body'],
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    let hasAnswered = false;
    const begin = (): void => {
      const upstream = target.open(head);
      proxied.upstream = upstream;
      if (proxied.hasClientLeft) upstream.destroy();
      upstream.once('response', (message: IncomingMessage) => {
        hasAnswered = true;
        endUploadWith(upstream, proxied);
        resolve(message);
      });
      upstream.on('continue', () => {
        if (!proxied.response.headersSent) proxied.response.writeContinue();
      });
      upstream.on('information', (information) => inform(proxied, information));
      upstream.on('timeout', () => onSilence(target, proxied, upstream));
      upstream.on('error', (error) => {
        proxied.stopUpload?.();
        if (hasAnswered) endUpload(proxied);
        else if (mayRepeat(upstream, proxied, error)) begin();
        else reject(error instanceof SlowClient ? error : targetErrorOf(target.origin, error));
      });
      sendBody(proxied, upstream, body);
    };
    begin();
  });

/** A connection that was kept may end just as it is used again. Only idempotent requests are repeated (RFC 9110 §9.2.2). */
const mayRepeat = (
  upstream: ClientRequest,
  { sent, hasClientLeft }: ProxiedExchange,
  error: NodeJS.ErrnoException,
): boolean =>
  upstream.reusedSocket &&
  !hasClientLeft &&
  (error.code === 'ECONNRESET' || error.code === 'EPIPE') &&
  sent === undefined &&
  /^(?:GET|HEAD|OPTIONS|TRACE|PUT|DELETE)$/.test(upstream.method);

const sendBody = (proxied: ProxiedExchange, upstream: ClientRequest, body: PlainRequest['body'] | undefined): void => {
  const { request, sent } = proxied;
  if (sent === undefined) {
    upstream.end();
    return;
  }
  if (body !== undefined) {
    void sendPieces(proxied, upstream, body);
    return;
  }
  let isBegun = false;
  // The head waits for the body that comes with it, and for no other.
  setImmediate(() => {
    if (!isBegun && !upstream.destroyed) upstream.flushHeaders();
  });
  const look = (piece: Uint8Array): void => {
    isBegun = true;
    sent.add(piece);
  };
  const onEnd = (): void => {
    isBegun = true;
    if (request.rawTrailers.length > 0) upstream.addTrailers(pairsOf(request.rawTrailers));
    upstream.end();
  };
  proxied.stopUpload = pump(request, upstream, { look, onEnd });
  request.once('error', () => upstream.destroy());
};

/** Resolves when more can be written, or nothing any more. */
const drained = (upstream: ClientRequest): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      upstream.off('drain', done).off('close', done);
      resolve();
    };
    upstream.on('drain', done).on('close', done);
  });

/** A body that a fault has changed. It ends early when the fault cuts it. */
const sendPieces = async (
  proxied: ProxiedExchange,
  upstream: ClientRequest,
  body: PlainRequest['body'],
): Promise<void> => {
  try {
    for await (const piece of body) {
      proxied.sent?.add(piece);
      if (upstream.write(piece)) continue;
      await drained(upstream);
    }
    upstream.end();
  } catch {
    upstream.destroy();
  }
};

/** A target that answers early and closes reads no more. What it has not read is not sent. */
const endUploadWith = (upstream: ClientRequest, { request, stopUpload }: ProxiedExchange): void => {
  if (!upstream.shouldKeepAlive && !request.complete) stopUpload?.();
};

/** After an answer the target reads no more. The client may read the answer, and its connection ends then. */
const endUpload = ({ request, response }: ProxiedExchange): void => {
  if (request.complete) return;
  if (response.writableFinished) discardRest(request);
  else response.once('finish', () => discardRest(request));
};

/** Passes a 1xx on; 100 has its own event, and 101 ends in a refusal. Node has no way to send these lines as they are. */
const inform = (
  { request, response }: ProxiedExchange,
  { statusCode, statusMessage, rawHeaders }: InformationEvent,
): void => {
  const isTaken = statusCode !== 100 && !response.headersSent && request.httpVersion !== '1.0';
  // A client that sends requests ahead waits for the answers before this one.
  const socket = isTaken ? response.socket : null;
  if (socket === null) return;
  const lines = pairsOf(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`, 'latin1');
};

const onSilence = (target: Connection, proxied: ProxiedExchange, upstream: ClientRequest): void => {
  const { request, response } = proxied;
  const isClientLate = !request.complete && !upstream.writableNeedDrain && proxied.sent !== undefined;
  if (response.headersSent) {
    // A client that reads slowly has a time of its own, and a stream of events may be silent.
    if (response.writableNeedDrain || proxied.mayBeSilent) upstream.setTimeout(target.silenceMs);
    else upstream.destroy();
    return;
  }
  const seconds = target.silenceMs / 1000;
  upstream.destroy(
    isClientLate
      ? new SlowClient(`The body made no progress for ${seconds} seconds.`)
      : new SlowTarget(`${target.origin}: it said nothing for ${seconds} seconds.`, { isPassing: true }),
  );
};
