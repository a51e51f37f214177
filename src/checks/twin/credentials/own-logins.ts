/** Logs accounts in at the Atoll of this process, for credentials that the target issued when the twin was not there. */
import { sessionCookieNames } from '../../../core/access/cookie-auth.ts';
import { valueAt } from '../../../basics/json-pointer.ts';
import { parsedJson } from '../../../basics/json.ts';
import { basicCredentials } from '../../../core/access/basic-auth.ts';
import { valuesOf, type WireReply } from '../../../exchange/wire-exchange.ts';
import type { SentRequest } from '../../../exchange/send.ts';

type AskAtoll = (request: SentRequest) => Promise<WireReply>;

export type OwnSession = { readonly cookie: string; readonly csrf: string; readonly logout: string };

export type OwnLogins = {
  /** Undefined for an account that Atoll does not have, or whose password nobody knows. */
  token(account: string): Promise<string | undefined>;
  session(account: string): Promise<OwnSession | undefined>;
};

export type OwnLoginOptions = {
  readonly askAtoll: AskAtoll;
  readonly passwordOf: (account: string) => string | undefined;
};

/** Each account needs few tokens: one is taken again for so many requests. */
const usesOfToken = 50;

export const createOwnLogins = ({ askAtoll, passwordOf }: OwnLoginOptions): OwnLogins => {
  const tokens = new Map<string, { readonly token: string; uses: number }>();
  return {
    token: async (account) => {
      const known = tokens.get(account);
      if (known !== undefined && known.uses < usesOfToken) {
        known.uses += 1;
        return known.token;
      }
      const password = passwordOf(account);
      if (password === undefined) return undefined;
      const headers = [['Authorization', basicCredentials(account, password)]] as const;
      const reply = await askAtoll({ method: 'GET', path: '/jwt/token?_format=json', headers });
      const token = memberOf(reply, 'token');
      if (token === undefined) return undefined;
      tokens.set(account, { token, uses: 1 });
      return token;
    },
    session: async (account) => {
      const password = passwordOf(account);
      if (password === undefined) return undefined;
      const reply = await askAtoll({
        ...{ method: 'POST', path: '/user/login?_format=json' },
        headers: [['Content-Type', 'application/json']],
        body: JSON.stringify({ name: account, pass: password }),
      });
      const cookie = valuesOf(reply.headers, 'set-cookie').map(sessionCookieIn)[0];
      if (cookie === undefined) return undefined;
      return { cookie, csrf: memberOf(reply, 'csrf_token') ?? '', logout: memberOf(reply, 'logout_token') ?? '' };
    },
  };
};

const sessionCookie = new RegExp(String.raw`\b${sessionCookieNames}=[^;\s,]+`);

/** `SESS…=value` in a `Cookie` or `Set-Cookie` line. Undefined without one, and for one that is taken back. */
export const sessionCookieIn = (line: string): string | undefined => {
  const [pair] = sessionCookie.exec(line) ?? [];
  return pair === undefined || pair.endsWith('=deleted') ? undefined : pair;
};

/** The account that a JSON Web Token names. Its signature is the servers' business. */
export const claimedName = (token: string): string | undefined => {
  const name = valueAt(parsedJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()), ['sub']);
  return typeof name === 'string' && name !== '' ? name : undefined;
};

const memberOf = ({ body }: WireReply, name: string): string | undefined => {
  try {
    const value = (JSON.parse(Buffer.from(body.kept).toString()) as Readonly<Record<string, unknown>>)[name]; // Atoll's own answer
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
};
