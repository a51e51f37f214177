/** Translates credentials: passwords by the account's name, tokens and sessions by those that Atoll has issued for the same. */
import type { Side } from '../../compare/difference.ts';
import type { Pairs } from '../../compare/id-map.ts';
import { type HeaderLine, headerValues, type WireReply, type WireRequest } from '../../../exchange/exchange.ts';
import { jsonOf } from '../../compare/learn.ts';
import {
  claimedName,
  createOwnLogins,
  isLogin,
  type OpenedSession,
  type OwnLoginOptions,
  type OwnLogins,
  sessionCookieIn,
} from './own-logins.ts';
import { createPasswords, type CredentialContext, type Passwords } from './passwords.ts';

/** A session of the target, with that of Atoll for it. */
type Session = LoginTokens & { own: OpenedSession | undefined };

const maxKept = 10_000;

const nameOf = (cookie: string): string => cookie.replace(/=.*/s, '');

type TwinSessions = ReturnType<typeof createTwinSessions>;

const createTwinSessions = (pairs: Pairs, logins: OwnLogins) => {
  const sessions = new Map<string, Session>();
  let targetName: string | undefined;
  const remember = (cookie: string, session: Session): void => {
    sessions.set(cookie, session);
    const [oldest] = sessions.keys();
    if (sessions.size > maxKept && oldest !== undefined) sessions.delete(oldest);
  };
  const pairToken = (target: string, atoll: string): void => {
    if (target !== '' && atoll !== '') pairs.learn({ kind: 'secret', target, atoll });
  };
  return {
    /** Atoll's session for a cookie of the target. `account` is whose it is, where that is known. */
    of: async (cookie: string, account: string | undefined): Promise<OpenedSession | undefined> => {
      const unknown = account === undefined ? undefined : { account, csrf: '', logout: '', own: undefined };
      const session = sessions.get(cookie) ?? unknown;
      if (session === undefined) return undefined;
      session.own ??= await logins.session(session.account);
      if (session.own === undefined) return undefined;
      remember(cookie, session);
      pairs.learn({ kind: 'cookie', target: cookie, atoll: session.own.cookie });
      pairToken(session.csrf, session.own.csrf);
      pairToken(session.logout, session.own.logout);
      return session.own;
    },
    /** Whether the cookie has the name that the target gives its sessions, or nobody knows that name. */
    mayBeginWith: (cookie: string): boolean => targetName === undefined || nameOf(cookie) === targetName,
    /** The tokens of a known session. */
    known: (cookie: string): OpenedSession | undefined => sessions.get(cookie)?.own,
    /** Both servers have begun one. */
    begun: (cookie: string, session: LoginTokens, own: OpenedSession): void => {
      targetName = nameOf(cookie);
      pairs.learn({ kind: 'cookie', target: cookie, atoll: own.cookie });
      if (session.account !== '') remember(cookie, { ...session, own });
    },
    /** Atoll has lost all of its own. */
    drop: (): void => {
      pairs.forget('cookie');
      for (const session of sessions.values()) session.own = undefined;
    },
  };
};

type CredentialMapOptions = OwnLoginOptions & {
  readonly pairs: Pairs;
  /** Whether a token says the same to both servers. */
  readonly hasSameKey?: boolean | undefined;
  /** The name of Atoll's session cookies. */
  readonly cookieName: string;
};

type Translated = {
  readonly lines: readonly HeaderLine[];
  /** Why nobody knows whose credentials these are. */
  readonly unknown?: string | undefined;
};

export type CredentialMap = ReturnType<typeof createCredentialMap>;

const unknownToken = 'the token was issued before the twin, for an account that Atoll does not have';
const unknownSession = 'the session began before the twin';

export const createCredentialMap = (options: CredentialMapOptions) => {
  const { pairs, hasSameKey, cookieName } = options;
  const logins = createOwnLogins(options);
  const passwords = createPasswords(options.passwordOf);
  const sessions = createTwinSessions(pairs, logins);

  return {
    credentials: createTranslating({ pairs, logins, passwords, sessions, hasSameKey, cookieName }),
    /** The value of `Authorization` with the password of Atoll's account, where Atoll answers first. */
    ownBasic: (value: string): string =>
      /^basic /i.test(value)
        ? passwords.basic(value, { from: 'target', status: undefined, account: undefined })
        : value,
    /** The body of a login with the password of Atoll's account. Undefined when the request is none, or stays as it is. */
    loginBody: (request: WireRequest, context: CredentialContext): Uint8Array | undefined => {
      const login = loginIn(request);
      if (login === undefined) return undefined;
      const { status = 0 } = context;
      if (status >= 200 && status < 300) passwords.accept(login.name, login.pass);
      const pass = passwords.own(login.name, login.pass, context);
      return pass === login.pass ? undefined : Buffer.from(JSON.stringify({ ...login.body, pass }));
    },
    passwords,
    /** Remembers the sessions that both have begun. */
    note: (request: WireRequest, { target, atoll }: Readonly<Record<Side, WireReply>>): void => {
      const [theirs, ours] = [target, atoll].map(
        ({ headers }) => headerValues(headers, 'set-cookie').map(sessionCookieIn)[0],
      );
      if (theirs === undefined || ours === undefined) return;
      const login = loginIn(request);
      if (login !== undefined) passwords.accept(login.name, login.pass);
      const tokens = tokensOf(target);
      sessions.begun(
        theirs,
        { ...tokens, account: login?.name ?? tokens.account },
        { ...tokensOf(atoll), cookie: ours },
      );
    },
    /** Ends the session at Atoll, too: the target has taken it back, and Atoll has not. */
    end: async ({ headers }: WireRequest): Promise<void> => {
      const [cookie] = headerValues(headers, 'cookie').map(sessionCookieIn);
      const session = cookie === undefined ? undefined : sessions.known(cookie);
      if (session !== undefined) await logins.end(session);
    },
    /** Atoll has lost its sessions. They begin again when they are needed. */
    dropSessions: sessions.drop,
  };
};

type Translating = {
  readonly pairs: Pairs;
  readonly logins: OwnLogins;
  readonly passwords: Passwords;
  readonly sessions: TwinSessions;
  readonly hasSameKey: boolean | undefined;
  readonly cookieName: string;
};

/** A session that has ended is still a cookie of this server. */
const renamed = (cookie: string, name: string): string => cookie.replace(/^[^=]+/, name);

const createTranslating = (translating: Translating) => {
  const { pairs, logins, passwords, sessions, hasSameKey, cookieName } = translating;
  /** Scheme and blanks stay as they were sent. Undefined: nobody knows whose token it is. */
  const bearer = async (value: string, { from, status, account }: CredentialContext): Promise<string | undefined> => {
    const sent = value.slice('Bearer '.length).trim();
    const known = pairs.counterpart('secret', sent, from);
    if (known !== undefined) return value.replace(sent, () => known);
    // A token that the target refuses may be a broken one.
    if (from === 'atoll' || status === 401 || status === 403 || hasSameKey === true) return value;
    const name = account ?? claimedName(sent);
    return name === undefined ? undefined : logins.bearer(name);
  };
  const authorization = async (value: string, context: CredentialContext): Promise<string | undefined> => {
    if (/^basic /i.test(value)) return passwords.basic(value, context);
    return /^bearer /i.test(value) ? bearer(value, context) : value;
  };
  const cookieOf = async (sent: string, { from, account, hasEnded }: CredentialContext) => {
    const known = pairs.counterpart('cookie', sent, from);
    if (known !== undefined || from === 'atoll') return known;
    if (!sessions.mayBeginWith(sent)) return sent;
    return hasEnded === true ? renamed(sent, cookieName) : (await sessions.of(sent, account))?.cookie;
  };
  return async ({ headers }: WireRequest, context: CredentialContext): Promise<Translated> => {
    const lines: HeaderLine[] = [];
    let unknown: string | undefined;
    let session: OpenedSession | undefined;
    for (const value of headerValues(headers, 'authorization')) {
      const own = await authorization(value, context);
      lines.push(['Authorization', own ?? value]);
      if (own === undefined) unknown = unknownToken;
    }
    for (const value of headerValues(headers, 'cookie')) {
      const sent = sessionCookieIn(value);
      const own = sent === undefined ? undefined : await cookieOf(sent, context);
      lines.push(['Cookie', sent === undefined || own === undefined ? value : value.replace(sent, () => own)]);
      if (sent !== undefined && own === undefined) unknown = unknownSession;
      if (sent !== undefined) session = sessions.known(sent);
    }
    for (const value of headerValues(headers, 'x-csrf-token')) {
      // A token that the target refuses may be a wrong one.
      const own = context.status === 403 ? undefined : session?.csrf;
      lines.push(['X-CSRF-Token', pairs.counterpart('secret', value, context.from) ?? own ?? value]);
    }
    return { lines, unknown };
  };
};

type Login = { readonly name: string; readonly pass: string; readonly body: object };

const loginIn = (request: WireRequest): Login | undefined => {
  if (!isLogin(request.method, request.path)) return undefined;
  const body = jsonOf(request.body, request.headers) ?? {};
  const { name, pass } = body as { readonly name?: unknown; readonly pass?: unknown }; // anything may be sent
  return typeof name === 'string' && typeof pass === 'string' ? { name, pass, body } : undefined;
};

type LoginTokens = { readonly account: string; readonly csrf: string; readonly logout: string };

/** What the answer to a login tells besides its cookie. */
const tokensOf = (reply: WireReply): LoginTokens => {
  const body = (jsonOf(reply.body, reply.headers) ?? {}) as Readonly<Record<string, unknown>>; // any server may answer
  const user = body['current_user'];
  const name = typeof user === 'object' && user !== null && 'name' in user ? user.name : undefined;
  return { account: textOf(name), csrf: textOf(body['csrf_token']), logout: textOf(body['logout_token']) };
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
