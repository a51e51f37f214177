/** Defines what an authentication method is, sends requests with one, and has the two methods that keep no state. */
import { successOrThrow } from './refusal.ts';

/** The server, and how to send it a request without credentials. */
export type Exchange = {
  /** Absolute, without a slash at its end. */
  readonly baseUrl: string;
  /** Headers that every request to the server carries. `fetch` adds them itself. */
  readonly headers: () => Credentials;
  readonly fetch: (request: Request) => Promise<Response>;
};

/** Everything that sends a request of a client. `canReport` is false when the caller supplied `fetch`. */
export type Connection = {
  readonly authentication: Authentication;
  readonly exchange: Exchange;
  readonly canReport: boolean;
};

/** Header names in lower case. */
export type Credentials = Readonly<Record<string, string>>;

/** An authentication method: `anonymous` and `basic` here, the others in `bearer.ts` and `session.ts`. */
export type Authentication = {
  /** Whether a browser adds its cookies. With `omit`, a forgotten session cannot decide who sends the request. */
  readonly cookies: 'include' | 'omit';
  /** Returns the headers for a request of this method. Throws an `AtollError` when the server refuses to issue them. */
  credentials(exchange: Exchange, method: string): Promise<Credentials>;
  /**
   * Called after a request with these credentials got 401 or 403. Resolves with true when there are new credentials, so
   * that the request can be sent again. Absent when credentials cannot be renewed.
   */
  readonly renew?: (exchange: Exchange, refused: Credentials, message: string) => Promise<boolean>;
  /** Sends one request with these credentials, where more has to be seen to. Absent where `attempt` is enough. */
  readonly send?: (exchange: Exchange, request: AuthenticatedRequest, credentials: Credentials) => Promise<Response>;
};

/** Sends no credentials. */
export const anonymous: Authentication = { cookies: 'omit', credentials: () => Promise.resolve({}) };

/** Sends name and password with every request, as UTF-8 (RFC 7617). */
export const basic = (name: string, password: string): Authentication => {
  const authorization = `Basic ${btoa(asBytes(`${name}:${password}`))}`;
  return { cookies: 'omit', credentials: () => Promise.resolve({ authorization }) };
};

/** Encodes a text as UTF-8, one character per byte. `btoa` and header values take any text in this form. */
export const asBytes = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');

/** Whether an absolute address lies at or below the server's base URL. */
export const isOnServer = ({ baseUrl }: Exchange, address: string): boolean => {
  const { href } = new URL(address); // resolves `..`, which could lead out of the base URL
  return href === baseUrl || href.startsWith(`${baseUrl}/`);
};

/** The headers that the caller wants on every request to this server. None for addresses of other servers. */
export const headersFor = (exchange: Exchange, url: string): Credentials =>
  isOnServer(exchange, url) ? exchange.headers() : {};

/** The authentication for an address: other servers never get the credentials of this one. */
export const authenticationFor = (authentication: Authentication, exchange: Exchange, url: string): Authentication =>
  isOnServer(exchange, url) ? authentication : anonymous;

/** What a request is sent with. `signal` gives it up. */
export type Sending = {
  readonly credentials: Credentials;
  readonly cookies: Authentication['cookies'];
  readonly signal?: AbortSignal;
};

/** `attempt` builds and sends the request. `isRepeatable` is false when its body can be read only once. */
export type AuthenticatedRequest = {
  readonly method: string;
  readonly isRepeatable: boolean;
  readonly attempt: (sending: Sending) => Promise<Response>;
};

/**
 * Sends a request with credentials. After a 401 or 403 it renews the credentials and sends once more. That is safe for
 * writing requests too: the server refused before it changed anything. Throws an `AtollError` unless the reply is a success.
 */
export const sendAuthenticated = async (
  authentication: Authentication,
  exchange: Exchange,
  request: AuthenticatedRequest,
): Promise<Response> => {
  const { cookies } = authentication;
  const send = (sent: Credentials): Promise<Response> =>
    authentication.send?.(exchange, request, sent) ?? request.attempt({ credentials: sent, cookies });
  const credentials = await authentication.credentials(exchange, request.method);
  const response = await send(credentials);
  const canRenew = authentication.renew !== undefined && request.isRepeatable;
  if (!canRenew || (response.status !== 401 && response.status !== 403)) return successOrThrow(response);
  const message = await response.clone().text();
  if (!(await authentication.renew(exchange, credentials, message))) return successOrThrow(response);
  return successOrThrow(await send(await authentication.credentials(exchange, request.method)));
};

/** Requests something that authentication itself needs, such as a token. Throws an `AtollError` when it is refused. */
export const fetchFromServer = async (
  { baseUrl, fetch }: Exchange,
  path: string,
  init: { readonly method?: string; readonly headers?: Credentials; readonly body?: string } = {},
  cookies: Authentication['cookies'] = 'omit',
): Promise<Response> => successOrThrow(await fetch(new Request(baseUrl + path, { ...init, credentials: cookies })));
