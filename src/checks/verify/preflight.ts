/** Finds out with the first requests whether the target is such a server at all. */
import type { Operation } from '../../core/document/operation.ts';
import { authorizationOf, type TargetAccount } from '../../exchange/accounts.ts';
import { createSender, type Sender, type SenderOptions } from '../../exchange/send.ts';
import { TargetError } from '../../exchange/target-errors.ts';
import { type Answer, answerOf } from './answer.ts';
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

/** No answer to these requests is as long. */
const longestAnswer = 1024 * 1024;

const probes = ['/node/1?_format=json', '/user/login_status?_format=json', '/session/token'];

/** Throws a `TargetError` with one clear line unless one of the first answers is that of a REST interface. */
export const examineTarget = async (options: SenderOptions, signal?: AbortSignal): Promise<void> => {
  const silenceMs = options.silenceMs ?? 30_000;
  // A target that sends a byte now and then is never silent.
  const sender = createSender({
    ...options,
    maxBytes: longestAnswer,
    keptBytes: longestAnswer,
    totalMs: silenceMs * 2,
  });
  try {
    let first: string | undefined;
    for (const path of probes) {
      const answer = answerOf(await sender.send({ method: 'GET', path, signal }), options.baseUrl);
      const reason = reasonAgainst(answer, path);
      if (reason === undefined) return;
      first ??= reason;
    }
    throw new TargetError(`${options.baseUrl}: ${first ?? ''}`);
  } finally {
    sender.close();
  }
};

/** Whether the target answers anything now. */
export const isAnswering = async (options: SenderOptions): Promise<boolean> => {
  const sender = createSender({
    ...options,
    maxBytes: longestAnswer,
    keptBytes: 0,
    totalMs: 10_000,
    silenceMs: 10_000,
  });
  try {
    await sender.send({ method: 'GET', path: '/session/token' });
    return true;
  } catch {
    return false;
  } finally {
    sender.close();
  }
};

const reasonAgainst = (answer: Answer, path: string): string | undefined => {
  const { status, mediaType, json } = answer;
  const body = answer.exchange.reply.body;
  if (status >= 300 && status < 400) {
    const location = answer.header('location') ?? 'nowhere';
    return `it redirects to ${location.slice(0, 200)}. Name the address where the repository itself answers.`;
  }
  if (!body.isWhole) return `its answer to ${path} is longer than 1 MiB, so it is no REST interface of a repository.`;
  if (/html/.test(mediaType)) {
    return `it answers HTML in place of JSON (${status}). Is the address right, and is the REST interface on?`;
  }
  if (/[/+]json$/.test(mediaType) && json !== undefined) return undefined;
  if (status === 200 && mediaType === 'text/plain' && isToken(answer.text)) return undefined;
  return `its answer to ${path} is ${status} with ${mediaType === '' ? 'no media type' : mediaType}, not JSON. This is no REST interface of a repository.`;
};

/** The text of `/session/token`, or `0` and `1` of `/user/login_status`. */
const isToken = (text: string): boolean => /^([01]|[\w-]{20,100})$/.test(text.trim());
