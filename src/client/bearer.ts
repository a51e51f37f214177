/** Authenticates with a JSON Web Token. Another authentication method fetches and renews the token. */
import type { components } from './generated/contract.ts';
import {
  sendAuthenticated,
  type Authentication,
  type Credentials,
  type Exchange,
  type Sending,
} from './authentication.ts';
import { isAtollError } from './refusal.ts';

/** Milliseconds before its expiry at which a token is renewed, so that none expires on its way. */
const renewalMargin = 60_000;

type Token = { readonly text: string; readonly renewAt: number };

/**
 * Sends `Authorization: Bearer` with a token of `GET /jwt/token`, which it requests with the credentials of `source`. It
 * fetches a token for the first request, a minute before the token expires, and once after a 401 or 403 (the server's key
 * may have changed). Concurrent requests share one token. `now` returns milliseconds since 1970.
 * open: no source says how a reply tells an expired token from a missing permission; a 403 renews the token once as a 401 does.
 */
export const bearer = (source: Authentication, now: () => number = Date.now): Authentication => {
  let current: Promise<Token> | undefined;

  const fetchToken = async (exchange: Exchange): Promise<Token> => {
    const url = `${exchange.baseUrl}/jwt/token?_format=json`;
    let requestedAt = now();
    const attempt = ({ credentials: headers, cookies, signal }: Sending): Promise<Response> => {
      requestedAt = now();
      return exchange.fetch(new Request(url, { headers, credentials: cookies, signal: signal ?? null }));
    };
    const response = await sendAuthenticated(source, exchange, { method: 'GET', isRepeatable: true, attempt });
    const { token } = (await response.json()) as components['schemas']['Token']; // the document says so
    return { text: token, renewAt: requestedAt + Math.max(0, lifetimeOf(token) - renewalMargin) };
  };

  /** Fetches a token in place of `old`, unless another request has replaced it already. */
  const replace = (exchange: Exchange, old: Promise<Token> | undefined): Promise<Token> => {
    if (current !== undefined && current !== old) return current;
    const fetching = fetchToken(exchange);
    current = fetching;
    // The requests that wait for it get the failure; the next request tries again.
    fetching.catch(() => {
      if (current === fetching) current = undefined;
    });
    return fetching;
  };

  const validToken = async (exchange: Exchange): Promise<Token> => {
    const present = current ?? replace(exchange, undefined);
    const token = await present;
    return now() < token.renewAt ? token : replace(exchange, present);
  };

  return {
    cookies: 'omit',
    credentials: async (exchange) => headersOf(await validToken(exchange)),
    renew: async (exchange, refused) => {
      try {
        const present = current;
        const isRefused =
          present !== undefined && headersOf(await present)['authorization'] === refused['authorization'];
        await replace(exchange, isRefused ? present : undefined);
        return true;
      } catch (error) {
        // The caller gets the refusal of its own request, which says more than that of the token.
        if (isAtollError(error)) return false;
        throw error;
      }
    },
  };
};

/** Sends a token that the caller already has. It cannot be renewed. */
export const bearerToken = (token: string): Authentication => ({
  cookies: 'omit',
  credentials: () => Promise.resolve({ authorization: `Bearer ${token}` }),
});

const headersOf = (token: Token): Credentials => ({ authorization: `Bearer ${token.text}` });

/**
 * The lifetime of a token in milliseconds: `exp` minus `iat`. Both come from the server's clock, which may differ from ours.
 * `Infinity` when a claim is missing (both are optional, RFC 7519 §4.1); then only a refusal renews the token.
 */
const lifetimeOf = (token: string): number => {
  const { exp, iat } = claimsOf(token);
  const lifetime = (Number(exp) - Number(iat)) * 1000;
  return Number.isNaN(lifetime) ? Infinity : lifetime;
};

/** The claims of a token, unverified. None when it cannot be read. */
export const claimsOf = (token: string): Readonly<Record<string, unknown>> => {
  const [, payload = ''] = token.split('.');
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    return Object(JSON.parse(new TextDecoder().decode(bytes))) as Record<string, unknown>; // any JSON
  } catch {
    return {};
  }
};
