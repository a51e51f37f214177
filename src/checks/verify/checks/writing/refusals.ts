/** Says which refusal an operation owes to a visitor and to an account: 401 with a challenge, or 403. */
import { CheckFailure, expectRefusal, expectSame, expectStatus, expectThat, shown, type Answer } from '../../answer.ts';
import type { ProviderName } from '../../../../repository/repository.ts';
import type { TargetAccount } from '../../../../exchange/exchange-target.ts';
import type { CheckContext } from '../../check.ts';
import { memberOf } from '../../record-members.ts';

/** Whether the site's document lets an operation be asked in this way. */
const accepts = ({ judge }: CheckContext, operation: string, provider: ProviderName): boolean =>
  judge.operations.find(({ id }) => id === operation)?.providers.includes(provider) === true;

/** The status for a request without credentials: 401 where Basic is taken, as only Basic has a challenge. */
export const anonymousStatus = (context: CheckContext, operation: string): 401 | 403 =>
  accepts(context, operation, 'basic_auth') ? 401 : 403;

/** Throws unless the answer is what somebody without credentials gets. */
const expectUnauthenticated = (context: CheckContext, operation: string, answer: Answer): void => {
  const status = anonymousStatus(context, operation);
  const isHead = answer.exchange.request.method === 'HEAD';
  if (isHead) expectStatus(answer, status);
  else expectRefusal(answer, status);
  if (status === 403) return;
  const challenge = answer.header('www-authenticate') ?? '';
  expectThat(/^Basic realm=/i.test(challenge), `WWW-Authenticate is ${shown(challenge)} (RFC 9110 §15.5.2).`);
};

/**
 * Throws unless the answer is a 403 with a message, and with this one where it is named; it may be empty where the real service gives no
 * reason.
 */
const expectForbidden = (answer: Answer, says?: string): string => {
  expectStatus(answer, 403);
  if (answer.exchange.request.method === 'HEAD') return '';
  const message = memberOf(answer.json, 'message');
  if (typeof message !== 'string')
    throw new CheckFailure(`The 403 has no JSON with a message, but ${shown(answer.text)}.`);
  if (says !== undefined) expectSame(message, says, 'The message');
  return message;
};

/** Throws unless the answer is what an account without the permission gets: a visitor 401, all others 403. */
export const expectDenied = (
  context: CheckContext,
  operation: string,
  account: TargetAccount,
  answer: Answer,
): void => {
  if (account.name === 'anonymous') expectUnauthenticated(context, operation, answer);
  else expectForbidden(answer);
};
