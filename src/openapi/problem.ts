/** Defines the error of a refused request, with one function for each kind of refusal. */

/** A `denied` problem may become a 401 in the engine. */
type ProblemKind = 'plain' | 'denied';

/** Header names in the wire's spelling. A list is sent as one header line per value. */
export type ProblemHeaders = Readonly<Record<string, string | readonly string[]>>;

/**
 * A refusal: a status, headers, and the public message, which is sent as `{"message": …}` without other members. Modules of a
 * real site that answer for themselves say `{"error": …}`: then `member` is `error`. `cause` is for the log only.
 */
export class Problem extends Error {
  readonly status: number;
  readonly kind: ProblemKind;
  readonly headers: ProblemHeaders;
  readonly member: 'message' | 'error';

  constructor(status: number, message: string, options: ProblemOptions = {}) {
    // A refusal says all in its message, and recording the stack took a third of its time. Its cause keeps its own stack.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Problem';
    this.status = status;
    this.kind = options.kind ?? 'plain';
    this.headers = options.headers ?? {};
    this.member = options.member ?? 'message';
  }
}

type ProblemOptions = {
  kind?: ProblemKind;
  headers?: ProblemHeaders;
  member?: Problem['member'];
  cause?: unknown;
};

/** 400: the request cannot be read. */
export const malformed = (message: string, cause?: unknown): Problem => new Problem(400, message, { cause });

/**
 * 403: a permission is missing. The engine makes it a 401 with a challenge when the request carries no credentials and the
 * operation accepts `basic_auth`.
 */
export const denied = (message: string): Problem => new Problem(403, message, { kind: 'denied' });

/** The same, with the permissions one of which would do. */
export const deniedWithout = (permissions: readonly string[]): Problem => {
  const named = permissions.map((permission) => `'${permission}'`).join(' OR ');
  return denied(
    permissions.length === 1
      ? `The ${named} permission is required.`
      : `The following permissions are required: ${named}.`,
  );
};

/** 403 that never becomes a 401. */
export const forbidden = (message: string): Problem => new Problem(403, message);

export const notFound = (message: string): Problem => new Problem(404, message);

/** A refusal of a module that answers for itself: `{"error": …}`. */
export const moduleRefusal = (status: 403 | 404, error: string): Problem =>
  new Problem(status, error, { member: 'error' });

/** 404: a path parameter names no entity. `path` is Drupal's route pattern, such as `/node/{node}`. */
export const notConverted = (parameter: string, path: string, routeName: string): Problem =>
  notFound(`The "${parameter}" parameter was not converted for the path "${path}" (route name: "${routeName}")`);

/** 405 with the header `Allow`. The real site repeats the list in the message. `url` is absolute, without a query. */
export const methodNotAllowed = (method: string, url: string, allow: readonly string[]): Problem => {
  const list = allow.join(', ');
  return new Problem(405, `No route found for "${method} ${url}": Method Not Allowed (Allow: ${list})`, {
    headers: { Allow: list },
  });
};

/** 409: the name or identity is in use. */
export const conflict = (message: string): Problem => new Problem(409, message);

/** 413: more bytes than the limit. */
export const tooLarge = (message: string): Problem => new Problem(413, message);

/** 422 with one sentence: a value cannot be read as the field it was sent for. */
export const unprocessable = (message: string): Problem => new Problem(422, message);

/** A rule that a value breaks. `path` has the form `field.delta.property`. */
export type Violation = { readonly path: string; readonly message: string };

/** 422 with one line for each violation. */
export const validationFailed = (violations: readonly Violation[]): Problem =>
  unprocessable(
    ['Unprocessable Entity: validation failed.', ...violations.map((v) => `${v.path}: ${v.message}`), ''].join('\n'),
  );

/** 507: the disk is full, or the memory limit for bytes is reached. */
export const outOfSpace = (cause?: unknown): Problem =>
  new Problem(507, 'There is no space left to store this.', { cause });

/** Seconds until a client may repeat a request that was refused because something is out for a moment. */
const retrySeconds = 1;

/** 503: what an answer needs is out for a moment, such as a storage, or the server ends. Another attempt may succeed. */
export const retryLater = (message: string, cause?: unknown): Problem =>
  new Problem(503, message, { cause, headers: { 'Retry-After': String(retrySeconds) } });

/** 503: writing is not possible at the moment. Reading still works. Nothing says that waiting alone helps. */
export const unavailable = (message: string, cause?: unknown): Problem => new Problem(503, message, { cause });

/** The message of every 500, as the real site words it. */
export const unexpectedErrorMessage = 'The website encountered an unexpected error. Try again later.';
