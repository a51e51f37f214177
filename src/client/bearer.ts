/** Authentication with a JSON Web Token that is fetched, kept and renewed. Who asks for it is another authentication's matter. */
import { ask, type Authentication, type Credentials, type Exchange } from './authentication.ts';
import { isAtollError } from './refusal.ts';

/** Renewed this long before its end, in milliseconds, so that none ends on its way. */
const margin = 60_000;

type Token = { readonly text: string; readonly renewAt: number };

/**
 * `Authorization: Bearer` with a token of `GET /jwt/token`, asked for as `source` when the first request is sent, again a
 * minute before it ends, and after a 401 or 403 once (its key may have changed). Requests at the same time share one
 * token. `now` is the time in milliseconds since 1970.
 * open: no source tells an ended token from a missing permission by its answer; a 403 renews the token once as a 401 does.
 */
export const bearer = (source: Authentication, now: () => number = Date.now): Authentication => {
  let current: Promise<Token> | undefined;

  const fetchToken = async (exchange: Exchange): Promise<Token> => {
    const headers = await source.credentials(exchange, 'GET');
    const asked = now();
    const response = await ask(exchange, '/jwt/token?_format=json', { headers }, source.cookies);
    const { token } = (await response.json()) as { readonly token: string }; // the document: Token
    return { text: token, renewAt: asked + Math.max(0, lifetimeOf(token) - margin) };
  };

  /** Replaces the token that was found wanting, unless somebody else has done so already. */
  const replace = (exchange: Exchange, wanting: Promise<Token> | undefined): Promise<Token> => {
    if (current !== undefined && current !== wanting) return current;
    const asked = fetchToken(exchange);
    current = asked;
    // A failure is told to those who wait for it; the next one asks again.
    asked.catch(() => {
      if (current === asked) current = undefined;
    });
    return asked;
  };

  const held = async (exchange: Exchange): Promise<Token> => {
    const present = current ?? replace(exchange, undefined);
    const token = await present;
    return now() < token.renewAt ? token : replace(exchange, present);
  };

  return {
    cookies: 'omit',
    credentials: async (exchange) => headersOf(await held(exchange)),
    renew: async (exchange, refused) => {
      try {
        const present = current;
        const isRefused =
          present !== undefined && headersOf(await present)['authorization'] === refused['authorization'];
        await replace(exchange, isRefused ? present : undefined);
        return true;
      } catch (error) {
        // The first refusal says what was asked for; that of the token would only distract.
        if (isAtollError(error)) return false;
        throw error;
      }
    },
  };
};

/** A token that was got elsewhere. It cannot be renewed. */
export const bearerToken = (token: string): Authentication => ({
  cookies: 'omit',
  credentials: () => Promise.resolve({ authorization: `Bearer ${token}` }),
});

const headersOf = (token: Token): Credentials => ({ authorization: `Bearer ${token.text}` });

/**
 * How long a token holds, in milliseconds: its `exp` less its `iat`, both of the server's clock, which need not be ours.
 * `Infinity` when it does not say (RFC 7519 §4.1); then only a refusal renews it.
 */
const lifetimeOf = (token: string): number => {
  const [, payload = ''] = token.split('.');
  try {
    const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as Record<string, unknown>; // whatever was signed
    const lifetime = (Number(claims['exp']) - Number(claims['iat'])) * 1000;
    return Number.isNaN(lifetime) ? Infinity : lifetime;
  } catch {
    return Infinity;
  }
};
