/** Verifies a server: examines it, makes or finds what checks look at, runs them, and removes everything that it made. */
import { randomBytes } from 'node:crypto';
import { operationsOf } from '../../repository/repository-engine.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import {
  type TargetAccount,
  anonymousAccount,
  examineTarget,
  isAnswering,
  createSender,
  type Sender,
} from '../../exchange/exchange-target.ts';
import type { OpenedTarget } from '../target/open-target.ts';
import type { TargetError } from '../../exchange/exchange.ts';
import { mayOn, mostPermittedOf } from './account-permissions.ts';
import { CheckSkip } from './answer.ts';
import { createAsking, askingPartsFor, type Asking, type AskingParts } from './requests.ts';
import type { Check, CheckContext, Subjects, Workspace } from './check.ts';
import { countResults, plainResult, type CheckCounts, type CheckResult } from './check-result.ts';
import { createExplain } from '../differences/explain.ts';
import { createOnPurpose } from '../differences/on-purpose.ts';
import { documentResults, preparationResult, runChecks } from './run-checks.ts';
import { allChecks, chosenChecks } from './checks/all-checks.ts';
import { derivativeSources } from './derivative-sources.ts';
import { discover, subjectsOf } from './discovery.ts';
import { tryAccounts } from './preflight.ts';
import { beginJournal, journalFileOf, type Journal } from './workspace/journal.ts';
import { createMakingWatch } from './workspace/making-watch.ts';
import { prepare, PreparationFailure } from './workspace/prepare.ts';
import { removeAll } from './workspace/clean-up.ts';
import { mediaWithFile, type Removal } from './workspace/removal.ts';
import { noWorkspace } from './workspace/workspace.ts';
import { nameAt } from './workspace/known-terms.ts';
import { openReference } from './probes/reference.ts';

/** How a run writes. Everything is optional. */
export type WritingOptions = {
  /** The beginning of the titles of everything that is made. Default: `atoll-verify`, the time, and four random bytes. */
  readonly label?: string | undefined;
  /** The id of an existing node, below which everything is made. */
  readonly container?: number | undefined;
  /** The file that lists everything that was made. Default: below `.atoll-verify` in the working directory. */
  readonly journal?: string | undefined;
  /** Ids of terms, where the target's look-ups find none. */
  readonly useTerm?: number | undefined;
  readonly modelTerm?: number | undefined;
};

export type VerificationOptions = {
  readonly opened: OpenedTarget;
  /** Undefined: the run only reads. */
  readonly writing?: WritingOptions | undefined;
  /** Where a look around begins, such as `/node/5`. */
  readonly from?: readonly string[] | undefined;
  /** Patterns of names and operations; all when undefined. */
  readonly only?: readonly string[] | undefined;
  readonly parallel?: number | undefined;
  /** The longest time of a check, in milliseconds. */
  readonly checkMs?: number | undefined;
  /** Ends the run early. Everything that was made is removed nevertheless. */
  readonly signal?: AbortSignal | undefined;
  readonly onResult?: ((result: CheckResult) => void) | undefined;
  /** Gets the journal of a writing run when it begins. */
  readonly onJournal?: ((journal: Journal) => void) | undefined;
  /** In place of all checks of the contract. */
  readonly checks?: readonly Check[] | undefined;
};

export type Verified = {
  readonly target: string;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  readonly durationMs: number;
  readonly requests: number;
  readonly counts: CheckCounts;
  readonly results: readonly CheckResult[];
  /** Undefined when the run only reads. */
  readonly label: string | undefined;
  readonly removal: (Removal & { readonly journal: string }) | undefined;
  /** Whether it was ended early. */
  readonly isInterrupted: boolean;
  /** Why the target could not be asked any more. */
  readonly gone: TargetError | undefined;
};

/** An answer is read up to here; the longest of the contract that a run reads is a small file. */
const longestAnswer = 16 * 1024 * 1024;

const defaults = { parallel: { loopback: 8, elsewhere: 3 }, checkMs: 60_000 };

type Run = {
  readonly parts: AskingParts;
  readonly verification: VerificationOptions;
  readonly signal: AbortSignal;
};

/** Throws `TargetError` for a target that is not a repository, and `ConfigurationError`. */
export const runVerification = async (verification: VerificationOptions): Promise<Verified> => {
  const { opened, signal = new AbortController().signal } = verification;
  const at = Date.now();
  const began = performance.now();
  const { sender, requests } = countedSender(createSender({ ...opened.sender, maxBytes: longestAnswer }));
  const tell = (results: readonly CheckResult[]): void => results.forEach((result) => verification.onResult?.(result));
  try {
    const { isDrupal } = await examineTarget(opened.sender, signal);
    const tried = await tryAccounts(opened.accounts, sender, operationsOf(opened.contract.document));
    tell(tried.results);
    const known = { ...opened, accounts: tried.accepted };
    const onPurpose = isDrupal ? createOnPurpose(opened.differences) : undefined;
    const parts = { ...askingPartsFor(known, sender), onPurpose };
    const run = await verifyWith({ parts, signal, verification: { ...verification, opened: known } });
    const broken = documentResults(run.results);
    tell(broken);
    const results = [...tried.results, ...run.results, ...broken];
    return {
      ...{ target: opened.sender.baseUrl, at, durationMs: performance.now() - began, requests: requests() },
      ...{ ...run, results, counts: countResults(results), isInterrupted: signal.aborted },
    };
  } finally {
    sender.close();
  }
};

type RunOutcome = Pick<Verified, 'results' | 'label' | 'removal' | 'gone'>;

const verifyWith = async (run: Run): Promise<RunOutcome> => {
  const { parts, verification } = run;
  const { opened, writing } = verification;
  try {
    if (writing === undefined) return { ...(await readingRun(run)), label: undefined, removal: undefined };
    const account = makerOf(opened);
    const journal = await beginRun(writing, account, opened.sender.baseUrl);
    verification.onJournal?.(journal);
    const { ask } = createAsking(parts);
    const watch = createMakingWatch(journal, (media) =>
      mediaWithFile(media, { ask, account, site: opened.contract.site }),
    );
    return await writingRun(journal, { ...run, parts: { ...parts, watch } });
  } finally {
    await parts.credentials.close();
  }
};

type Phase = Pick<Verified, 'results' | 'gone'>;

const readingRun = async (run: Run): Promise<Phase> => {
  const { contract, accounts, sender } = run.verification.opened;
  const account = mostPermittedOf(contract.site, accounts);
  const asking = createAsking(run.parts, run.signal);
  const { from } = run.verification;
  const found = await discover({ contract, baseUrl: sender.baseUrl, account, from, ask: asking.ask });
  const subjects = subjectsOf(found, await absentId(asking));
  return runWith({ subjects, workspace: noWorkspace(), before: [] }, run);
};

const writingRun = async (journal: Journal, run: Run): Promise<RunOutcome> => {
  const { parts, signal, verification } = run;
  const { opened, writing = {}, from } = verification;
  const { contract } = opened;
  const account = makerOf(opened);
  let phase: Phase = { results: [], gone: undefined };
  let removal: Removal | undefined;
  let model = writing.modelTerm;
  const derivativesOf = derivativeSources(contract.site, parts.onPurpose !== undefined);
  const asking = createAsking(parts, signal);
  try {
    const { container, useTerm, modelTerm } = writing;
    const { subjects, workspace, failures } = await prepare({
      ...{ contract, judge: parts.judge, baseUrl: parts.sender.baseUrl, account, ask: asking.ask, journal, from },
      ...{ container, useTerm, modelTerm, derivativesOf, absentId: await absentId(asking) },
    });
    model ??= subjects.terms.model;
    phase = await runWith({ subjects, workspace, before: [preparationResult(asking, failures, parts)] }, run);
  } catch (error) {
    // A signal ends the preparation with an error of the request that was under way.
    if (!signal.aborted && !(error instanceof PreparationFailure)) throw error;
    if (!signal.aborted && error instanceof PreparationFailure)
      phase = { results: unprepared(preparationResult(asking, [error.message], parts), verification), gone: undefined };
  } finally {
    await asking.settled();
    const { ask } = createAsking(parts);
    const makesDerivatives = derivativesOf.length > 0;
    removal = await removeAll(journal, { ask, account, site: contract.site, model, makesDerivatives });
  }
  return { ...phase, label: journal.label, removal: { ...removal, journal: journal.file } };
};

/** What a run tells that could make nothing: the preparation has failed, and every check is skipped. */
const unprepared = (
  preparation: CheckResult,
  { opened, checks, only, onResult }: VerificationOptions,
): CheckResult[] => {
  const skipped = chosenChecks(checks ?? allChecks(opened.contract), only).map((check) =>
    plainResult(check, 'skipped', 'Nothing could be made to look at.'),
  );
  const results = [preparation, ...skipped];
  results.forEach((result) => onResult?.(result));
  return results;
};

type Ready = {
  readonly subjects: Subjects;
  readonly workspace: Workspace;
  readonly before: readonly CheckResult[];
};

const runWith = async ({ subjects, workspace, before }: Ready, run: Run): Promise<Phase> => {
  const { parts, verification, signal } = run;
  const { opened, onResult, checkMs = defaults.checkMs, writing, only } = verification;
  const { contract, accounts, sender, isLoopback } = opened;
  before.forEach((result) => onResult?.(result));
  const reference = closingOnce(async () => {
    const { site, drupalConfig } = opened.locations;
    if (parts.onPurpose !== undefined && site === undefined && drupalConfig === undefined)
      throw new CheckSkip(unconfigured);
    return openReference(opened, await likeTarget(subjects, workspace.label, run));
  });
  try {
    const { results, gone } = await runChecks(chosenChecks(verification.checks ?? allChecks(contract), only), {
      ...{ parts, allowsWrites: writing !== undefined, checkMs, signal, onResult },
      context: {
        ...{ baseUrl: sender.baseUrl, contract, judge: parts.judge, subjects, workspace },
        // What an account of unknown roles may do cannot be known, so no check expects anything of it.
        accounts: accounts.filter(({ roles }) => roles !== undefined),
        maker: () => {
          const account = mostPermittedOf(contract.site, accounts);
          if (account === undefined) throw new CheckSkip('Only the anonymous visitor is known here.');
          return account;
        },
        may: (account, permission) => mayOn(contract.site, account, permission),
        reference: reference.open,
        explain: explainBy(parts.onPurpose === undefined ? [] : opened.differences),
      },
      parallel: verification.parallel ?? defaults.parallel[isLoopback ? 'loopback' : 'elsewhere'],
      isThere: () => isAnswering(sender),
    });
    return { results: [...before, ...results], gone };
  } finally {
    await reference.close();
  }
};

const unconfigured =
  'The configuration of this site is not known (--drupal-config, --site), so there is no Atoll to compare it with.';

/** Public types name no row: those of its form are valibot's. */
const explainBy = (rows: OpenedTarget['differences']): CheckContext['explain'] => {
  const explain = createExplain(rows);
  return (answered) => {
    const rowOf = explain(answered);
    return (difference) => rowOf(difference)?.question;
  };
};

/** The words that the content of both servers has in common. */
const likeTarget = async (subjects: Subjects, label: string, { parts, verification, signal }: Run) => {
  const { ask } = createAsking(parts, signal);
  const account = mostPermittedOf(verification.opened.contract.site, verification.opened.accounts) ?? anonymousAccount;
  const { terms } = subjects;
  const [model, use] = [await nameAt({ ask, account }, terms.model), await nameAt({ ask, account }, terms.use)];
  return { label, model, use, subjects };
};

/** Opens when it is asked for first. */
const closingOnce = <T extends { readonly close: () => Promise<void> }>(make: () => Promise<T>) => {
  let made: Promise<T> | undefined;
  return {
    open: (): Promise<T> => (made ??= make()),
    close: async (): Promise<void> => {
      const opened = await made?.catch(() => undefined);
      await opened?.close();
    },
  };
};

/** Throws `ConfigurationError` without an account that could write. */
const makerOf = ({ contract, accounts }: OpenedTarget): TargetAccount => {
  const account = mostPermittedOf(contract.site, accounts);
  if (account !== undefined) return account;
  throw new ConfigurationError('A run that writes needs an account. Name a file with --accounts.');
};

const beginRun = (writing: WritingOptions, { name }: TargetAccount, target: string): Promise<Journal> => {
  const { label = newLabel(), container } = writing;
  return beginJournal(writing.journal ?? journalFileOf(label), { target, label, account: name, container });
};

const newLabel = (): string => {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  return `atoll-verify ${time}-${randomBytes(4).toString('hex')}`;
};

/** An id that no node, media or file has. Drupal's ids have 32 bits. */
const absentId = async ({ ask }: Asking): Promise<number> => {
  for (const id of [1_999_999_973, 1_888_888_871, 1_777_777_777]) {
    const { status } = await ask({ path: `/node/${id}?_format=json`, isJudged: false });
    if (status === 404) return id;
  }
  return 1_999_999_973;
};

const countedSender = (sender: Sender): { readonly sender: Sender; readonly requests: () => number } => {
  let requests = 0;
  const send: Sender['send'] = (request) => {
    requests += 1;
    return sender.send(request);
  };
  return { sender: { ...sender, send }, requests: () => requests };
};
