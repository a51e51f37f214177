/** Runs checks, several at a time, and tells what became of each. */
import { inParallel } from '../../basics/semaphore.ts';
import { TargetError } from '../../exchange/exchange.ts';
import { CheckFailure, CheckSkip } from './answer.ts';
import { type Asking, type AskingParts, createAsking, type JudgedAnswer } from './requests.ts';
import { createSeenReads } from './seen-reads.ts';
import { contextWith, type SharedSteps } from './shared-steps.ts';
import type { OnPurpose } from '../differences/on-purpose.ts';
import { type CheckResult, plainResult, type Verdict } from './check-result.ts';
import type { Check, CheckContext } from './check.ts';
import { brokenWords, groupBroken } from './reports/grouped-broken.ts';
import { showBroken, showExchange } from './reports/shown-exchange.ts';

export const preparationResult = (asking: Asking, failures: readonly string[], parts: AskingParts): CheckResult => {
  const check = {
    name: 'run.preparation',
    rule: 'Nodes and media of every kind can be made, and read by the account that made them.',
    source: 'contract: Nodes, Create; Upload',
    severity: 'contract',
    operations: ['createNode', 'putNodeMedia'],
    isWriting: true,
  } as const;
  const verdict = failures.length > 0 ? 'failed' : 'passed';
  return resultOf(check, { asking, parts, verdict, message: failures.join('\n'), durationMs: 0 });
};

/** What the answers break of the document: one failure for each violation, however many checks met it. */
export const documentResults = (results: readonly CheckResult[]): readonly CheckResult[] =>
  groupBroken(results).map(({ broken }, at) => {
    const { operation, status, rule, request } = broken;
    const name = `document.${operation}.${status}.${rule}.${at + 1}`;
    const about = { source: 'document: responses', severity: 'contract', operations: [operation] } as const;
    const check = { ...{ name, rule: 'Every answer keeps the document.', isWriting: false }, ...about };
    return plainResult(check, 'failed', `${request} answered ${status}: ${brokenWords(broken)}.`);
  });

type CheckRun = {
  readonly parts: AskingParts;
  /** What every check is given besides `ask`. */
  readonly context: Omit<CheckContext, 'ask' | 'once' | 'again'>;
  readonly allowsWrites: boolean;
  /** How many checks run at a time. */
  readonly parallel: number;
  /** The longest time of one check, in milliseconds. */
  readonly checkMs: number;
  /** Ends the run: what has not begun is not run any more. */
  readonly signal: AbortSignal;
  /** Whether the target still answers anything. */
  readonly isThere: () => Promise<boolean>;
  readonly onResult?: ((result: CheckResult) => void) | undefined;
};

/** `gone`: the error with which the target stopped to answer, which ended the run. */
type CheckRunEnd = { readonly results: readonly CheckResult[]; readonly gone: TargetError | undefined };

/**
 * The results are in the order of the checks. Checks that only read run first, then those that write, one after another, then those that
 * want to be alone. A check that throws what it should not has the verdict `error`.
 */
export const runChecks = async (checks: readonly Check[], run: CheckRun): Promise<CheckRunEnd> => {
  const results = new Map<Check, CheckResult>();
  const ending = new AbortController();
  const signal = AbortSignal.any([run.signal, ending.signal]);
  const steps: SharedSteps = new Map();
  let gone: TargetError | undefined;
  const isEnded = (): boolean => signal.aborted;
  const runOne = async (check: Check): Promise<void> => {
    if (isEnded()) return;
    const { result, error } = await runCheck(check, { ...run, signal }, steps);
    if (isEnded()) return;
    if (error instanceof TargetError && !(await run.isThere())) {
      gone ??= error;
      ending.abort();
      return;
    }
    results.set(check, result);
    run.onResult?.(result);
  };
  const isExclusive = (check: Check): boolean => check.isExclusive === true;
  const shared = checks.filter((check) => !isExclusive(check));
  const reading = shared.filter(({ isWriting }) => !isWriting);
  await inParallel(reading, run.parallel, runOne);
  for (const check of [...shared.filter(({ isWriting }) => isWriting), ...checks.filter(isExclusive)])
    await runOne(check);
  return { results: checks.flatMap((check) => results.get(check) ?? []), gone };
};

type Ended = { readonly result: CheckResult; readonly error: unknown };

const runCheck = async (check: Check, run: CheckRun, steps: SharedSteps): Promise<Ended> => {
  const began = performance.now();
  const timeUp = new AbortController();
  const signal = AbortSignal.any([run.signal, timeUp.signal]);
  const seen = check.isExclusive === true ? createSeenReads<JudgedAnswer>() : run.parts.seen;
  const asking = createAsking({ ...run.parts, seen }, signal);
  const timer = setTimeout(() => timeUp.abort(), run.checkMs);
  let error: unknown;
  try {
    passOver(check, run);
    // A check that waits for something else than the target is given up, too.
    await Promise.race([check.run(contextWith(steps, asking, run.context)), aborted(signal)]);
  } catch (thrown) {
    error = timeUp.signal.aborted ? new CheckFailure(`It took more than ${run.checkMs / 1000} seconds.`) : thrown;
  } finally {
    clearTimeout(timer);
    await asking.settled();
  }
  const { parts } = run;
  const row = error instanceof CheckFailure && parts.onPurpose ? rowFor(check, error, parts.onPurpose) : undefined;
  const verdict = row === undefined ? verdictOf(error) : 'skipped';
  const message = row === undefined ? messageOf(error, verdict) : onPurposeWords(row);
  return { result: resultOf(check, { asking, parts, verdict, message, durationMs: performance.now() - began }), error };
};

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const give = (): void => reject(new CheckSkip('The run was ended.'));
    if (signal.aborted) give();
    signal.addEventListener('abort', give, { once: true });
  });

/** Throws a `CheckSkip` for a check that has no sense here. */
const passOver = (check: Check, { allowsWrites, parts, context: { judge } }: CheckRun): void => {
  const ids = new Set(judge.operations.map(({ id }) => id));
  const missing = check.operations.filter((id) => !ids.has(id));
  if (missing.length > 0) throw new CheckSkip(`The document of this site has no ${missing.join(', ')}.`);
  if (check.isWriting && !allowsWrites) throw new CheckSkip('It writes, which --allow-writes allows.');
  // What a real site takes, where a refusal is wanted, could leave something that nobody finds again.
  const row = check.isWriting ? parts.onPurpose?.about(check.source) : undefined;
  if (row !== undefined) throw new CheckSkip(onPurposeWords(row));
};

type Outcome = Pick<CheckResult, 'verdict' | 'durationMs'> & {
  readonly asking: Asking;
  readonly parts: AskingParts;
  readonly message: string;
};

const resultOf = (
  { name, rule, source, severity, operations, isWriting }: CheckResult['check'],
  { asking, parts, verdict, message, durationMs }: Outcome,
): CheckResult => {
  const { redaction } = parts;
  const isShown = verdict === 'failed' || verdict === 'error';
  return {
    check: { name, rule, source, severity, operations, isWriting },
    ...{ verdict, severity, durationMs },
    message: verdict === 'passed' ? undefined : redaction.text(message),
    broken: asking.broken.map((one) => showBroken(one, redaction)),
    exchanges: isShown ? asking.exchanges.map((exchange) => showExchange(exchange, parts)) : [],
  };
};

const onPurposeWords = ({ question }: { readonly question: string }): string =>
  `A real site differs on purpose: ${question}.`;

/** Why a real site need not keep the rule. */
const rowFor = ({ source }: Check, { deviations }: CheckFailure, { explains, about }: OnPurpose) =>
  deviations.map(explains).find(isThere) ?? about(source);

const messageOf = (error: unknown, verdict: Verdict): string => {
  if (!(error instanceof Error)) return `It threw ${JSON.stringify(error)}.`;
  // An error of the program is for its developers.
  return verdict === 'error' ? (error.stack ?? error.message) : error.message;
};

const isThere = <T>(value: T | undefined): value is T => value !== undefined;

/** A check judges its own sentence. What its answers break of the document is a result of its own. */
const verdictOf = (error: unknown): Verdict => {
  const isKnown = error instanceof CheckFailure || error instanceof CheckSkip || error instanceof TargetError;
  if (error !== undefined && !isKnown) return 'error';
  if (error instanceof CheckFailure || error instanceof TargetError) return 'failed';
  return error === undefined ? 'passed' : 'skipped';
};
