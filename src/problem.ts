/** What a refusal is, and how each kind of it is made. How it is written to the wire is not decided here. */

/** Why a request was refused, where the status alone does not say it. `denied` may become a 401 at the engine. */
export type ProblemKind = 'plain' | 'denied';

/** Header names in the wire's spelling; a list is sent as one header line per value. */
export type ProblemHeaders = Readonly<Record<string, string | readonly string[]>>;

/**
 * A refusal on its way to the client: a status, the public message that becomes `{"message": …}`, headers, and
 * for the log only a cause. Contract: Errors; recordings: every 4xx body has exactly this one member.
 */
export class Problem extends Error {
  readonly status: number;
  readonly kind: ProblemKind;
  readonly headers: ProblemHeaders;

  constructor(status: number, message: string, options: ProblemOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Problem';
    this.status = status;
    this.kind = options.kind ?? 'plain';
    this.headers = options.headers ?? {};
  }
}

type ProblemOptions = { kind?: ProblemKind; headers?: ProblemHeaders; cause?: unknown };

/** 400: the request cannot be read. */
export const malformed = (message: string, cause?: unknown): Problem => new Problem(400, message, { cause });

/**
 * 403 for want of a permission. The engine turns it into 401 with a challenge when the request carried no credentials
 * at all and the operation accepts `basic_auth` (decisions: "401 or 403").
 */
export const denied = (message: string): Problem => new Problem(403, message, { kind: 'denied' });

/** 403 that stays 403 whoever asks. */
export const forbidden = (message: string): Problem => new Problem(403, message);

/** 404 with any message. */
export const notFound = (message: string): Problem => new Problem(404, message);

/** 404 of a path parameter that names nothing (contract: Errors; reference 1.5). `path` is the reference's pattern. */
export const notConverted = (parameter: string, path: string, routeName: string): Problem =>
  notFound(`The "${parameter}" parameter was not converted for the path "${path}" (route name: "${routeName}")`);

/** 405 with its `Allow` list. The message repeats the list (reference 1.6). `url` is absolute, without a query. */
export const methodNotAllowed = (method: string, url: string, allow: readonly string[]): Problem => {
  const list = allow.join(', ');
  return new Problem(405, `No route found for "${method} ${url}": Method Not Allowed (Allow: ${list})`, {
    headers: { Allow: list },
  });
};

/** 409: something with this name or identity is there already. */
export const conflict = (message: string): Problem => new Problem(409, message);

/** 413: more bytes than the limit. */
export const tooLarge = (message: string): Problem => new Problem(413, message);

/** 422 with one sentence: the value could not be read as a field (reference 1.9 a). */
export const unprocessable = (message: string): Problem => new Problem(422, message);

/** One broken rule: where, as `field.delta.property`, and what. */
export type Violation = { readonly path: string; readonly message: string };

/** 422 with a line per broken rule (reference 1.9 b). */
export const validationFailed = (violations: readonly Violation[]): Problem =>
  unprocessable(
    ['Unprocessable Entity: validation failed.', ...violations.map((v) => `${v.path}: ${v.message}`), ''].join('\n'),
  );

/** 507: the disk, or the memory set aside for bytes, is full. */
export const outOfSpace = (cause?: unknown): Problem =>
  new Problem(507, 'There is no space left to store this.', { cause });

/** 503: writing is not possible at the moment; reading goes on. */
export const unavailable = (message: string, cause?: unknown): Problem => new Problem(503, message, { cause });

/** The message of every 500, the reference's own words (reference 1.1). */
export const unexpectedErrorMessage = 'The website encountered an unexpected error. Try again later.';
