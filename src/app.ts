/** The composition root: what answers, mounted in Express. */
import express, { type Express } from 'express';
import { IncomingMessage, ServerResponse } from 'node:http';
import { createAnswer, type Answer, type AnswerOptions } from './answer.ts';
import type { BodyLimits } from './http/arriving-body.ts';
import { corsHeaders, isPreflight, preflightReply, type CorsOrigins } from './http/cors.ts';
import { plainRequest, writeReply } from './http/node-exchange.ts';
import { outerRefusal } from './http/outer-refusal.ts';
import { securityHeaders } from './http/security-headers.ts';
import { Problem } from './problem.ts';
import type { Site } from './site/site.ts';

type Respond = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
/** What Express's types leave out. */
type Handling = { handle: (request: IncomingMessage, response: ServerResponse, next: () => void) => void };

export type MountOptions = {
  readonly site: Site;
  readonly cors: CorsOrigins;
  /** What went wrong outside the engine: a connection that broke while it was answered. */
  readonly onError: (error: unknown) => void;
};

export type AppOptions = AnswerOptions & MountOptions;

/** Puts the program together. The result is an Express application that nobody listens to yet. */
export const createApp = async (options: AppOptions): Promise<Express> =>
  mountAnswer((await createAnswer(options)).answer, options);

/** Mounts what answers in an Express application. */
export const mountAnswer = (answer: Answer, options: MountOptions): Express => {
  const respond = serve(options, answer);
  // One layer: Express tries its layers in turn, and each costs as much as the whole look-up of a kept reply.
  return plainExpress(respond).disable('x-powered-by').disable('etag').use(respond);
};

/**
 * Express that leaves Node's requests and responses as they are. It gives every one of them another prototype, which makes
 * V8 store them the slow way: with that an answer takes four times as long (docs/performance.md). Where the prototype is
 * the wanted one already nothing changes; so nothing here may use `request.get`, `response.json` and their like.
 */
const plainExpress = (respond: Respond): Express => {
  const plain = express();
  const { handle } = plain as unknown as Handling; // every application has it
  return Object.assign(plain, {
    request: IncomingMessage.prototype,
    response: ServerResponse.prototype,
    // A target that Express finds no path in passes all layers by. Where it has no next, it would answer with a page of its own.
    handle: (request: IncomingMessage, response: ServerResponse, next?: () => void): void => {
      handle.call(plain, request, response, next ?? (() => void respond(request, response)));
    },
    // On 'mount' an application passes its prototypes on, and these are Node's own.
  }).removeAllListeners('mount');
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
      failed(response, error, options);
    }
  };
};

const bodyLimits = ({ uploads }: Site): BodyLimits => ({
  idleMs: uploads.idleSeconds * 1000,
  minBytesPerSecond: uploads.minBytesPerSecond,
});

const failed = (response: ServerResponse, error: unknown, { onError }: MountOptions): void => {
  if (!(error instanceof Problem)) onError(error);
  if (response.headersSent) response.destroy();
  else {
    const { status, headers, body } = outerRefusal(error);
    response.writeHead(status, { ...headers, Connection: 'close' }).end(body);
  }
};
