/** Checks of logins that are refused, and of logouts. */
import { expectRefusal, expectStatus, expectThat, shown, type Answer } from '../../answer.ts';
import { adviceRule, type Check, type CheckContext, contractRule, referenceRule } from '../../check.ts';
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
      const status = await statusOf(context, session.cookie);
      expectThat(status === '0', `/user/login_status is ${shown(status)}.`);
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
  {
    ...referenceRule('without-token', sources.recorded),
    rule: 'A logout without a token answers 403, and the session goes on.',
    run: async (context) => {
      const session = await openSession(context);
      const message = expectForbidden(await logout(context, session));
      expectThat(message === "'csrf_token' URL query argument is missing.", `The message is ${shown(message)}.`);
      expectStatus(await askHidden(context, ['Cookie', session.cookie]), 200);
    },
  },
  {
    ...referenceRule('wrong-token', sources.recorded),
    rule: 'A logout with a wrong token answers 403, and the session goes on.',
    run: async (context) => {
      const session = await openSession(context);
      const message = expectForbidden(await logout(context, session, 'verify-none'));
      expectThat(message === "'csrf_token' URL query argument is invalid.", `The message is ${shown(message)}.`);
      expectStatus(await askHidden(context, ['Cookie', session.cookie]), 200);
    },
  },
];

const loginFault = (name: string, words: string, json: (context: CheckContext) => unknown, says: string): Rule => ({
  ...referenceRule(name, sources.recorded),
  rule: `A login ${words} answers 400 and sets no cookie.`,
  run: async (context) => {
    const answer = await login(context, json(context));
    const message = expectRefusal(answer, 400);
    expectThat(message === says, `The message is ${shown(message)}, not ${shown(says)}.`);
    expectThat(answer.header('set-cookie') === undefined, 'It sets a cookie.');
  },
});

const loginFaults: readonly Rule[] = [
  loginFault('empty', 'with an empty object', () => ({}), 'Missing credentials.'),
  loginFault(
    'no-password',
    'without a password',
    (context) => ({ name: context.maker().name }),
    'Missing credentials.pass.',
  ),
  loginFault('no-name', 'without a name', () => ({ pass: 'x' }), 'Missing credentials.name.'),
  {
    ...loginFault(
      'unknown-name',
      'with the name of no account',
      () => ({ name: 'verify-nobody', pass: 'x' }),
      'Sorry, unrecognized username or password.',
    ),
    isExclusive: true,
  },
  {
    ...contractRule('wrong-password'),
    isExclusive: true,
    rule: 'A login with a wrong password answers 400 and sets no cookie. The right one opens a session after it.',
    run: async (context) => {
      const answer = await login(context, { name: context.maker().name, pass: 'verify-none' });
      const message = expectRefusal(answer, 400);
      expectThat(/unrecognized username or password/i.test(message), `The message is ${shown(message)}.`);
      expectThat(answer.header('set-cookie') === undefined, 'It sets a cookie.');
      await openSession(context);
    },
  },
  {
    ...adviceRule('no-json', 'document: 400'),
    rule: 'A login whose body is no JSON answers 400.',
    run: async (context) => {
      const headers = [['Content-Type', 'application/json']] as const;
      expectRefusal(
        await context.ask({ method: 'POST', path: '/user/login?_format=json', headers, body: 'no JSON' }),
        400,
      );
    },
  },
  {
    ...referenceRule('logged-in-already', sources.recorded),
    rule: 'A login with the cookie of a session answers 403.',
    run: async (context) => {
      const { cookie } = await openSession(context);
      const { name, password } = context.maker();
      const headers = [['Cookie', cookie]] as const;
      const json = { name, pass: password };
      const message = expectForbidden(
        await context.ask({ method: 'POST', path: '/user/login?_format=json', headers, json, by: 'none' }),
      );
      expectThat(
        message === 'This route can only be accessed by anonymous users.',
        `The message is ${shown(message)}.`,
      );
    },
  },
  {
    ...referenceRule('without-format', sources.recorded),
    rule: 'A login without _format opens no session.',
    run: async (context) => {
      const { name, password } = context.maker();
      const answer = await context.ask({ method: 'POST', path: '/user/login', json: { name, pass: password } });
      expectThat(answer.header('set-cookie') === undefined, 'It sets a cookie.');
    },
  },
];

export const loginChecks = (): readonly Check[] => [...checksOf('logout', logouts), ...checksOf('login', loginFaults)];
