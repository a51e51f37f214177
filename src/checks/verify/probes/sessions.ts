/** Opens sessions as clients do. */
import { expectStatus, expectThat } from '../answer.ts';
import type { CheckContext } from '../check.ts';
import { memberOf } from '../record-members.ts';

type OpenedSession = { readonly cookie: string; readonly csrf: string; readonly logout: string };

/** Logs the maker in. Throws `CheckFailure` when that fails. */
export const openSession = async (context: CheckContext): Promise<OpenedSession> => {
  const { name, password } = context.maker();
  const json = { name, pass: password };
  const answer = expectStatus(await context.ask({ method: 'POST', path: '/user/login?_format=json', json }), 200);
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
  return { cookie, csrf, logout };
};

/** A session that nobody ends. */
export const sharedSession = (context: CheckContext): Promise<OpenedSession> => context.once('session', openSession);
