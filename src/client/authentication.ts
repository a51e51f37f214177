/** What a way to authenticate is, the two that need no state, and how requests are sent with one. */
import { accepted } from './refusal.ts';

/** Where the server is, and how it is reached without any credentials of ours. */
export type Exchange = {
  /** Absolute, without a slash at its end. */
  readonly baseUrl: string;
  readonly fetch: (request: Request) => Promise<Response>;
};

/** All that is needed to send something as a client. `canReport` is false where its `fetch` was given. */
export type Connection = {
  readonly authentication: Authentication;
  readonly exchange: Exchange;
  readonly canReport: boolean;
};

/** Header names in lower case. */
export type Credentials = Readonly<Record<string, string>>;

/** One file implements each: `basic` and `anonymous` here, `bearer`, `session`. */
export type Authentication = {
  /** Whether a browser adds its cookies. What is not `include` sends none, so that no forgotten session decides. */
  readonly cookies: 'include' | 'omit';
  /** The headers for a request of this method. Throws an `AtollError` when they have to be asked for and are refused. */
  credentials(exchange: Exchange, method: string): Promise<Credentials>;
  /**
   * Asked after a 401 or 403 that these credentials got: whether there are better ones now, so that the request is worth
   * sending again. Left out where there can be none.
   */
  readonly renew?: (exchange: Exchange, refused: Credentials, message: string) => Promise<boolean>;
};

/** Nobody in particular. */
export const anonymous: Authentication = { cookies: 'omit', credentials: () => Promise.resolve({}) };

/** Name and password with every request (RFC 7617), as UTF-8. */
export const basic = (name: string, password: string): Authentication => {
  const authorization = `Basic ${btoa(asBytes(`${name}:${password}`))}`;
  return { cookies: 'omit', credentials: () => Promise.resolve({ authorization }) };
};

/** The UTF-8 bytes of a text, one character a byte: the form in which `btoa` and header values take any text. */
export const asBytes = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');

/** Whether an address is the server's: elsewhere nobody's credentials are sent. */
export const isOwn = ({ baseUrl }: Exchange, address: string): boolean => {
  const { href } = new URL(address); // without `..`, which would lead out again
  return href === baseUrl || href.startsWith(`${baseUrl}/`);
};

/** Who asks there: the requester of the server, nobody of anybody else. */
export const requesterFor = (authentication: Authentication, exchange: Exchange, url: string): Authentication =>
  isOwn(exchange, url) ? authentication : anonymous;

/** Makes the request anew for each attempt and sends it. `isRepeatable` is false when its body can be read once only. */
export type Sending = {
  readonly method: string;
  readonly isRepeatable: boolean;
  readonly attempt: (credentials: Credentials) => Promise<Response>;
};

/**
 * Sends with credentials; where they got a 401 or 403 and can be renewed, once more. Such an answer came before anything was done,
 * so that writing requests may be repeated too. Resolves with a success, throws an `AtollError` otherwise.
 */
export const sendAs = async (
  authentication: Authentication,
  exchange: Exchange,
  { method, isRepeatable, attempt }: Sending,
): Promise<Response> => {
  const credentials = await authentication.credentials(exchange, method);
  const response = await attempt(credentials);
  const mayRenew = authentication.renew !== undefined && isRepeatable;
  if (!mayRenew || (response.status !== 401 && response.status !== 403)) return accepted(response);
  const message = await response.clone().text();
  if (!(await authentication.renew(exchange, credentials, message))) return accepted(response);
  return accepted(await attempt(await authentication.credentials(exchange, method)));
};

/** A request for the server's own needs, such as a token, sent as it is. Throws an `AtollError` when it is refused. */
export const ask = async (
  { baseUrl, fetch }: Exchange,
  path: string,
  init: { readonly method?: string; readonly headers?: Credentials; readonly body?: string } = {},
  cookies: Authentication['cookies'] = 'omit',
): Promise<Response> => accepted(await fetch(new Request(baseUrl + path, { ...init, credentials: cookies })));
