/** Finds out with the first requests which accounts the target accepts. */
import type { Operation } from '../../core/document/operation.ts';
import { authorizationOf, type TargetAccount } from '../../exchange/accounts.ts';
import type { Sender } from '../../exchange/send.ts';
import type { CheckResult } from './check-result.ts';

type TriedAccounts = { readonly accepted: readonly TargetAccount[]; readonly results: readonly CheckResult[] };

/**
 * Asks for a token with the password of each account. Those that are refused (401, 403) are left out of the run, each with a
 * failed result. Without an operation for tokens, and for accounts with a token alone, nothing is tried.
 */
export const tryAccounts = async (
  accounts: readonly TargetAccount[],
  sender: Sender,
  operations: readonly Operation[],
): Promise<TriedAccounts> => {
  const hasTokens = operations.some(({ id }) => id === 'getToken');
  const accepted: TargetAccount[] = [];
  const results: CheckResult[] = [];
  for (const account of accounts) {
    const isTried = hasTokens && account.password !== undefined;
    const status = isTried ? await statusFor(account, sender) : undefined;
    if (status === 401 || status === 403) results.push(refusedResult(account, status));
    else accepted.push(account);
  }
  return { accepted, results };
};

const statusFor = async (account: TargetAccount, sender: Sender): Promise<number> => {
  const headers = authorizationOf(account);
  const { reply } = await sender.send({
    method: 'GET',
    path: '/jwt/token?_format=json',
    headers,
    account: account.name,
  });
  return reply.status;
};

const refusedResult = ({ name }: TargetAccount, status: number): CheckResult => ({
  check: {
    name: `run.credentials.${name}`,
    rule: 'The target accepts the credentials that the run has.',
    source: 'contract: Authentication',
    severity: 'contract',
    operations: ['getToken'],
    isWriting: false,
  },
  ...{ verdict: 'failed', severity: 'contract', broken: [], exchanges: [], durationMs: 0 },
  message: `GET /jwt/token as "${name}" answered ${status}. Is this its password? The run goes on without this account.`,
});
