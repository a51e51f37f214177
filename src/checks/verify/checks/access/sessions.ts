/** Opens sessions as clients do, and makes checks of them from rules. */
import type { HeaderLine } from '../../../../exchange/exchange.ts';
import { expectSame, expectStatus, expectThat, type Answer } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { memberOf, recordOf, valueIn } from '../../record-members.ts';
import { inJson } from '../writing/record-kinds.ts';
import { checksThatWrite, sources, type Rule } from '../../rule.ts';

export type OpenedSession = {
  readonly cookie: string;
  readonly csrf: string;
  readonly logout: string;
  /** To the login. */
  readonly answer: Answer;
};

/** `POST /user/login` with any JSON. */
export const login = (context: CheckContext, json: unknown): Promise<Answer> =>
  context.ask({ method: 'POST', path: '/user/login?_format=json', json });

/** Logs the maker in. Throws `CheckFailure` when that fails. */
export const openSession = async (context: CheckContext): Promise<OpenedSession> => {
  const { name, password } = context.maker();
  const answer = expectStatus(await login(context, { name, pass: password }), 200);
  const cookie = answer
    .headers('set-cookie')
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  expectThat(cookie !== '', 'The login sets no cookie.');
  const [csrf, logout] = [memberOf(answer.json, 'csrf_token'), memberOf(answer.json, 'logout_token')];
  expectThat(
    typeof csrf === 'string' && typeof logout === 'string',
    'The login answers no csrf_token or no logout_token.',
  );
  return { cookie, csrf, logout, answer };
};

/** A session that nobody ends. */
export const sharedSession = (context: CheckContext): Promise<OpenedSession> => context.once('session', openSession);

/** What `/user/login_status` says: `1` or `0`. */
export const statusOf = async (context: CheckContext, cookie?: string): Promise<string> => {
  const headers = cookie === undefined ? [] : [['Cookie', cookie] as const];
  const answer = await context.ask({ path: '/user/login_status?_format=json', headers, by: 'none' });
  return expectStatus(answer, 200).text;
};

/** The checks of rules about authentication, which are about these operations, too. */
export const authenticationChecks = (
  topic: string,
  rules: readonly Rule[],
  operations: readonly string[] = ['login'],
): readonly Check[] => checksThatWrite(rules, { topic, operations, source: sources.authentication });

/** A POST of a node, with the credentials in these headers alone. */
export const postNode = (context: CheckContext, ...headers: readonly HeaderLine[]): Promise<Answer> =>
  context.ask({ method: 'POST', path: inJson('/node'), json: context.workspace.nodeBody(), headers, by: 'none' });

/** Throws unless a node was made, by the account that makes everything. */
export const expectOwn = (answer: Answer, { subjects }: CheckContext): void => {
  const owner = valueIn(recordOf(expectStatus(answer, 201)), 'uid', 'target_id');
  expectSame(owner, valueIn(subjects.node.record, 'uid', 'target_id'), 'The owner');
};
