/** Makes the Express application that answers Node requests. `dispatch.ts` makes the answers, `start.ts` connects the two. */
import express, { type Express } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './dispatch.ts';
import { withoutDialog } from './basic-challenge.ts';
import type { BodyLimits } from '../http/arriving-body.ts';
import { corsHeaders, isPreflight, preflightReply, type CorsOptions } from '../http/cors.ts';
import { plainRequest, writeReply } from '../http/node-exchange.ts';
import { defaultReaderIdleMs } from '../http/unread-answer.ts';
import { errorReply, sendErrorAndClose } from '../http/error-reply.ts';
import { securityHeaders } from '../http/security-headers.ts';
import type { HostRefusal } from './known-hosts.ts';
import { Problem } from '../../core/problem.ts';
import type { Site } from '../../core/site/site.ts';

type Respond = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
type Routing = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

export type MountOptions = CorsOptions & {
  readonly site: Site;
  /** How long a client may take no byte of its answer, in milliseconds. Default: 60,000. */
  readonly readerIdleMs?: number | undefined;
  /** Makes the reply to a request for a foreign host name. Undefined: every name is answered. */
  readonly refusedHost?: HostRefusal | undefined;
  /** Receives errors outside the engine, such as a connection that broke during an answer. */
  readonly onError: (error: unknown) => void;
};

/** Makes an Express application of `answer`. It does not listen on a port. */
export const mountAnswer = (answer: Answer, options: MountOptions): Express => {
  const respond = serve(options, answer);
  // One layer only: each layer of Express costs as much as the look-up of a cached reply.
  return plainExpress(respond).disable('x-powered-by').disable('etag').use(respond);
};

/**
 * Express without its own request and response prototypes. Setting a prototype makes V8 treat the objects as slow ones: an
 * answer then takes four times as long (docs/inside/performance.md). It would also replace the prototypes of an application
 * that this one is mounted in. So this file must not use `request.get`, `response.json` and the like.
 */
const plainExpress = (respond: Respond): Express => {
  const plain = express();
  return Object.assign(plain, {
    handle: (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void => {
      // A request target without a path skips all layers. Without `last`, Express would answer it with an HTML page.
      const last = (error?: unknown): void => {
        if (error === undefined) void respond(request, response);
        else response.destroy();
      };
      (plain.router as unknown as Routing)(request, response, next ?? last); // the router needs only Node's own objects
    },
  });
};

/**
 * Answers a Node request. In order:
 *
 * 1. Limits (`server/http/node-exchange.ts`, `server/http/arriving-body.ts`): reads the head, refuses one that is ambiguous (400), has a
 *    transfer coding (415) or a target that is too long (414), and limits how slowly the body may arrive (408).
 * 2. CORS (`server/http/cors.ts`): answers a preflight. Every other request goes on.
 * 3. `known-hosts.ts`: refuses foreign host names (421).
 * 4. `dispatch.ts` makes the reply: `Dispatch.answer` lists the stations up to the engine, and `Engine.handle` those of the engine.
 * 5. Headers of every answer: `server/http/security-headers.ts`, and `server/http/cors.ts` for a request with `Origin`. A 401 to a page of
 *    `/_atoll` has no challenge (`basic-challenge.ts`).
 * 6. Writing (`server/http/node-exchange.ts`). HEAD gets the headers of GET and no body.
 *
 * An error outside the engine becomes an error reply (`server/http/error-reply.ts`), and the connection closes.
 */
const serve = (options: MountOptions, answer: Answer): Respond => {
  const limits = bodyLimits(options.site);
  const { readerIdleMs = defaultReaderIdleMs, refusedHost } = options;
  return async (request, response) => {
    try {
      const plain = plainRequest(request, response, limits);
      const isAsking = plain.method === 'OPTIONS' && isPreflight(plain);
      const early = isAsking ? preflightReply(plain, options) : refusedHost?.(plain.headers['host']);
      const made = early ?? (await answer(plain));
      const reply = made.status === 401 ? withoutDialog(plain, made) : made;
      const isCrossOrigin = plain.headers['origin'] !== undefined;
      const commonHeaders = isCrossOrigin ? { ...securityHeaders, ...corsHeaders(plain, options) } : securityHeaders;
      await writeReply(request, response, reply, { commonHeaders, readerIdleMs });
    } catch (error) {
      failed(request, response, error, options);
    }
  };
};

const bodyLimits = ({ uploads }: Site): BodyLimits => ({
  idleMs: uploads.idleSeconds * 1000,
  minBytesPerSecond: uploads.minBytesPerSecond,
});

const failed = (
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  { onError }: MountOptions,
): void => {
  if (!(error instanceof Problem)) onError(error);
  if (response.headersSent) response.destroy();
  else sendErrorAndClose(request, response, errorReply(error));
};
