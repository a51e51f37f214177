/** Knows as which account the console asks the repository, and makes the client for it. */
import {
  createClient,
  type AtollClient,
  anonymous,
  basic,
  type Authentication,
  bearer,
  isAtollError,
  session,
} from '../../../src/client/client.ts';
import { baseUrl } from './address.ts';
import { ownHeaders } from './own-requests.ts';
import { Refusal } from './refusal.ts';
import { storedValue } from './stored-value.ts';

/** How an account proves who it is: Basic, a JSON Web Token, or a session cookie. */
export const schemes = ['password', 'token', 'session'] as const;
export type Scheme = (typeof schemes)[number];

/** The account that asks. Undefined: a visitor without an account. */
export type Acting = { readonly name: string; readonly password: string; readonly scheme: Scheme } | undefined;

/** The key has the base URL, because each world has its own sessions. */
const kept = storedValue<Acting>(sessionStorage, `atoll.acting ${baseUrl}`, undefined);
/** In `localStorage`, because all tabs share one session cookie. */
const logoutToken = storedValue<string | undefined>(localStorage, `atoll.logout ${baseUrl}`, undefined);

/** The account that asks now. */
export const useActing = (): Acting => kept.use();

/** True when the server does not know the session any more, as after a reset. Until then the server is asked once per answer. */
const hasEnded = storedValue<boolean>(sessionStorage, `atoll.ended ${baseUrl}`, false);

/** Whether the session of the account that asks has ended. Then the server answers as it answers a visitor. */
export const useSessionEnded = (): boolean => hasEnded.use();

/** Asks whether the session is still there. Called after a refusal, for which its end may be the reason. */
export const lookAfterSession = async (): Promise<void> => {
  const acting = kept.get();
  if (acting?.scheme !== 'session' || hasEnded.get()) return;
  const answer = await send('/user/login_status?_format=json', { method: 'GET' }).catch(() => undefined);
  if (answer?.ok === true && (await answer.text()) === '0' && kept.get() === acting) hasEnded.set(true);
};

const authenticationOf = (acting: Acting): Authentication => {
  if (acting === undefined) return anonymous;
  if (acting.scheme === 'session') return session();
  const withPassword = basic(acting.name, acting.password);
  return acting.scheme === 'token' ? bearer(withPassword) : withPassword;
};

const clients = new WeakMap<object, AtollClient>();
const nobody = {};

/** The client for an account. The same account object gets the same client, so that its token is kept. */
export const clientOf = (acting: Acting): AtollClient => {
  const key = acting ?? nobody;
  const present = clients.get(key);
  if (present !== undefined) return present;
  const client = createClient({ baseUrl, authentication: authenticationOf(acting), headers: ownHeaders });
  clients.set(key, client);
  return client;
};

/** The client of the account that asks now. */
export const useRepository = (): AtollClient => clientOf(useActing());

/**
 * Changes the account. A session and a token show at once whether the server accepts the account; this throws a `Refusal` or
 * an `AtollError` with the server's words if it does not. A password is sent with each request: a real site answers a wrong
 * one as it answers a visitor.
 */
export const actAs = async (next: Acting): Promise<void> => {
  await logOut();
  hasEnded.set(false);
  if (next?.scheme === 'session') await logIn(next.name, next.password);
  if (next?.scheme === 'token') await fetchToken(next);
  kept.set(next);
};

/** Ends the session, if there is one. Afterwards the console asks as a visitor. */
export const logOut = async (): Promise<void> => {
  const token = logoutToken.get();
  kept.set(undefined);
  if (token === undefined) return;
  logoutToken.set(undefined);
  // A session that has ended already is refused here, and that is as good.
  await send(`/user/logout?_format=json&token=${encodeURIComponent(token)}`, { method: 'POST' });
};

type Sent = { readonly method: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

const send = (path: string, init: Sent): Promise<Response> =>
  fetch(baseUrl + path, { credentials: 'include', ...init, headers: { ...ownHeaders(), ...init.headers } });

const logIn = async (name: string, pass: string): Promise<void> => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ name, pass });
  const answer = await send('/user/login?_format=json', { method: 'POST', headers, body });
  const said = (await answer.json()) as { readonly message?: string; readonly logout_token?: string };
  if (!answer.ok) throw new Refusal(answer.status, said.message ?? `HTTP ${answer.status}`);
  logoutToken.set(said.logout_token);
};

const fetchToken = async (account: NonNullable<Acting>): Promise<void> => {
  const { authentication, exchange } = clientOf(account).connection;
  await authentication.credentials(exchange, 'GET');
};

/** Throws the refusal of a password that the server does not accept. A site without tokens leaves it unchecked. */
export const checkPassword = async (name: string, password: string): Promise<void> => {
  const client = createClient({ baseUrl, authentication: basic(name, password), headers: ownHeaders });
  try {
    await client.fetch(`${baseUrl}/jwt/token?_format=json`);
  } catch (error) {
    if (isAtollError(error, 404)) return;
    throw isAtollError(error)
      ? new Refusal(error.status, `The server does not accept this name and password: ${error.message}`)
      : error;
  }
};
