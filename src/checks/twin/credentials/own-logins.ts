/** Logs accounts in at the Atoll of this process, for credentials that the target issued when the twin was not there. */
import { sessionCookieNames } from '../../../repository/repository-engine.ts';
import { valueAt } from '../../../basics/json-pointer.ts';
import { parsedJson } from '../../../basics/json.ts';
import { createSignIns, SignInRefusal, type SignIns, type Sender } from '../../../exchange/exchange-target.ts';
import type { WireReply } from '../../../exchange/exchange.ts';

export type OwnLoginOptions = {
  readonly askAtoll: (request: Parameters<Sender['send']>[0]) => Promise<WireReply>;
  readonly passwordOf: (account: string) => string | undefined;
};

/** `logout` is empty where the server gave no token for it. */
export type OpenedSession = Awaited<ReturnType<SignIns['logIn']>>;

/** Each account needs few tokens: one is taken again for so many requests. */
const usesOfToken = 50;

export type OwnLogins = ReturnType<typeof createOwnLogins>;

export const createOwnLogins = ({ askAtoll, passwordOf }: OwnLoginOptions) => {
  const tokens = new Map<string, { readonly bearer: string; uses: number }>();
  const atoll = createSignIns({ baseUrl: 'http://localhost', ask: askAtoll });
  return {
    /** A value of `Authorization`. Undefined for an account that Atoll does not have, or whose password nobody knows. */
    bearer: async (name: string): Promise<string | undefined> => {
      const known = tokens.get(name);
      if (known !== undefined && known.uses < usesOfToken) {
        known.uses += 1;
        return known.bearer;
      }
      const bearer = await atoll.bearer({ name, password: passwordOf(name) }).catch(orNothing);
      if (bearer !== undefined) tokens.set(name, { bearer, uses: 1 });
      return bearer;
    },
    session: (name: string): Promise<OpenedSession | undefined> =>
      atoll.logIn({ name, password: passwordOf(name) }).catch(orNothing),
    end: (session: OpenedSession): Promise<void> => atoll.logOut(session).catch(() => undefined),
  };
};

const orNothing = (error: unknown): undefined => {
  if (!(error instanceof SignInRefusal)) throw error;
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

/** Whether a request logs somebody in. `path` may have a query. */
export const isLogin = (method: string, path: string): boolean =>
  method === 'POST' && /^\/user\/login(?:\?|$)/.test(path);
