/** Makes the header lines that authenticate an account: Basic, a token, or a session, each asked for once in a run. */
import { authorizationOf, type TargetAccount } from '../../exchange/accounts.ts';
import type { Redaction } from '../../exchange/redaction/report-redaction.ts';
import { isSecretHeader, isSecretMember } from '../../exchange/redaction/secrets.ts';
import type { Sender } from '../../exchange/send.ts';
import { type HeaderLine, valueOf, valuesOf, type WireBody, type WireExchange } from '../../exchange/wire-exchange.ts';
import { type Answer, answerOf, CheckSkip, expectThat } from './answer.ts';
import type { AskedRequest } from './check.ts';
import { memberOf } from './record-members.ts';

/** The operations whose whole plain text is a token. */
const tokenPaths = /^\/(rest\/)?session\/token(\?|$)/;

/** Adds what an exchange tells. */
export const learnSecrets = ({ request, reply }: WireExchange, redaction: Redaction): void => {
  redaction.add(
    ...secretsInHeaders(request.headers),
    ...secretsInBody(request.body),
    ...secretsInHeaders(reply.headers),
    ...secretsInBody(reply.body),
    ...(tokenPaths.test(request.path) && isText(reply.headers) ? [textOf(reply.body).trim()] : []),
  );
};

const isText = (headers: readonly HeaderLine[]): boolean =>
  (valueOf(headers, 'content-type') ?? '').startsWith('text/plain');

const secretsInHeaders = (headers: readonly HeaderLine[]): string[] => [
  ...valuesOf(headers, 'set-cookie').flatMap((line) => cookieValue(line.split(';', 1)[0] ?? '')),
  ...valuesOf(headers, 'cookie').flatMap((line) => line.split(';').flatMap(cookieValue)),
  ...headers
    .filter(([name]) => isSecretHeader(name) && !/cookie/i.test(name))
    .flatMap(([, value]) => [value.replace(/^(basic|bearer)\s+/i, '')]),
];

/** A cookie that is cleared has a word such as `deleted`, which is not a secret; the shortest secret is longer. */
const cookieValue = (pair: string): string[] => {
  const value = pair.slice(pair.indexOf('=') + 1).trim();
  return pair.includes('=') && value !== '' ? [value] : [];
};

const textOf = (body: WireBody): string => (body.isWhole ? Buffer.from(body.kept).toString() : '');

const secretsInBody = (body: WireBody): string[] => {
  const text = textOf(body);
  if (!/^\s*[[{]/.test(text) || !/pass|token|secret|jwt/i.test(text)) return [];
  try {
    return secretMembersOf(JSON.parse(text));
  } catch {
    return [];
  }
};

const secretMembersOf = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' && isSecretMember(name) ? [inner] : secretMembersOf(inner),
  );
};

type Provider = NonNullable<AskedRequest['by']>;

export type Credentials = {
  /** Throws a `CheckSkip` for an account without what the provider needs, a `CheckFailure` when the target refuses it. */
  linesFor(account: TargetAccount, by: Provider | undefined, method: string): Promise<readonly HeaderLine[]>;
  /** Ends the sessions that were opened. Does not throw. */
  close(): Promise<void>;
};

type Session = { readonly cookie: string; readonly csrf: string; readonly logout: string | undefined };

export const createCredentials = (sender: Sender, redaction: Redaction): Credentials => {
  const tokens = new Map<string, Promise<string>>();
  const sessions = new Map<string, Promise<Session>>();
  const ask = async (method: string, path: string, headers: readonly HeaderLine[], body?: string): Promise<Answer> => {
    const exchange = await sender.send({ method, path, headers, body });
    learnSecrets(exchange, redaction);
    return answerOf(exchange, sender.baseUrl);
  };
  return {
    linesFor: async (account, by, method) => {
      if (account.password === undefined && account.token === undefined) return [];
      if (by === 'none') return [];
      if (by === 'bearer') {
        const token = await once(tokens, account.name, () => fetchToken(ask, account));
        return [['Authorization', `Bearer ${token}`]];
      }
      if (by === 'session') {
        const { cookie, csrf } = await once(sessions, account.name, () => openSession(ask, account));
        const isReading = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
        return [['Cookie', cookie], ...(isReading ? [] : [['X-CSRF-Token', csrf] as const])];
      }
      if (by === 'basic' && account.password === undefined)
        throw new CheckSkip(`The password of ${account.name} is not known here.`);
      return authorizationOf(account);
    },
    close: async () => {
      const opened = await Promise.allSettled(sessions.values());
      for (const session of opened) {
        if (session.status === 'rejected' || session.value.logout === undefined) continue;
        const path = `/user/logout?_format=json&token=${encodeURIComponent(session.value.logout)}`;
        await ask('POST', path, [['Cookie', session.value.cookie]]).catch(() => undefined);
      }
    },
  };
};

/** A failed attempt is not kept: a connection may have been cut. */
const once = <T>(kept: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> => {
  const before = kept.get(key);
  if (before !== undefined) return before;
  const made = make();
  kept.set(key, made);
  made.catch(() => kept.delete(key));
  return made;
};

type Ask = (method: string, path: string, headers: readonly HeaderLine[], body?: string) => Promise<Answer>;

const fetchToken = async (ask: Ask, account: TargetAccount): Promise<string> => {
  if (account.token !== undefined) return account.token;
  const answer = await ask('GET', '/jwt/token?_format=json', authorizationOf(account));
  const token = textMember(answer, 'token');
  expectThat(
    answer.status === 200 && token !== undefined,
    `GET /jwt/token gave ${account.name} no token, but ${answer.status}.`,
  );
  return token;
};

const openSession = async (ask: Ask, { name, password }: TargetAccount): Promise<Session> => {
  if (password === undefined) throw new CheckSkip(`The password of ${name} is not known here, so it cannot log in.`);
  const body = JSON.stringify({ name, pass: password });
  const answer = await ask('POST', '/user/login?_format=json', [['Content-Type', 'application/json']], body);
  const cookie = valuesOf(answer.exchange.reply.headers, 'set-cookie')
    .map((line) => line.split(';', 1)[0] ?? '')
    .join('; ');
  const csrf = textMember(answer, 'csrf_token');
  expectThat(
    answer.status === 200 && cookie !== '' && csrf !== undefined,
    `POST /user/login opened no session for ${name}, but answered ${answer.status}` +
      `${answer.status === 200 ? ' without a cookie or a csrf_token' : ''}.`,
  );
  return { cookie, csrf, logout: textMember(answer, 'logout_token') };
};

const textMember = ({ json }: Answer, name: string): string | undefined => {
  const value = memberOf(json, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
};
