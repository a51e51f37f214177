/** Authentication with a session cookie: login, logout, and the CSRF token that writing requests need. */
import { ask, type Authentication, type Credentials, type Exchange } from './authentication.ts';
import { isAtollError } from './refusal.ts';

/** A session that can be ended. */
export type Session = Authentication & {
  /** Ends a session that was opened by its account; any other is left alone. */
  logout(): Promise<void>;
};

type Open = {
  readonly exchange: Exchange;
  /** `name=value`, where cookies are ours to keep: in Node. A browser keeps them itself and shows none. */
  readonly cookie: string | undefined;
  readonly csrf: string;
  readonly logout: string | undefined;
};

/** The methods that need `X-CSRF-Token` (decisions: Login); the upload PUTs do not. */
const guarded: readonly string[] = ['POST', 'PATCH', 'DELETE'];

/**
 * With an account, logs in when the first request is sent and again when the session has ended. Without one, and in a browser that is
 * logged in already, uses the session of the browser's cookie. The CSRF token is fetched and, when it is refused, renewed.
 */
export const session = (account?: { readonly name: string; readonly password: string }): Session => {
  let current: Promise<Open> | undefined;
  const issued = new WeakMap<Credentials, Promise<Open>>();

  const keep = (opening: Promise<Open>): Promise<Open> => {
    current = opening;
    opening.catch(() => {
      if (current === opening) current = undefined;
    });
    return opening;
  };
  const open = (exchange: Exchange): Promise<Open> =>
    keep(account === undefined ? join(exchange, undefined) : login(exchange, account.name, account.password));

  return {
    cookies: 'include',
    credentials: async (exchange, method) => {
      const opening = current ?? open(exchange);
      const headers = headersOf(await opening, method);
      issued.set(headers, opening);
      return headers;
    },
    renew: async (exchange, refused, message) => {
      const before = issued.get(refused);
      // Renewed meanwhile, for another request.
      if (before === undefined || before !== current) return true;
      const { cookie, ...rest } = await before;
      if (message.includes('X-CSRF-Token')) {
        const { csrf } = await join(exchange, cookie);
        if (before === current) await keep(Promise.resolve({ ...rest, cookie, csrf }));
        return true;
      }
      if (account === undefined || (await isOpen({ exchange, cookie }))) return false;
      if (before === current) await open(exchange);
      return true;
    },
    logout: async () => {
      const { exchange, cookie, logout } = (await current) ?? {};
      current = undefined;
      if (exchange === undefined || logout === undefined) return;
      const path = `/user/logout?_format=json&token=${encodeURIComponent(logout)}`;
      await ask(exchange, path, { method: 'POST', headers: cookieHeader(cookie) }, 'include');
    },
  };
};

const cookieHeader = (cookie: string | undefined): Credentials => (cookie === undefined ? {} : { cookie });

const headersOf = ({ cookie, csrf }: Open, method: string): Credentials => ({
  ...cookieHeader(cookie),
  ...(guarded.includes(method) ? { 'x-csrf-token': csrf } : {}),
});

const login = async (exchange: Exchange, name: string, pass: string): Promise<Open> => {
  try {
    const response = await ask(
      exchange,
      '/user/login?_format=json',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ name, pass }) },
      'include',
    );
    const { csrf_token, logout_token } = (await response.json()) as { csrf_token: string; logout_token: string }; // the document: OpenedSession
    const cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0] ?? '')
      .join('; ');
    return { exchange, cookie: cookie === '' ? undefined : cookie, csrf: csrf_token, logout: logout_token };
  } catch (error) {
    // "This route can only be accessed by anonymous users": the browser has a session already.
    if (isAtollError(error, 403) && error.message.includes('anonymous users')) return join(exchange, undefined);
    throw error;
  }
};

/** Takes part in the session of a cookie. */
const join = async (exchange: Exchange, cookie: string | undefined): Promise<Open> => {
  const response = await ask(exchange, '/session/token', { headers: cookieHeader(cookie) }, 'include');
  return { exchange, cookie, csrf: await response.text(), logout: undefined };
};

const isOpen = async ({ exchange, cookie }: Pick<Open, 'exchange' | 'cookie'>): Promise<boolean> => {
  const status = await ask(exchange, '/user/login_status?_format=json', { headers: cookieHeader(cookie) }, 'include');
  return (await status.text()) === '1';
};
