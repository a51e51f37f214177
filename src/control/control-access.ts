/** Decides who may use the control interface: callers on this machine, or callers with the control token. */
import { isLoopbackAddress, isLoopbackAuthority, isLoopbackOrigin } from '../access/loopback.ts';
import { isSameSecret } from '../access/secret.ts';
import { isRead, type PlainRequest } from '../engine/exchange.ts';

export type ControlAccess = {
  /** With a token, callers from other machines are allowed, and every caller must send it. */
  readonly controlToken?: string | undefined;
  /** Nobody has the token: it was drawn because others can reach the server and no token was given. */
  readonly isControlClosed?: boolean | undefined;
  /** The origins of other servers whose pages may change something. */
  readonly controlOrigins?: readonly string[] | undefined;
};

/** Returns the message of the refusal (403), or undefined when the request is allowed. Everybody may read `/_atoll/health`. */
export const controlRefusal = (request: PlainRequest, access: ControlAccess): string | undefined => {
  const { controlToken, controlOrigins = [] } = access;
  if (request.path === '/_atoll/health') return undefined;
  if (controlToken === undefined) {
    if (!isLocal(request, controlOrigins)) return 'The control interface answers this machine only.';
    return changesSomething(request) ? foreignPageRefusal(request, controlOrigins) : undefined;
  }
  const sent = request.headers['atoll-control'];
  if (sent === undefined) return 'The control interface needs the header "Atoll-Control" with the control token.';
  return isSameSecret(sent, controlToken) ? undefined : 'The control token is not the right one.';
};

/** The same for the files of a page, which say nothing of the repository: with a control token, the page itself asks for it. */
export const pageRefusal = (request: PlainRequest, access: ControlAccess): string | undefined =>
  access.controlToken === undefined || access.isControlClosed === true ? controlRefusal(request, access) : undefined;

const changesSomething = (request: PlainRequest): boolean => !isRead(request) && request.method !== 'OPTIONS';

/**
 * Whether a program on this machine sent the request itself. It must not come through a proxy, under a foreign host name
 * (DNS rebinding), or from another site's page in a browser on this machine.
 */
const isLocal = ({ address, headers }: PlainRequest, allowed: readonly string[]): boolean =>
  isLoopbackAddress(address) &&
  isLoopbackAuthority(headers['host'] ?? '') &&
  headers['forwarded'] === undefined &&
  headers['x-forwarded-for'] === undefined &&
  (isLoopbackOrigin(headers['origin'] ?? 'http://localhost') || allowed.includes(headers['origin'] ?? '')) &&
  !isCrossSiteSubresource(headers);

/** A page of another site loads a subresource, such as an image, without `Origin` (Fetch Metadata §2.4). A link to a page is allowed. */
const isCrossSiteSubresource = (headers: PlainRequest['headers']): boolean =>
  headers['sec-fetch-site'] === 'cross-site' &&
  headers['origin'] === undefined &&
  (headers['sec-fetch-mode'] !== 'navigate' || headers['sec-fetch-dest'] !== 'document');

/** A page of another server on this machine can send a POST without asking first (Fetch §4.8), such as one that resets a world. */
const foreignPageRefusal = ({ headers }: PlainRequest, allowed: readonly string[]): string | undefined => {
  const { origin } = headers;
  if (!isForeignPage(headers) || (origin !== undefined && allowed.includes(origin))) return undefined;
  const [page, value] = origin === undefined ? ['another origin', 'ORIGIN'] : [origin, origin].map(shortened);
  return (
    `A page of ${page} may change nothing here. Start the server with --control-origins ${value} to allow it, ` +
    'or with --control-token, and send the token.'
  );
};

const shortened = (text: string): string => text.slice(0, 100);

/**
 * What the browser itself says of the page goes first: no page can set `Sec-Fetch-Site`. Older browsers send `Origin` alone.
 * Programs that are no browser send neither.
 */
const isForeignPage = ({ host = '', origin, 'sec-fetch-site': site }: PlainRequest['headers']): boolean =>
  site === undefined
    ? origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`
    : site !== 'same-origin' && site !== 'none';
