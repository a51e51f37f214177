/** Finds out with the first requests which accounts the target accepts. */
import type { Operation } from '../../core/document/operation.ts';
import { authorizationOf, type TargetAccount } from '../../exchange/accounts.ts';
import type { Sender } from '../../exchange/send.ts';
import { exchangeOver, logIn, logOut, SignInRefusal } from '../../exchange/session.ts';
import type { CheckResult } from './check-result.ts';

type TriedAccounts = { readonly accepted: readonly TargetAccount[]; readonly results: readonly CheckResult[] };

/** One request with a password. Its status tells whether it is the right one. */
type Trial = {
  readonly operation: string;
  readonly request: string;
  readonly statusFor: (account: TargetAccount, sender: Sender) => Promise<number>;
  readonly refusals: readonly number[];
};

const trials: readonly Trial[] = [
  {
    ...{ operation: 'getToken', request: 'GET /jwt/token', refusals: [401, 403] },
    statusFor: async (account, sender) => {
      const headers = authorizationOf(account);
      const path = '/jwt/token?_format=json';
      return (await sender.send({ method: 'GET', path, headers, account: account.name })).reply.status;
    },
  },
  {
    // A wrong password by Basic makes an anonymous visitor of somebody, who may see as much. So it is a login that tells.
    ...{ operation: 'login', request: 'POST /user/login', refusals: [400, 401, 403] },
    statusFor: async (account, sender) => {
      const exchange = exchangeOver(sender.baseUrl, async (request) => (await sender.send(request)).reply);
      try {
        await logOut(exchange, await logIn(exchange, account)).catch(() => undefined);
        return 200;
      } catch (error) {
        if (error instanceof SignInRefusal && error.status !== undefined) return error.status;
        throw error;
      }
    },
  },
];

/**
 * Tries the password of each account: with a request for a token, or else a login. Those that are refused are left out of the run,
 * each with a failed result; a published account of the site with a skipped one, for nobody has said that the target has it.
 * Where the site has neither, and for accounts with a token alone, nothing is tried.
 */
export const tryAccounts = async (
  accounts: readonly TargetAccount[],
  sender: Sender,
  operations: readonly Operation[],
): Promise<TriedAccounts> => {
  const trial = trials.find(({ operation }) => operations.some(({ id }) => id === operation));
  const accepted: TargetAccount[] = [];
  const results: CheckResult[] = [];
  for (const account of accounts) {
    const isTried = trial !== undefined && account.password !== undefined;
    const status = isTried ? await trial.statusFor(account, sender) : 200;
    if (isTried && trial.refusals.includes(status)) results.push(refusedResult(account, trial, status));
    else accepted.push(account);
  }
  return { accepted, results };
};

const refusedResult = ({ name, isPublished = false }: TargetAccount, trial: Trial, status: number): CheckResult => ({
  check: {
    name: `run.credentials.${name}`,
    rule: 'The target accepts the credentials that the run has.',
    source: 'contract: Authentication',
    severity: 'contract',
    operations: [trial.operation],
    isWriting: false,
  },
  ...{ verdict: isPublished ? 'skipped' : 'failed', severity: 'contract', broken: [], exchanges: [], durationMs: 0 },
  message: isPublished
    ? `The target does not have the demo account "${name}".`
    : `${trial.request} as "${name}" answered ${status}. Is this its password? The run goes on without this account.`,
});
