/** Answers cross-origin requests of browser front ends. */
import { isLoopbackOrigin } from '../../basics/formats/loopback.ts';
import type { HeaderValues, PlainReply, PlainRequest } from '../../openapi/openapi-host.ts';

/** The origins that may read answers with credentials: a list, the loopback origins, or none. */
export type CorsOrigins = readonly string[] | 'loopback' | 'off';

/** Pages may read these besides the headers that every page may read, such as `Content-Type`. */
const exposed = [
  ...['Link', 'Location', 'Content-Location', 'WWW-Authenticate', 'Allow'],
  ...['ETag', 'Accept-Ranges', 'Content-Range', 'Content-Disposition'],
  ...['Atoll-Mocked', 'Atoll-Fault', 'Atoll-Advice'],
];

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT'];

/** Names of headers may be written in any case. */
const listOf = (names: readonly string[], others: readonly string[] = []): string => {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return [...names, ...others.filter((name) => !known.has(name.toLowerCase()))].join(', ');
};

/** Allowed to every preflight, so that a browser need not ask again for the next request. */
const allowed = [
  ...['Authorization', 'JWT-Authorization', 'Content-Type', 'Content-Disposition', 'Content-Location', 'X-CSRF-Token'],
  ...['Prefer', 'Atoll-Fault', 'Atoll-World', 'Atoll-Control', 'Atoll-Page'],
];

/** The name of a header (RFC 9110 §5.1). */
const namePattern = /^[\w!#$%&'*+.^`|~-]+$/;

/** What every preflight is answered with, and the names that this one asks for. Text that names no header is left out. */
const allowedTo = ({ headers }: PlainRequest): string => {
  const asked = (headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim());
  const known = new Set(allowed.map((name) => name.toLowerCase()));
  const others = new Set(asked.filter((name) => namePattern.test(name) && !known.has(name.toLowerCase())));
  return [...allowed, ...others].join(', ');
};

export type CorsOptions = {
  readonly cors: CorsOrigins;
  /** The origins that may use the control interface, and read its answers. */
  readonly controlOrigins?: readonly string[] | undefined;
  /** What the documents of one's own add, as they are served now. */
  readonly documented?: (() => DocumentedExchange | undefined) | undefined;
};

/** The headers of answers and the methods that a document names. */
export type DocumentedExchange = { readonly answerHeaders: readonly string[]; readonly methods: readonly string[] };

const isAllowed = (origin: string, origins: CorsOrigins): boolean =>
  origins === 'loopback' ? isLoopbackOrigin(origin) : origins !== 'off' && origins.includes(origin);

/** A path of the control interface, of a world below its prefix too. */
export const controlPath = /^(?:\/(?:~|%7e)[^/]*)?\/_atoll(?:\/|$)/i;

/** The headers that let the request's origin read the answer. Other origins get only `Vary`. */
export const corsHeaders = (
  request: PlainRequest,
  { cors, controlOrigins = [], documented }: CorsOptions,
): HeaderValues => {
  const origin = request.headers['origin'];
  if (origin === undefined) return {};
  const isControl = controlOrigins.length > 0 && controlPath.test(request.path);
  if (cors === 'off' && !isControl) return {};
  if (!isAllowed(origin, cors) && !(isControl && controlOrigins.includes(origin))) return { Vary: 'Origin' };
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': listOf(exposed, documented?.()?.answerHeaders),
    Vary: 'Origin',
  };
};

/** Whether the request is a preflight. Its answer needs no login and says nothing about the resource. */
export const isPreflight = (request: PlainRequest): boolean =>
  request.method === 'OPTIONS' &&
  request.headers['origin'] !== undefined &&
  request.headers['access-control-request-method'] !== undefined;

/** The answer to a preflight: 204. It allows the headers that the browser asks for, whatever they are. */
export const preflightReply = (request: PlainRequest, options: CorsOptions): PlainReply => {
  const headers = corsHeaders(request, options);
  const permission =
    'Access-Control-Allow-Origin' in headers
      ? {
          'Access-Control-Allow-Methods': listOf(methods, options.documented?.()?.methods),
          'Access-Control-Allow-Headers': allowedTo(request),
          'Access-Control-Max-Age': '600',
        }
      : {};
  const vary = 'Vary' in headers ? { Vary: 'Origin, Access-Control-Request-Headers' } : {};
  return { status: 204, headers: { ...headers, ...permission, ...vary }, body: undefined };
};

/** What browsers send for pages that were opened as files, and for frames in a sandbox. Every such page has it. */
export const fileOrigin = 'null';

/** What is wrong with an origin of the list, and how a browser would send it. Undefined for a good one. */
export const originFault = (origin: string, otherWords = ''): string | undefined => {
  const advice = `an origin has a scheme, a host and perhaps a port, such as https://app.example${otherWords}.`;
  const found = /^([a-z][a-z\d+.-]*):\/\/[^\s/?#@*,]+$/i.exec(origin)?.[1];
  if (found === undefined) {
    const shortened = /^https?:\/\/[^*@]*$/i.test(origin) && URL.canParse(origin) ? new URL(origin).origin : undefined;
    return `${advice}${shortened === undefined ? '' : ` Write ${shortened}.`}`;
  }
  // Browsers send `null` for other schemes of web pages, and the schemes of apps and extensions as they are.
  if (!/^https?$/i.test(found)) return undefined;
  const sent = URL.canParse(origin) ? new URL(origin).origin : undefined;
  if (sent === origin) return undefined;
  return sent === undefined ? advice : `a browser sends it as ${sent}. Write it so.`;
};
