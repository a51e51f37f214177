/** The handlers of login, logout and the tokens of a session. `src/repository/access` holds the sessions. */
import { given, isRecord, type Json } from '../src/basics/json.ts';
import type { LoginOutcome, Session, Handler } from '../src/repository/repository-engine.ts';
import { may, type Principal, labelOf } from '../src/repository/repository.ts';
import { isSameSecret } from '../src/basics/secrets/digest.ts';
import { escapedMarkup } from '../src/basics/markup.ts';
import { inBody, jsonReply } from '../src/openapi/openapi-host.ts';
import type { components } from '../src/client/generated/contract.ts';
import type { Entity } from '../src/openapi/openapi-records.ts';
import { forbidden, malformed, type Problem } from '../src/openapi/openapi-terms.ts';

type OpenedSession = components['schemas']['OpenedSession'];

/**
 * `POST /user/login`. Recorded: "login …" in test/contract/recordings/observed-terms-login-cookie-fileupload.json and in
 * second-lab/auth-and-sessions.json next to it. Without `_format`, or with an empty one, the real site shows its login form
 * and opens no session.
 */
export const login: Handler<'login'> = async (request, { access, site }) => {
  if (request.identity.credentials === 'accepted') {
    throw forbidden('This route can only be accessed by anonymous users.');
  }
  return async ({ json }) => {
    if (!request.query._format) {
      request.advise?.({ pointer: inBody(), reason: noLogin });
      return { status: 200, mediaType: 'text/html', body: loginPage(site.name) };
    }
    const { name, pass } = readCredentials(json);
    const outcome = await access.login(name, pass, request.address);
    if (outcome.kind !== 'accepted') throw refusals[outcome.kind]();
    const { account, session } = outcome;
    const principal = await access.principal(account.id);
    const token = site.tokenAtLogin && principal !== undefined ? await access.issueToken(principal) : undefined;
    return {
      ...jsonReply({ ...loginResult(account, principal, session), ...given({ access_token: token }) }),
      headers: { 'Set-Cookie': access.setCookie(session) },
    };
  };
};

const noLogin = 'Without _format=json the real site answers with the page of its login form and opens no session.';

const loginPage = (siteName: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Log in | ${escapedMarkup(siteName)}</title></head>` +
  `<body><h1>Log in</h1><p>No session was opened. Send the name and the password as JSON to /user/login?_format=json.</p>` +
  `</body></html>`;

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

/** `GET /user/login_status`: whether the session cookie or the token is valid. The engine deletes an invalid cookie. */
export const getLoginStatus: Handler<'getLoginStatus'> = async ({ identity: { credentials } }) => {
  const body = credentials === 'accepted' ? '1' : '0';
  return async () => ({ status: 200, mediaType: 'text/plain', body });
};

/** `GET /session/token`: the value for `X-CSRF-Token`. Anonymous visitors get a value too, but it permits nothing. */
export const getSessionToken: Handler<'getSessionToken'> =
  async ({ session }, { access }) =>
  async () => ({ status: 200, mediaType: 'text/plain', body: access.csrfToken(session) });

/** Only null counts as missing, as on the real site. */
const readCredentials = (json: Json): { readonly name: string; readonly pass: string } => {
  const sent: { readonly name?: Json; readonly pass?: Json } = isRecord(json) ? json : {};
  const [name, pass] = [sent.name ?? undefined, sent.pass ?? undefined];
  if (name === undefined) throw malformed(pass === undefined ? 'Missing credentials.' : 'Missing credentials.name.');
  if (pass === undefined) throw malformed('Missing credentials.pass.');
  return { name: nameIn(name), pass: typeof pass === 'object' ? '' : String(pass) };
};

/** The real site looks for any of the names in a list or an object. open: of several names the first counts. */
const nameIn = (sent: Json): string => {
  const name = typeof sent === 'object' && sent !== null ? Object.values(sent)[0] : sent;
  return name === null || typeof name === 'object' ? '' : String(name);
};

const refusals: { readonly [Kind in Exclude<LoginOutcome['kind'], 'accepted'>]: () => Problem } = {
  unrecognised: () => malformed('Sorry, unrecognized username or password.'),
  blocked: () => malformed('The user has not been activated or is blocked.'),
  'flooded-user': () =>
    forbidden('Too many failed login attempts from your IP address. This IP address is temporarily blocked.'),
  'flooded-address': () => forbidden('Access is blocked because of IP based flood prevention.'),
};

/** Only principals who may administer users see their roles, as in the answer of `GET /user/{id}`. */
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

/** The same by POST, which the real site's route takes, too. */
export const postSessionToken: Handler<'postSessionToken'> = (request, world) => getSessionToken(request, world);

/** The same token at its older address, `/rest/session/token`, beyond the contract. */
export const getRestSessionToken: Handler<'getRestSessionToken'> = (request, world) => getSessionToken(request, world);
export const postRestSessionToken: Handler<'postRestSessionToken'> = (request, world) =>
  getSessionToken(request, world);
