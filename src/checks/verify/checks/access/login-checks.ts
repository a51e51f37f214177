/** Checks of logins that are refused, and of logouts. */
import { expectRefusal, expectRefusalThatSays, expectSame, expectStatus, type Answer } from '../../answer.ts';
import { adviceRule, type Check, type CheckContext, contractRule, referenceRule } from '../../check.ts';
import { inJson } from '../writing/record-kinds.ts';
import { sources } from '../writing/writing-check.ts';
import { askHidden } from './basic-checks.ts';
import { expectForbidden } from './refusals.ts';
import { checksOf, login, openSession, statusOf, type OpenedSession, type Rule } from './sessions.ts';

const logout = (context: CheckContext, { cookie }: OpenedSession, token?: string): Promise<Answer> => {
  const query = token === undefined ? '' : `&token=${encodeURIComponent(token)}`;
  const path = `/user/logout?_format=json${query}`;
  return context.ask({ method: 'POST', path, headers: [['Cookie', cookie]], by: 'none' });
};

const logouts: readonly Rule[] = [
  {
    ...contractRule('ends'),
    rule: 'A logout with the logout_token answers 204, and the cookie lets nobody in any more.',
    run: async (context) => {
      const session = await openSession(context);
      expectStatus(await logout(context, session, session.logout), 204);
      expectForbidden(await askHidden(context, ['Cookie', session.cookie]));
      expectSame(await statusOf(context, session.cookie), '0', '/user/login_status');
    },
  },
  {
    ...contractRule('ends-one'),
    rule: 'A logout ends its own session and no other of the account.',
    run: async (context) => {
      const [first, second] = [await openSession(context), await openSession(context)];
      expectStatus(await logout(context, first, first.logout), 204);
      expectStatus(await askHidden(context, ['Cookie', second.cookie]), 200);
    },
  },
  ...[['without', undefined, 'missing'] as const, ['wrong', 'verify-none', 'invalid'] as const].map(
    ([name, token, words]): Rule => ({
      ...referenceRule(`${name}-token`, sources.recorded),
      rule: `A logout ${name === 'wrong' ? 'with a wrong' : 'without a'} token answers 403, and the session goes on.`,
      run: async (context) => {
        const session = await openSession(context);
        expectForbidden(await logout(context, session, token), `'csrf_token' URL query argument is ${words}.`);
        expectStatus(await askHidden(context, ['Cookie', session.cookie]), 200);
      },
    }),
  ),
];

/** Throws unless a login is refused with 400 and this message, and opens no session. */
const expectNoLogin = (answer: Answer, says: string): void => {
  expectRefusalThatSays(answer, 400, says);
  expectSame(answer.header('set-cookie'), undefined, 'The cookie');
};

const loginFault = (name: string, words: string, json: (name: string) => object, says: string): Rule => ({
  ...referenceRule(name, sources.recorded),
  rule: `A login ${words} answers 400 and sets no cookie.`,
  run: async (context) => expectNoLogin(await login(context, json(context.maker().name)), says),
});

const unknown = 'unrecognized username or password';

const loginFaults: readonly Rule[] = [
  loginFault('empty', 'with an empty object', () => ({}), 'Missing credentials.'),
  loginFault('no-password', 'without a password', (name) => ({ name }), 'Missing credentials.pass.'),
  loginFault('no-name', 'without a name', () => ({ pass: 'x' }), 'Missing credentials.name.'),
  {
    ...loginFault('unknown-name', 'with the name of no account', () => ({ name: 'verify-nobody', pass: 'x' }), unknown),
    isExclusive: true,
  },
  {
    ...contractRule('wrong-password'),
    isExclusive: true,
    rule: 'A login with a wrong password answers 400 and sets no cookie. The right one opens a session after it.',
    run: async (context) => {
      expectNoLogin(await login(context, { name: context.maker().name, pass: 'verify-none' }), unknown);
      await openSession(context);
    },
  },
  {
    ...adviceRule('no-json', 'document: 400'),
    rule: 'A login whose body is no JSON answers 400.',
    run: async ({ ask }) => {
      const headers = [['Content-Type', 'application/json']] as const;
      expectRefusal(await ask({ method: 'POST', path: inJson('/user/login'), headers, body: 'no JSON' }), 400);
    },
  },
  {
    ...referenceRule('logged-in-already', sources.recorded),
    rule: 'A login with the cookie of a session answers 403.',
    run: async (context) => {
      const headers = [['Cookie', (await openSession(context)).cookie]] as const;
      const { name, password } = context.maker();
      const json = { name, pass: password };
      const answer = await context.ask({ method: 'POST', path: inJson('/user/login'), headers, json, by: 'none' });
      expectForbidden(answer, 'This route can only be accessed by anonymous users.');
    },
  },
  {
    ...referenceRule('without-format', sources.recorded),
    rule: 'A login without _format opens no session.',
    run: async (context) => {
      const { name, password } = context.maker();
      const answer = await context.ask({ method: 'POST', path: '/user/login', json: { name, pass: password } });
      expectSame(answer.header('set-cookie'), undefined, 'The cookie');
    },
  },
];

export const loginChecks = (): readonly Check[] => [...checksOf('logout', logouts), ...checksOf('login', loginFaults)];
