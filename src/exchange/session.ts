/** Signs accounts in at any server, by the sessions of the client: with Basic, a token, or a cookie with its CSRF token. */
import { ConfigurationError } from '../basics/configuration-error.ts';
import { basic, type Exchange } from '../client/authentication.ts';
import { bearer } from '../client/bearer.ts';
import { endSession, openSession } from '../client/open-session.ts';
import { isAtollError } from '../client/refusal.ts';
import { authorizationOf, type TargetAccount } from './accounts.ts';
import type { SentRequest } from './send.ts';
import { TargetError } from './target-errors.ts';
import type { HeaderLine, WireReply } from './wire-exchange.ts';

/** Whether a request logs somebody in. `path` may have a query. */
export const isLogin = (method: string, path: string): boolean =>
  method === 'POST' && /^\/user\/login(?:\?|$)/.test(path);

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
export type OpenedSession = { readonly cookie: string; readonly csrf: string; readonly logout: string };

/** A server as the client knows it. `ask` sends the requests. */
export const exchangeOver = (baseUrl: string, ask: (request: SentRequest) => Promise<WireReply>): Exchange => {
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

/** Opens a new session. Throws `SignInRefusal`. */
export const logIn = async (exchange: Exchange, { name, password }: TargetAccount): Promise<OpenedSession> => {
  if (password === undefined) throw unknownPassword(name, ', so it cannot log in');
  const opened = await openSession(exchange, { name, password }).catch((error: unknown) =>
    refuse(error, `POST /user/login opened no session for ${name}`),
  );
  const { cookie, csrf, logout = '' } = opened;
  if (cookie !== undefined && typeof csrf === 'string' && csrf !== '') return { cookie, csrf, logout };
  const lack = 'but answered 200 without a cookie or a csrf_token';
  throw new SignInRefusal(`POST /user/login opened no session for ${name}, ${lack}.`, 200);
};

/** Ends a session. Rejects when the server refuses. */
export const logOut = (exchange: Exchange, { cookie, logout }: OpenedSession): Promise<void> =>
  endSession(exchange, cookie, logout);

/** The value of `Authorization` with a new token, or with the one that the account has. Throws `SignInRefusal`. */
export const bearerOf = async (exchange: Exchange, { name, password, token }: TargetAccount): Promise<string> => {
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
    const authorization = await bearerOf({ baseUrl: url, headers: () => ({}), fetch: heard }, account);
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

/** The accounts of a run at one server. Each gets one token and one session. */
export type SignIns = {
  /** The lines that authenticate a request; by Basic or the known token where no provider is named. Throws `SignInRefusal`. */
  linesFor(account: TargetAccount, by: Provider | undefined, method: string): Promise<readonly HeaderLine[]>;
  /** Ends the sessions that were opened. Does not throw. */
  close(): Promise<void>;
};

export const createSignIns = (exchange: Exchange): SignIns => {
  const tokens = new Map<string, Promise<string>>();
  const sessions = new Map<string, Promise<OpenedSession>>();
  return {
    linesFor: async (account, by, method) => {
      if (by === 'none' || (account.password === undefined && account.token === undefined)) return [];
      if (by === 'bearer')
        return [['Authorization', await once(tokens, account.name, () => bearerOf(exchange, account))]];
      if (by === 'session') {
        const { cookie, csrf } = await once(sessions, account.name, () => logIn(exchange, account));
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

/** A failed attempt is not kept: a connection may have been cut. */
export const once = <T>(kept: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> => {
  const before = kept.get(key);
  if (before !== undefined) return before;
  const made = make();
  kept.set(key, made);
  made.catch(() => kept.delete(key));
  return made;
};
