/** The handlers of login, logout and the tokens of a session. `src/access` holds the sessions. */
import type { LoginOutcome, Session } from '../src/access/access.ts';
import { may, type Principal } from '../src/model/principal.ts';
import { isSameSecret } from '../src/access/secret.ts';
import { isObject } from '../src/content/fields/denormalise.ts';
import { labelOf, type Entity, type Json } from '../src/model/entity.ts';
import type { components } from '../src/generated/contract.ts';
import type { Handler } from '../src/engine/handler.ts';
import { forbidden, malformed, type Problem } from '../src/problem.ts';

type OpenedSession = components['schemas']['OpenedSession'];

/** `POST /user/login`. Recorded: "login …" in test/contract/recordings/observed-terms-login-cookie-fileupload.json. */
export const login: Handler<'login'> = async (request, { access }) => {
  if (request.identity.credentials === 'accepted') {
    throw forbidden('This route can only be accessed by anonymous users.');
  }
  return async ({ json }) => {
    const { name, pass } = readCredentials(json);
    const outcome = await access.login(name, pass, request.address);
    if (outcome.kind !== 'accepted') throw refusals[outcome.kind]();
    const { account, session } = outcome;
    return {
      status: 200,
      mediaType: 'application/json',
      headers: { 'Set-Cookie': access.setCookie(session) },
      body: loginResult(account, await access.principal(account.id), session),
    };
  };
};

/** `POST /user/logout`. The token in the query belongs to the session of the cookie. */
export const logout: Handler<'logout'> = async (request, { access }) => {
  const session = access.session(request.session);
  const { token } = request.query;
  if (token === undefined) throw forbidden("'csrf_token' URL query argument is missing.");
  if (session === undefined || !isSameSecret(token, session.logoutToken)) {
    throw forbidden("'csrf_token' URL query argument is invalid.");
  }
  return async () => {
    access.logout(session.id);
    return { status: 204, headers: { 'Set-Cookie': access.setCookie(undefined) } };
  };
};

/** `GET /user/login_status`: whether the session cookie is valid. The engine deletes an invalid cookie. */
export const getLoginStatus: Handler<'getLoginStatus'> = async ({ identity: { provider, credentials } }) => {
  const body = provider === 'cookie' && credentials === 'accepted' ? '1' : '0';
  return async () => ({ status: 200, mediaType: 'text/plain', body });
};

/** `GET /session/token`: the value for `X-CSRF-Token`. Anonymous visitors get a value too, but it permits nothing. */
export const getSessionToken: Handler<'getSessionToken'> =
  async ({ session }, { access }) =>
  async () => ({ status: 200, mediaType: 'text/plain', body: access.csrfToken(session) });

/** A value that is not a string counts as missing, as on the real site. */
const readCredentials = (json: Json): { readonly name: string; readonly pass: string } => {
  const sent: { readonly name?: Json; readonly pass?: Json } = isObject(json) ? json : {};
  const { name, pass } = sent;
  if (typeof name === 'string' && typeof pass === 'string') return { name, pass };
  if (typeof pass === 'string') throw malformed('Missing credentials.name.');
  if (typeof name === 'string') throw malformed('Missing credentials.pass.');
  throw malformed('Missing credentials.');
};

const refusals: { readonly [Kind in Exclude<LoginOutcome['kind'], 'accepted'>]: () => Problem } = {
  unrecognised: () => malformed('Sorry, unrecognized username or password.'),
  blocked: () => malformed('The user has not been activated or is blocked.'),
  'flooded-user': () =>
    forbidden('Too many failed login attempts from your IP address. This IP address is temporarily blocked.'),
  'flooded-address': () => forbidden('Access is blocked because of IP based flood prevention.'),
};

/**
 * Only principals who may administer users see their roles. Recorded so for admin, editor and viewer.
 * open: no source names the permission; `administer users` stands for it.
 */
const loginResult = (account: Entity, principal: Principal | undefined, session: Session): OpenedSession => {
  const roles =
    principal !== undefined && may(principal, 'administer users')
      ? { roles: ['authenticated', ...principal.roles] }
      : {};
  return {
    current_user: { uid: String(account.id), ...roles, name: labelOf(account) },
    csrf_token: session.csrfToken,
    logout_token: session.logoutToken,
  };
};

/** The same token at its older address, `GET /rest/session/token`, beyond the contract. */
export const getRestSessionToken: Handler<'getRestSessionToken'> = (request, world) => getSessionToken(request, world);
