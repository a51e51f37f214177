/**
 * Makes the Express application that answers Node requests. `dispatch.ts` makes the answers, `start.ts` connects the two. Host names
 * that do not belong to this server are refused: a page of another site may lead its own name here.
 */
import express, { type Express } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './dispatch.ts';
import { withoutDialog } from '../http/basic-challenge.ts';
import type { BodyLimits } from '../http/arriving-body.ts';
import { compressed } from '../http/compressed.ts';
import { controlPath, corsHeaders, type CorsOptions, isPreflight, preflightReply } from '../http/cors.ts';
import { plainRequest, writeReply } from '../http/node-exchange.ts';
import { defaultReaderIdleMs } from '../http/unread-answer.ts';
import { plainErrorReply, securityHeaders, sendErrorAndClose } from '../http/error-reply.ts';
import type { HostedSite } from '../../openapi/openapi-host.ts';
import { isLoopbackAuthority } from '../../basics/formats/loopback.ts';
import { type PlainReply, messageReply } from '../../openapi/openapi-host.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { Problem } from '../../openapi/openapi-terms.ts';

type Respond = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
type Routing = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

export type MountOptions = CorsOptions & {
  readonly site: HostedSite;
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
 * 3. `hostRefusal`: refuses foreign host names (421).
 * 4. `dispatch.ts` makes the reply: `Dispatch.answer` lists the stations up to the engine, and `Engine.handle` those of the engine.
 * 5. Headers of every answer: `server/http/error-reply.ts`, and `server/http/cors.ts` for a request with `Origin`. A 401 to a page of
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
      const shown = made.status === 401 ? withoutDialog(plain, made) : made;
      const reply = controlPath.test(plain.path) ? await compressed(plain, shown) : shown;
      const isCrossOrigin = plain.headers['origin'] !== undefined;
      const commonHeaders = isCrossOrigin ? { ...securityHeaders, ...corsHeaders(plain, options) } : securityHeaders;
      await writeReply(request, response, reply, { commonHeaders, readerIdleMs });
    } catch (error) {
      failed(request, response, error, options);
    }
  };
};

const bodyLimits = ({ uploads }: HostedSite): BodyLimits => ({
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
  else sendErrorAndClose(request, response, plainErrorReply(error));
};

export type KnownHosts = {
  readonly baseUrl: string;
  /** Names besides those of this machine and of the base URL, without ports. */
  readonly allowedHosts: readonly string[];
  /** Whether unknown names are refused at the moment. */
  readonly areRefused: () => boolean;
};

/** The most spellings of allowed host names to remember. */
const mostRemembered = 100;

/** The 421 for an unknown value of `Host`. Undefined for one that is answered. */
type HostRefusal = (host: string | undefined) => PlainReply | undefined;

/** HTTP/1.0, which no browser speaks, may name no host. */
export const hostRefusal = ({ baseUrl, allowedHosts, areRefused }: KnownHosts): HostRefusal => {
  const names = new Set([new URL(baseUrl).hostname, ...allowedHosts].map((name) => name.toLowerCase()));
  const remembered = new Set<string>();
  const isKnown = (host: string): boolean => {
    if (remembered.has(host)) return true;
    const isOwn = isLoopbackAuthority(host) || names.has(host.replace(/:\d*$/, '').toLowerCase());
    if (isOwn && remembered.size < mostRemembered) remembered.add(host);
    return isOwn;
  };
  return (host) =>
    host === undefined || isKnown(host) || !areRefused() ? undefined : messageReply(421, refusalOf(host));
};

const refusalOf = (host: string): string =>
  `The server does not answer for the host "${host.slice(0, 100)}". Use localhost, or start it with --allowed-hosts or --base-url.`;

/** Throws `ConfigurationError` for a text that is not a host name or address. */
export const checkAllowedHosts = (hosts: readonly string[]): void => {
  const wrong = hosts.find((host) => !/^(?:[a-z0-9_](?:[\w.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])$/i.test(host));
  if (wrong === undefined) return;
  throw new ConfigurationError(
    `--allowed-hosts "${wrong}": a host name has no scheme, port or wildcard. Write for example atoll.test,api.test.`,
  );
};
