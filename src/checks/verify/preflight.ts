/** Finds out with the first requests which accounts the target accepts. */
import type { Operation } from '../../repository/repository-engine.ts';
import {
  type TargetAccount,
  type Sender,
  SignInRefusal,
  createSignIns,
  type SignIns,
} from '../../exchange/exchange-target.ts';
import { type CheckResult, plainResult } from './check-result.ts';

type TriedAccounts = { readonly accepted: readonly TargetAccount[]; readonly results: readonly CheckResult[] };

/** One request with a password. Its status tells whether it is the right one. */
type Trial = {
  readonly operation: string;
  readonly request: string;
  readonly signIn: (signIns: SignIns, account: TargetAccount) => Promise<unknown>;
  readonly refusals: readonly number[];
};

const trials: readonly Trial[] = [
  {
    ...{ operation: 'getToken', request: 'GET /jwt/token' },
    refusals: [401, 403],
    // Its password is tried, also where it has a token.
    signIn: (signIns, account) => signIns.bearer({ ...account, token: undefined }),
  },
  {
    // A wrong password by Basic makes an anonymous visitor of somebody, who may see as much. So it is a login that tells.
    ...{ operation: 'login', request: 'POST /user/login', refusals: [400, 401, 403] },
    signIn: async (signIns, account) => signIns.logOut(await signIns.logIn(account)).catch(() => undefined),
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
  const ask = async (request: Parameters<Sender['send']>[0]) => (await sender.send(request)).reply;
  const signIns = createSignIns({ baseUrl: sender.baseUrl, ask });
  const accepted: TargetAccount[] = [];
  const results: CheckResult[] = [];
  for (const account of accounts) {
    const isTried = trial !== undefined && account.password !== undefined;
    const status = isTried ? await statusOf(trial.signIn(signIns, account)) : 200;
    if (isTried && trial.refusals.includes(status)) results.push(refusedResult(account, trial, status));
    else accepted.push(account);
  }
  return { accepted, results };
};

const statusOf = async (signedIn: Promise<unknown>): Promise<number> => {
  try {
    await signedIn;
    return 200;
  } catch (error) {
    if (error instanceof SignInRefusal && error.status !== undefined) return error.status;
    throw error;
  }
};

const refusedResult = ({ name, isPublished = false }: TargetAccount, trial: Trial, status: number): CheckResult => {
  const check = {
    name: `run.credentials.${name}`,
    rule: 'The target accepts the credentials that the run has.',
    ...({ source: 'contract: Authentication', severity: 'contract', isWriting: false } as const),
    operations: [trial.operation],
  };
  if (isPublished) return plainResult(check, 'skipped', `The target does not have the demo account "${name}".`);
  const words = 'Is this its password? The run goes on without this account.';
  return plainResult(check, 'failed', `${trial.request} as "${name}" answered ${status}. ${words}`);
};
