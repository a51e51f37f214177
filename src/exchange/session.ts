/** Signs accounts in at any server, by the sessions of the client: with Basic, a token, or a cookie with its CSRF token. */
import { ConfigurationError } from '../basics/configuration-error.ts';
import { onceIn } from '../basics/once.ts';
import { basic, type Exchange, bearer, isAtollError } from '../client/client.ts';
import { endSession, openSession } from '../client/client-requests.ts';
import { authorizationOf, type TargetAccount } from './target-account.ts';
import type { SentRequest } from './send.ts';
import { TargetError } from './target-errors.ts';
import type { HeaderLine, WireReply } from './wire-exchange.ts';

/** The server refuses the account (`status` is its answer), or nobody knows what the account needs (`status` is undefined). */
export class SignInRefusal extends Error {
  override name = 'SignInRefusal';
  readonly status: number | undefined;

  /** `cause` is what the client has thrown. */
  constructor(message: string, status?: number, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

/** `logout` is empty where the server gave no token for it. */
type OpenedSession = { readonly cookie: string; readonly csrf: string; readonly logout: string };

/** A server, and how it is asked: by `fetch`, or by what returns an answer as it was on the wire. */
type AskedServer = { readonly baseUrl: string } & (
  { readonly fetch: Exchange['fetch'] } | { readonly ask: (request: SentRequest) => Promise<WireReply> }
);

const exchangeWith = (server: AskedServer): Exchange =>
  'fetch' in server
    ? { baseUrl: server.baseUrl, headers: () => ({}), fetch: server.fetch }
    : exchangeOver(server.baseUrl, server.ask);

const exchangeOver = (baseUrl: string, ask: (request: SentRequest) => Promise<WireReply>): Exchange => {
  const prefix = new URL(baseUrl).pathname.replace(/\/+$/, '');
  return {
    baseUrl,
    headers: () => ({}),
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const { status, headers, body } = await ask({
        method: request.method,
        path: pathname.slice(prefix.length) + search,
        headers: [...request.headers],
        body: request.body === null ? undefined : await request.text(),
      });
      const lines = headers.map(([name, value]): [string, string] => [name, value]);
      return new Response(body.kept.length === 0 ? null : Uint8Array.from(body.kept), { status, headers: lines });
    },
  };
};

const logIn = async (exchange: Exchange, { name, password }: TargetAccount): Promise<OpenedSession> => {
  if (password === undefined) throw unknownPassword(name, ', so it cannot log in');
  const opened = await openSession(exchange, { name, password }).catch((error: unknown) =>
    refuse(error, `POST /user/login opened no session for ${name}`),
  );
  const { cookie, csrf, logout = '' } = opened;
  if (cookie !== undefined && typeof csrf === 'string' && csrf !== '') return { cookie, csrf, logout };
  const lack = 'but answered 200 without a cookie or a csrf_token';
  throw new SignInRefusal(`POST /user/login opened no session for ${name}, ${lack}.`, 200);
};

const logOut = (exchange: Exchange, { cookie, logout }: OpenedSession): Promise<void> =>
  endSession(exchange, cookie, logout);

const authorizationWithToken = async (
  exchange: Exchange,
  { name, password, token }: TargetAccount,
): Promise<string> => {
  if (token !== undefined) return `Bearer ${token}`;
  if (password === undefined) throw unknownPassword(name);
  const { authorization = '' } = await bearer(basic(name, password))
    .credentials(exchange, 'GET')
    .catch((error: unknown) => refuse(error, `GET /jwt/token gave ${name} no token`));
  return authorization;
};

/** A new token of the server at `url`. Throws `ConfigurationError` with the server's message, and what `fetch` throws. */
export const fetchToken = async (fetch: Exchange['fetch'], url: string, account: TargetAccount): Promise<string> => {
  const token = await tokenIfIssued(fetch, url, account);
  if (token === undefined) throw new ConfigurationError(`${url} gave no token: 404 This site issues none.`);
  return token;
};

/** The same. Undefined for a site without a module that issues tokens (404). */
export const tokenIfIssued = async (
  fetch: Exchange['fetch'],
  url: string,
  account: TargetAccount,
): Promise<string | undefined> => {
  const answers: number[] = [];
  const heard: Exchange['fetch'] = async (request) => {
    const response = await fetch(request);
    answers.push(response.status);
    return response;
  };
  try {
    const authorization = await authorizationWithToken(exchangeWith({ baseUrl: url, fetch: heard }), account);
    return authorization.slice('Bearer '.length);
  } catch (error) {
    if (!(error instanceof SignInRefusal)) throw error;
    if (answers.length === 0) throw error.cause;
    if (error.status === 404) return undefined;
    const words = isAtollError(error.cause) ? `${error.cause.status} ${error.cause.message}` : 'This is no Atoll.';
    throw new ConfigurationError(`${url} gave no token: ${words}`);
  }
};

const unknownPassword = (name: string, consequence = ''): SignInRefusal =>
  new SignInRefusal(`The password of ${name} is not known here${consequence}.`);

/** Another answer than the one that was wanted. That nobody answers is another matter. */
const refuse = (error: unknown, what: string): never => {
  if (error instanceof TargetError) throw error;
  const status = isAtollError(error) ? error.status : 200;
  throw new SignInRefusal(`${what}, but answered ${status}.`, status, error);
};

type Provider = 'basic' | 'bearer' | 'session' | 'none';

/** The ways to sign in at one server. All throw `SignInRefusal`. */
export type SignIns = {
  /** The value of `Authorization` with a new token, or with the one that the account has. */
  bearer(account: TargetAccount): Promise<string>;
  /** Opens a new session. */
  logIn(account: TargetAccount): Promise<OpenedSession>;
  /** Ends a session. Rejects when the server refuses. */
  logOut(session: OpenedSession): Promise<void>;
  /**
   * The lines that authenticate a request; by Basic or the known token where no provider is named. Each account gets one token
   * and one session.
   */
  linesFor(account: TargetAccount, by: Provider | undefined, method: string): Promise<readonly HeaderLine[]>;
  /** Ends the sessions that `linesFor` has opened. Does not throw. */
  close(): Promise<void>;
};

export const createSignIns = (server: AskedServer): SignIns => {
  const exchange = exchangeWith(server);
  const tokens = new Map<string, Promise<string>>();
  const sessions = new Map<string, Promise<OpenedSession>>();
  return {
    bearer: (account) => authorizationWithToken(exchange, account),
    logIn: (account) => logIn(exchange, account),
    logOut: (session) => logOut(exchange, session),
    linesFor: async (account, by, method) => {
      if (by === 'none' || (account.password === undefined && account.token === undefined)) return [];
      if (by === 'bearer')
        return [['Authorization', await onceIn(tokens, account.name, () => authorizationWithToken(exchange, account))]];
      if (by === 'session') {
        const { cookie, csrf } = await onceIn(sessions, account.name, () => logIn(exchange, account));
        const isReading = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
        return [['Cookie', cookie], ...(isReading ? [] : [['X-CSRF-Token', csrf] as const])];
      }
      if (by === 'basic' && account.password === undefined) throw unknownPassword(account.name);
      return authorizationOf(account);
    },
    close: async () => {
      for (const opened of await Promise.allSettled(sessions.values())) {
        if (opened.status === 'rejected' || opened.value.logout === '') continue;
        await logOut(exchange, opened.value).catch(() => undefined);
      }
    },
  };
};
