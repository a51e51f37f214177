/** Runs the verify library against a server, as `atoll verify --allow-writes` does against an Atoll with demo accounts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTarget, type CheckResult } from '../../src/checks/checks.ts';
import type { Check } from '../../src/checks/verify/check.ts';
import { runVerification, type VerificationOptions, type Verified } from '../../src/checks/verify/verify.ts';
import { preparedFile, root } from '../support/atoll.ts';

export type OpenedTarget = Awaited<ReturnType<typeof readTarget>>;

/** Opens a target of a test. `as` are the accounts to act as; all demo accounts when undefined. */
export const openTarget = async (url: string, as?: readonly string[], site?: string): Promise<OpenedTarget> =>
  readTarget({
    target: url,
    locations: { root, prepared: await preparedFile(), site },
    ...{ as, accounts: [], environment: {}, tls: {}, silenceMs: 30_000, perSecond: undefined },
  });

/** A check of a test. */
export const checkOf = (name: string, run: Check['run'], more: Partial<Check> = {}): Check => ({
  ...{ name, rule: `The rule of ${name}.`, source: 'test', severity: 'contract', operations: ['getNode'] },
  ...{ isWriting: false, run, ...more },
});

export type VerifyOptions = Pick<VerificationOptions, 'only' | 'parallel' | 'signal' | 'onResult'> & {
  /** The name or the directory of a site. Default: the built-in one. */
  readonly site?: string;
  /** The accounts to act as. Default: all demo accounts. */
  readonly as?: readonly string[];
  /** The id of a term for the model of nodes, where the target has no terms to look at. */
  readonly modelTerm?: number;
  /** The id of a term for the use of media, in place of those that the run finds. */
  readonly useTerm?: number;
};

/** Everything that the run made is removed at its end. */
export const verified = async (
  url: string,
  { site, as, modelTerm, useTerm, ...options }: VerifyOptions = {},
): Promise<Verified> => {
  const opened = await openTarget(url, as, site);
  const folder = await mkdtemp(join(tmpdir(), 'atoll-verify-'));
  try {
    const writing = { journal: join(folder, 'journal.json'), modelTerm, useTerm };
    return await runVerification({ opened, writing, ...options });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

export const isFinding = ({ verdict }: CheckResult): boolean => verdict === 'failed' || verdict === 'error';

export const findingsIn = ({ results }: Verified): readonly CheckResult[] => results.filter(isFinding);

/** A finding as one line. */
export const lineOf = ({ check, message, broken: [first] }: CheckResult): string =>
  `${check.name}: ${message ?? ''} ${first === undefined ? '' : `${first.request}: ${first.message}`}`.trim();
