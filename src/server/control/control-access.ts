/** Decides who may use the control interface without a named token: callers on this machine, or callers with the server's own token. */
import { isLoopbackAddress, isLoopbackAuthority } from '../../basics/formats/loopback.ts';
import { isSameSecret } from '../../basics/secrets/digest.ts';
import { isRead, type PlainRequest } from '../../openapi/openapi-host.ts';

export type ControlAccess = {
  /** With a token, callers from other machines are allowed, and every caller must send it. */
  readonly controlToken?: string | undefined;
  /** Nobody has the token: it was drawn because others can reach the server and no token was given. */
  readonly isControlClosed?: boolean | undefined;
  /** Nothing listens: only the program that runs the repository can ask, so that everybody who asks may. */
  readonly isPrivate?: boolean | undefined;
  /** The origins of other servers whose pages may read and change something. */
  readonly controlOrigins?: readonly string[] | undefined;
};

export const refusedElsewhere = 'The control interface answers this machine only.';
export const tokenNeeded = 'The control interface needs the header "Atoll-Control" with the control token.';
export const wrongToken = 'The control token is not the right one.';

/** Returns the message of the refusal (403), or undefined when the request is allowed. Everybody may ask whether the server lives and may get requests. */
export const controlRefusal = (request: PlainRequest, access: ControlAccess): string | undefined => {
  const { controlToken, controlOrigins = [] } = access;
  if (access.isPrivate === true || isProbe(request)) return undefined;
  if (controlToken === undefined) {
    if (!isFromThisMachine(request)) return refusedElsewhere;
    if (changesSomething(request)) {
      return mayChange(request, controlOrigins) ? undefined : pageMay('change', request.headers);
    }
    return mayRead(request, controlOrigins) ? undefined : pageMay('read', request.headers);
  }
  const sent = request.headers['atoll-control'];
  if (sent === undefined) return tokenNeeded;
  return isSameSecret(sent, controlToken) ? undefined : wrongToken;
};

/** A probe of an orchestrator comes from another host and has no token. What it reads says nothing of the repository. */
const isProbe = ({ path }: PlainRequest): boolean => probes.includes(path);

const probes: readonly string[] = ['/', '/_atoll/health', '/_atoll/ready'];

/** The same for the files of a page, which say nothing of the repository: with a control token, the page itself asks for it. */
export const pageRefusal = (request: PlainRequest, access: ControlAccess): string | undefined =>
  access.controlToken === undefined || access.isControlClosed === true ? controlRefusal(request, access) : undefined;

const changesSomething = (request: PlainRequest): boolean => !isRead(request) && request.method !== 'OPTIONS';

/** A request may not come through a proxy, or under a foreign host name (DNS rebinding). */
const isFromThisMachine = ({ address, headers }: PlainRequest): boolean =>
  isLoopbackAddress(address) &&
  isLoopbackAuthority(headers['host'] ?? '') &&
  headers['forwarded'] === undefined &&
  headers['x-forwarded-for'] === undefined;

/**
 * A page of another server may read no more than it may change, also one of this machine: the export holds the hashes of
 * passwords. Anyone who follows a link to a page sees it, and the page that has the link does not.
 */
const mayRead = (request: PlainRequest, allowed: readonly string[]): boolean =>
  mayChange(request, allowed) || isNavigation(request.headers);

/** Fetch Metadata §2.2 and §2.1. */
const isNavigation = ({ origin, ...headers }: PlainRequest['headers']): boolean =>
  origin === undefined && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';

/** A page of another server can send a POST without asking first (Fetch §4.8), such as one that resets a world. */
const mayChange = ({ headers }: PlainRequest, allowed: readonly string[]): boolean =>
  !isForeignPage(headers) || (headers['origin'] !== undefined && allowed.includes(headers['origin']));

const pageMay = (what: 'read' | 'change', { origin }: PlainRequest['headers']): string => {
  // A page in a sandbox has the origin "null", which cannot be allowed.
  const named = origin === 'null' ? undefined : origin?.slice(0, 100);
  return (
    `A page of ${named ?? 'another origin'} may ${what} nothing here. ` +
    `Start the server with --control-origins ${named ?? 'ORIGIN'} to allow it, ` +
    'or with --control-token, and send the token.'
  );
};

/**
 * What the browser itself says of the page goes first: no page can set `Sec-Fetch-Site`. Older browsers send `Origin` alone.
 * Programs other than browsers send neither.
 */
const isForeignPage = ({ host = '', origin, 'sec-fetch-site': site }: PlainRequest['headers']): boolean =>
  site === undefined
    ? origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`
    : site !== 'same-origin' && site !== 'none';
