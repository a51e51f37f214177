/** Checks of sessions: what the cookie lets in, its token for writes, logins that are refused, and logouts. */
import {
  type Answer,
  expectRefusal,
  expectRefusalThatSays,
  expectSame,
  expectStatus,
  expectThat,
  shown,
} from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { asMaker, inJson } from '../writing/record-kinds.ts';
import { memberOf } from '../../record-members.ts';
import { askHidden, askOpen } from './basic-checks.ts';
import { expectForbidden } from './refusals.ts';
import {
  expectOwn,
  login,
  openSession,
  postNode,
  sharedSession,
  statusOf,
  type OpenedSession,
  authenticationChecks,
} from './sessions.ts';
import { checksOf, contractRule, referenceRule, adviceRule, sources, type Rule } from '../../rule.ts';

/** The cookie of a session, with a text as its token. */
const withToken = ({ cookie }: OpenedSession, csrf: string) =>
  [
    ['Cookie', cookie],
    ['X-CSRF-Token', csrf],
  ] as const;

const foreignCookie = (cookie: string): string => `${cookie.split('=', 1)[0] ?? ''}=verify-none`;

/** Asks for a node that only few may see, with a cookie. */
const askWith = (context: CheckContext, cookie: string): Promise<Answer> => askHidden(context, ['Cookie', cookie]);

const sessions: readonly Rule<OpenedSession>[] = [
  contractRule('login')(
    'A login answers 200 with a session cookie, the account, and the tokens for writes and for the logout.',
    ({ answer }, { maker }) =>
      expectSame(memberOf(memberOf(answer.json, 'current_user'), 'name'), maker().name, '"current_user"'),
  ),
  referenceRule('uid-is-text', sources.recorded)(
    'The uid in the answer of a login is a text of digits.',
    ({ answer }) => {
      const uid = memberOf(memberOf(answer.json, 'current_user'), 'uid');
      expectThat(typeof uid === 'string' && /^\d+$/.test(uid), `"uid" is ${shown(uid)}.`);
    },
  ),
  referenceRule('cookie-attributes', sources.recorded)(
    'The session cookie is HttpOnly, for the path /, and SameSite.',
    ({ answer }) => {
      const line = answer.header('set-cookie') ?? '';
      for (const attribute of ['HttpOnly', 'Path=/', 'SameSite='])
        expectThat(new RegExp(`;\\s*${attribute}`, 'i').test(line), `The cookie has not ${attribute}.`);
    },
  ),
  contractRule('reads')(
    'The session cookie of an account lets in where the account may see a hidden node.',
    async ({ cookie }, context) => expectStatus(await askWith(context, cookie), 200),
  ),
  contractRule('among-other-cookies', 'RFC 6265 §5.4')(
    'The session cookie counts among other cookies.',
    async ({ cookie }, context) => expectStatus(await askWith(context, `a=b; ${cookie}; c=d`), 200),
  ),
  contractRule('two-sessions')(
    'A second login does not end the first session, and its cookie is another one.',
    async (first, context) => {
      const second = await openSession(context);
      expectThat(first.cookie !== second.cookie, 'Both sessions have one cookie.');
      for (const { cookie } of [first, second]) expectStatus(await askWith(context, cookie), 200);
    },
  ),
  referenceRule('stale-cookie', sources.recorded)(
    'A cookie of no session is a credential that is refused: 403, not 401.',
    async ({ cookie }, context) => expectForbidden(await askWith(context, foreignCookie(cookie))),
  ),
  referenceRule('stale-cookie-on-open', sources.recorded)(
    'What everybody may see is answered with 200 also to a cookie of no session.',
    async ({ cookie }, context) => expectStatus(await askOpen(context, ['Cookie', foreignCookie(cookie)]), 200),
  ),
  contractRule('writes')(
    'A write with the session cookie and the csrf_token of the login is that of the account.',
    async (session, context) => expectOwn(await postNode(context, ...withToken(session, session.csrf)), context),
  ),
  contractRule('session-token')(
    'The token of GET /session/token is taken as X-CSRF-Token of its session.',
    async (session, context) => {
      const answer = await context.ask({ path: '/session/token', headers: [['Cookie', session.cookie]], by: 'none' });
      expectSame(expectStatus(answer, 200).mediaType, 'text/plain', 'The media type');
      expectStatus(await postNode(context, ...withToken(session, answer.text)), 201);
    },
    { also: ['createNode', 'getSessionToken'] },
  ),
  referenceRule('token-of-another-session', sources.recorded)(
    'The X-CSRF-Token of another session is refused with 403.',
    async (session, context) => {
      const answer = await postNode(context, ...withToken(session, (await openSession(context)).csrf));
      expectForbidden(answer, 'X-CSRF-Token request header is invalid');
    },
  ),
  referenceRule('token-of-a-visitor', sources.recorded)(
    'The token that a visitor gets from /session/token is not that of a session.',
    async (session, context) => {
      const { text } = expectStatus(await context.ask({ path: '/session/token', by: 'none' }), 200);
      expectForbidden(await postNode(context, ...withToken(session, text)));
    },
    { also: ['createNode', 'getSessionToken'] },
  ),
  referenceRule('token-beside-basic', sources.recorded)(
    'A session cookie asks for X-CSRF-Token also when an Authorization header is sent.',
    async ({ cookie }, context) => {
      const sent = { headers: [['Cookie', cookie]] as const, json: context.workspace.nodeBody() };
      expectForbidden(await asMaker(context, 'POST', '/node', sent), 'X-CSRF-Token request header is missing');
    },
  ),
  referenceRule('login-status', sources.recorded)(
    '/user/login_status answers 1 with the cookie of a session, and 0 without.',
    async ({ cookie }, context) => expectSame([await statusOf(context, cookie), await statusOf(context)], ['1', '0']),
    { also: ['getLoginStatus'] },
  ),
];

const logout = (context: CheckContext, { cookie }: OpenedSession, token?: string): Promise<Answer> => {
  const query = token === undefined ? '' : `&token=${encodeURIComponent(token)}`;
  const path = `/user/logout?_format=json${query}`;
  return context.ask({ method: 'POST', path, headers: [['Cookie', cookie]], by: 'none' });
};

const logouts: readonly Rule<OpenedSession>[] = [
  contractRule('ends')(
    'A logout with the logout_token answers 204, and the cookie lets nobody in any more.',
    async (session, context) => {
      expectStatus(await logout(context, session, session.logout), 204);
      expectForbidden(await askWith(context, session.cookie));
      expectSame(await statusOf(context, session.cookie), '0', '/user/login_status');
    },
  ),
  contractRule('ends-one')('A logout ends its own session and no other of the account.', async (first, context) => {
    const { cookie } = await openSession(context);
    expectStatus(await logout(context, first, first.logout), 204);
    expectStatus(await askWith(context, cookie), 200);
  }),
  ...[['without', undefined, 'missing'] as const, ['wrong', 'verify-none', 'invalid'] as const].map(
    ([name, token, words]) =>
      referenceRule(`${name}-token`, sources.recorded)<OpenedSession>(
        `A logout ${name === 'wrong' ? 'with a wrong' : 'without a'} token answers 403, and the session goes on.`,
        async (session, context) => {
          expectForbidden(await logout(context, session, token), `'csrf_token' URL query argument is ${words}.`);
          expectStatus(await askWith(context, session.cookie), 200);
        },
      ),
  ),
];

/** Throws unless a login is refused with 400 and this message, and opens no session. */
const expectNoLogin = (answer: Answer, says: string): void => {
  expectRefusalThatSays(answer, 400, says);
  expectSame(answer.header('set-cookie'), undefined, 'The cookie');
};

const loginFault = (name: string, words: string, json: (name: string) => object, says: string): Rule =>
  referenceRule(name, sources.recorded)(`A login ${words} answers 400 and sets no cookie.`, async (context) =>
    expectNoLogin(await login(context, json(context.maker().name)), says),
  );

const unknown = 'unrecognized username or password';

const loginFaults: readonly Rule[] = [
  loginFault('empty', 'with an empty object', () => ({}), 'Missing credentials.'),
  loginFault('no-password', 'without a password', (name) => ({ name }), 'Missing credentials.pass.'),
  loginFault('no-name', 'without a name', () => ({ pass: 'x' }), 'Missing credentials.name.'),
  {
    ...loginFault('unknown-name', 'with the name of no account', () => ({ name: 'verify-nobody', pass: 'x' }), unknown),
    isExclusive: true,
  },
  contractRule('wrong-password')(
    'A login with a wrong password answers 400 and sets no cookie. The right one opens a session after it.',
    async (context) => {
      expectNoLogin(await login(context, { name: context.maker().name, pass: 'verify-none' }), unknown);
      await openSession(context);
    },
    { isExclusive: true },
  ),
  adviceRule('no-json', 'document: 400')('A login whose body is no JSON answers 400.', async ({ ask }) => {
    const headers = [['Content-Type', 'application/json']] as const;
    expectRefusal(await ask({ method: 'POST', path: inJson('/user/login'), headers, body: 'no JSON' }), 400);
  }),
  referenceRule('logged-in-already', sources.recorded)(
    'A login with the cookie of a session answers 403.',
    async (context) => {
      const headers = [['Cookie', (await openSession(context)).cookie]] as const;
      const { name, password } = context.maker();
      const json = { name, pass: password };
      const answer = await context.ask({ method: 'POST', path: inJson('/user/login'), headers, json, by: 'none' });
      expectForbidden(answer, 'This route can only be accessed by anonymous users.');
    },
  ),
  referenceRule('without-format', sources.recorded)('A login without _format opens no session.', async (context) => {
    const { name, password } = context.maker();
    const answer = await context.ask({ method: 'POST', path: '/user/login', json: { name, pass: password } });
    expectSame(answer.header('set-cookie'), undefined, 'The cookie');
  }),
];

const ofSessions = { operations: ['login'], source: sources.authentication, isWriting: true };

export const sessionChecks = (): readonly Check[] => [
  ...checksOf({ ...ofSessions, topic: 'session', see: sharedSession }, sessions),
  ...checksOf({ ...ofSessions, topic: 'logout', see: openSession }, logouts),
  ...authenticationChecks('login', loginFaults),
];
