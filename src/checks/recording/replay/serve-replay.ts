/** A server that answers from a recording alone. */
import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { keepBytes } from '../../../exchange/exchange-target.ts';
import type { WireBody, WireRequest } from '../../../exchange/exchange.ts';
import { readRecording, type Recording } from '../../../exchange/exchange-files.ts';
import { openGuardedListener } from '../../../server/server-start.ts';
import { pairsOf } from '../../../basics/formats/pairs.ts';
import { createReplay } from './replay.ts';
import { messageReply, replayedReply, type ReplayedReply } from './replayed-reply.ts';

export type ReplayOptions = {
  /** `localhost` listens on both loopback families. Default: `localhost`. */
  readonly host?: string | undefined;
  /** 0 for any free one. Default: 0. */
  readonly port?: number | undefined;
  /** The URL that clients use, without a slash at its end, when it differs from where the server listens. */
  readonly baseUrl?: string | undefined;
  /** Host names that are answered besides those of this machine and of the base URL. Default: on a loopback host none. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Learns of each answer: the request, the status, and the file of the exchange, if there was one. */
  readonly onAnswer?: ((answer: ReplayAnswer) => void) | undefined;
};

export type ReplayAnswer = {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly file: string | undefined;
};

export type ReplayServer = {
  readonly url: string;
  readonly recording: Recording;
  /** Resolves when the open requests are answered, or after `drainMs`. */
  stop(drainMs?: number): Promise<void>;
};

/** Longer texts are sent as they were recorded, with the addresses of the recorded server. */
const keptBytes = 4 * 1024 * 1024;

/** Starts the server. Throws `ConfigurationError` for a damaged recording, and `ATOLL_CANNOT_LISTEN`. */
export const serveReplay = async (directory: string, options: ReplayOptions = {}): Promise<ReplayServer> => {
  const { onAnswer = () => undefined } = options;
  const recording = await readRecording(directory, { keptBytes });
  const replay = createReplay(recording.exchanges);
  const listener = await openGuardedListener(options);
  const { url } = listener;
  const prefix = new URL(url).pathname.replace(/\/$/, '');
  const answer = async (request: IncomingMessage): Promise<ReplayedReply> => {
    const asked = await wireRequest(request, prefix);
    const chosen = replay.choose(asked);
    if ('reason' in chosen) return messageReply(404, chosen.reason);
    return replayedReply(chosen.exchange, asked, { recorded: recording.target, served: url });
  };
  listener.serve((request, response) => {
    if (request.headers.expect !== undefined) response.writeContinue();
    void answer(request)
      .then((reply) => {
        onAnswer({ ...targetOf(request), status: reply.status, file: fileIn(reply) });
        return send(reply, request, response);
      })
      // The client has gone, or a file of the recording has.
      .catch(() => response.destroy());
  });
  return { url, recording, stop: (drainMs = 1000) => listener.stop(drainMs) };
};

const targetOf = ({ method = 'GET', url = '/' }: IncomingMessage) => ({ method, path: url });

const fileIn = ({ headers }: ReplayedReply): string | undefined =>
  headers.find(([name]) => name === 'Atoll-Replay')?.[1];

const wireRequest = async (request: IncomingMessage, prefix: string): Promise<WireRequest> => {
  const { method, path } = targetOf(request);
  const relative = prefix !== '' && path.startsWith(prefix) ? path.slice(prefix.length) : path;
  return {
    method,
    path: relative.startsWith('/') || relative === '*' ? relative : `/${relative}`,
    headers: pairsOf(request.rawHeaders),
    body: await readBody(request),
  };
};

const readBody = async (request: IncomingMessage): Promise<WireBody> => {
  const body = keepBytes(keptBytes, true);
  for await (const piece of request as AsyncIterable<Uint8Array>) body.add(piece);
  return body.body(true);
};

const send = async (reply: ReplayedReply, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { status, reason, headers, trailers, body } = reply;
  const length = 'file' in body ? body.end - body.start + 1 : body.byteLength;
  const isBodiless = request.method === 'HEAD' || status === 204 || status === 304;
  const isNamed = isBodiless || trailers.length > 0;
  const lines = [...headers, ...(isNamed ? [] : [['Content-Length', String(length)] as const])];
  const ending =
    trailers.length === 0 || isBodiless ? [] : ([['Trailer', trailers.map(([name]) => name).join(', ')]] as const);
  // The date is that of the recording, or there is none: the same answer twice is the same to the byte.
  response.sendDate = false;
  const head = [...lines, ...ending].flatMap(([name, value]) => [name, value]);
  if (reason === '') response.writeHead(status, head);
  else response.writeHead(status, reason, head);
  if (isBodiless) response.end();
  else {
    if (trailers.length > 0) response.addTrailers(trailers.map(([name, value]): [string, string] => [name, value]));
    if (!('file' in body)) response.end(body);
    else await pipeline(createReadStream(body.file, { start: body.start, end: body.end }), response);
  }
};
