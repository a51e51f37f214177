/** Defines handlers: functions that authors write to answer operations. One function is enough. */
import type { Awaitable } from '../basics/awaitable.ts';
import type { Credentials } from './request/security.ts';

/** A request as a handler gets it: checked against the document, with typed values. */
export type HandlerRequest = {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Names in lower case. Those that the document describes have their type; others are texts. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly cookies: Readonly<Record<string, unknown>>;
  /** The value of JSON, a form or a text; bytes as an async iterable; undefined without a body. Files of a form are `SentFile`s. */
  readonly body: unknown;
  /** Who asks: the first of the credentials. Undefined where none were asked for. */
  readonly identity: unknown;
  /** The credentials that were asked for. */
  readonly credentials: readonly Credentials[];
  /** The id of the operation. */
  readonly operation: string;
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
};

export type HandlerHeader = string | number | boolean | readonly (string | number | boolean)[] | undefined;

/** What a handler returns. With undefined in its place the document's examples answer. */
export type HandlerReply = {
  /** Default: the lowest success that the document has. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, HandlerHeader>>;
  readonly mediaType?: string;
  /** JSON, a text, bytes (`Uint8Array`, `ArrayBuffer`, `Blob`), a stream or an async iterable of bytes or texts. */
  readonly body?: unknown;
};

/**
 * Answers an operation. An error with a `status` from 400 to 599, and perhaps `headers`, is a refusal, which is sent in the form that the
 * document has for this status. A function as the result is called with the body, as handlers of two functions have it.
 */
export type Handler<World> = (
  request: HandlerRequest,
  world: World,
) => Awaitable<HandlerReply | undefined | AnswerInput>;

/**
 * Answers an operation in two steps. `open` gets the request without its body, finds what it is about, and refuses what is not there or not
 * for this client: the body of a refused request is never read. The function that it returns does the work.
 */
export type OpeningHandler<World> = {
  readonly open: (request: HandlerRequest, world: World) => Awaitable<AnswerInput>;
};

/** The second step of a handler. */
export type AnswerInput = (input: HandlerInput) => Awaitable<HandlerReply | undefined>;

/** The body of a handler of two functions: JSON, or bytes while they arrive. */
export type HandlerInput = {
  readonly json?: unknown;
  readonly bytes?: { readonly stream: AsyncIterable<Uint8Array>; readonly length: number | undefined };
};
