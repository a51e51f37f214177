/** The composition root: what answers, mounted in Express. */
import express, { type Express } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createDispatch, type Answer, type DispatchOptions } from './dispatch.ts';
import type { BodyLimits } from '../http/arriving-body.ts';
import { corsHeaders, isPreflight, preflightReply, type CorsOrigins } from '../http/cors.ts';
import { plainRequest, writeReply } from '../http/node-exchange.ts';
import { errorReply, sendErrorAndClose } from '../http/error-reply.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { Problem } from '../problem.ts';
import type { Site } from '../site/site.ts';

type Respond = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
type Routing = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

export type MountOptions = {
  readonly site: Site;
  readonly cors: CorsOrigins;
  /** What went wrong outside the engine: a connection that broke while it was answered. */
  readonly onError: (error: unknown) => void;
};

export type AppOptions = DispatchOptions & MountOptions;

/** Puts the program together. The result is an Express application that nobody listens to yet. */
export const createApp = async (options: AppOptions): Promise<Express> =>
  mountAnswer((await createDispatch(options)).answer, options);

/** Mounts what answers in an Express application. */
export const mountAnswer = (answer: Answer, options: MountOptions): Express => {
  const respond = serve(options, answer);
  // One layer: Express tries its layers in turn, and each costs as much as the whole look-up of a kept reply.
  return plainExpress(respond).disable('x-powered-by').disable('etag').use(respond);
};

/**
 * Express without what it does to every request before its routers. It gives request and response another prototype, which
 * makes V8 store them the slow way: with that an answer takes four times as long (docs/performance.md), and an application
 * that this one is mounted in would miss its own. So nothing here may use `request.get`, `response.json` and their like.
 */
const plainExpress = (respond: Respond): Express => {
  const plain = express();
  return Object.assign(plain, {
    handle: (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void => {
      // A target that no path is found in passes all layers by. Where nothing comes next, Express would answer with a page.
      const last = (error?: unknown): void => {
        if (error === undefined) void respond(request, response);
        else response.destroy();
      };
      (plain.router as unknown as Routing)(request, response, next ?? last); // Node's objects are all that a router needs
    },
  });
};

/** Reads the head, answers preflights, adds the headers of every answer, writes. */
const serve = (options: MountOptions, answer: Answer): Respond => {
  const limits = bodyLimits(options.site);
  return async (request, response) => {
    try {
      const plain = plainRequest(request, response, limits);
      const reply = isPreflight(plain) ? preflightReply(plain, options.cors) : await answer(plain);
      const isForeign = plain.headers['origin'] !== undefined;
      const everywhere = isForeign ? { ...securityHeaders, ...corsHeaders(plain, options.cors) } : securityHeaders;
      await writeReply(request, response, reply, everywhere);
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
