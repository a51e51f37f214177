/** Checks of sessions: what the cookie lets in, and its token for writes. */
import { expectSame, expectStatus, expectThat, shown } from '../../answer.ts';
import { type Check, contractRule, referenceRule } from '../../check.ts';
import { inJson } from '../writing/record-kinds.ts';
import { memberOf } from '../../record-members.ts';
import { sources } from '../writing/writing-check.ts';
import { askHidden, askOpen } from './basic-checks.ts';
import { expectForbidden } from './refusals.ts';
import {
  checksOf,
  expectOwn,
  login,
  openSession,
  postNode,
  sharedSession,
  statusOf,
  type OpenedSession,
  type Rule,
} from './sessions.ts';

/** The cookie of a session, with a text as its token. */
const withToken = ({ cookie }: OpenedSession, csrf: string) =>
  [
    ['Cookie', cookie],
    ['X-CSRF-Token', csrf],
  ] as const;

const foreignCookie = (cookie: string): string => `${cookie.split('=', 1)[0] ?? ''}=verify-none`;

const sessions: readonly Rule[] = [
  {
    ...contractRule('login'),
    rule: 'A login answers 200 with a session cookie, the account, and the tokens for writes and for the logout.',
    run: async (context) => {
      const user = memberOf((await sharedSession(context)).json, 'current_user');
      expectSame(memberOf(user, 'name'), context.maker().name, '"current_user"');
    },
  },
  {
    ...referenceRule('uid-is-text', sources.recorded),
    rule: 'The uid in the answer of a login is a text of digits.',
    run: async (context) => {
      const uid = memberOf(memberOf((await sharedSession(context)).json, 'current_user'), 'uid');
      expectThat(typeof uid === 'string' && /^\d+$/.test(uid), `"uid" is ${shown(uid)}.`);
    },
  },
  {
    ...referenceRule('cookie-attributes', sources.recorded),
    rule: 'The session cookie is HttpOnly, for the path /, and SameSite.',
    run: async (context) => {
      const { name, password } = context.maker();
      const line = (await login(context, { name, pass: password })).header('set-cookie') ?? '';
      for (const attribute of ['HttpOnly', 'Path=/', 'SameSite='])
        expectThat(new RegExp(`;\\s*${attribute}`, 'i').test(line), `The cookie has not ${attribute}.`);
    },
  },
  {
    ...contractRule('reads'),
    rule: 'The session cookie of an account lets in where the account may see a hidden node.',
    run: async (context) =>
      expectStatus(await askHidden(context, ['Cookie', (await sharedSession(context)).cookie]), 200),
  },
  {
    ...contractRule('among-other-cookies', 'RFC 6265 §5.4'),
    rule: 'The session cookie counts among other cookies.',
    run: async (context) => {
      const { cookie } = await sharedSession(context);
      expectStatus(await askHidden(context, ['Cookie', `a=b; ${cookie}; c=d`]), 200);
    },
  },
  {
    ...contractRule('two-sessions'),
    rule: 'A second login does not end the first session, and its cookie is another one.',
    run: async (context) => {
      const [first, second] = [await sharedSession(context), await openSession(context)];
      expectThat(first.cookie !== second.cookie, 'Both sessions have one cookie.');
      for (const { cookie } of [first, second]) expectStatus(await askHidden(context, ['Cookie', cookie]), 200);
    },
  },
  {
    ...referenceRule('stale-cookie', sources.recorded),
    rule: 'A cookie of no session is a credential that is refused: 403, not 401.',
    run: async (context) => {
      const { cookie } = await sharedSession(context);
      expectForbidden(await askHidden(context, ['Cookie', foreignCookie(cookie)]));
    },
  },
  {
    ...referenceRule('stale-cookie-on-open', sources.recorded),
    rule: 'What everybody may see is answered with 200 also to a cookie of no session.',
    run: async (context) => {
      const { cookie } = await sharedSession(context);
      expectStatus(await askOpen(context, ['Cookie', foreignCookie(cookie)]), 200);
    },
  },
  {
    ...contractRule('writes'),
    rule: 'A write with the session cookie and the csrf_token of the login is that of the account.',
    run: async (context) => {
      const session = await sharedSession(context);
      expectOwn(await postNode(context, ...withToken(session, session.csrf)), context);
    },
  },
  {
    ...contractRule('session-token'),
    operations: ['login', 'createNode', 'getSessionToken'],
    rule: 'The token of GET /session/token is taken as X-CSRF-Token of its session.',
    run: async (context) => {
      const session = await sharedSession(context);
      const answer = await context.ask({ path: '/session/token', headers: [['Cookie', session.cookie]], by: 'none' });
      expectSame(expectStatus(answer, 200).mediaType, 'text/plain', 'The media type');
      expectStatus(await postNode(context, ...withToken(session, answer.text)), 201);
    },
  },
  {
    ...referenceRule('token-of-another-session', sources.recorded),
    rule: 'The X-CSRF-Token of another session is refused with 403.',
    run: async (context) => {
      const [first, second] = [await sharedSession(context), await openSession(context)];
      const answer = await postNode(context, ...withToken(first, second.csrf));
      expectForbidden(answer, 'X-CSRF-Token request header is invalid');
    },
  },
  {
    ...referenceRule('token-of-a-visitor', sources.recorded),
    operations: ['login', 'createNode', 'getSessionToken'],
    rule: 'The token that a visitor gets from /session/token is not that of a session.',
    run: async (context) => {
      const session = await sharedSession(context);
      const { text } = expectStatus(await context.ask({ path: '/session/token', by: 'none' }), 200);
      expectForbidden(await postNode(context, ...withToken(session, text)));
    },
  },
  {
    ...referenceRule('token-beside-basic', sources.recorded),
    rule: 'A session cookie asks for X-CSRF-Token also when an Authorization header is sent.',
    run: async (context) => {
      const headers = [['Cookie', (await sharedSession(context)).cookie]] as const;
      const json = context.workspace.nodeBody();
      const asked = { method: 'POST', path: inJson('/node'), json, headers, as: context.maker() };
      expectForbidden(await context.ask(asked), 'X-CSRF-Token request header is missing');
    },
  },
  {
    ...referenceRule('login-status', sources.recorded),
    operations: ['login', 'getLoginStatus'],
    rule: '/user/login_status answers 1 with the cookie of a session, and 0 without.',
    run: async (context) => {
      const { cookie } = await sharedSession(context);
      expectSame([await statusOf(context, cookie), await statusOf(context)], ['1', '0']);
    },
  },
];

export const sessionChecks = (): readonly Check[] => checksOf('session', sessions);
