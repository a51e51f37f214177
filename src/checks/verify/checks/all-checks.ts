/** Joins the checks of all topics. */
import type { TargetContract } from '../../target/contract-source.ts';
import type { Check } from '../check.ts';
import { accessChecks } from './access/access-checks.ts';
import { readingChecks } from './reading/all-reading-checks.ts';
import { writingChecks } from './writing/writing-checks.ts';

type ChecksOf = (contract: TargetContract) => readonly Check[];

/** A file of checks adds itself here, by topic. */
const topics: readonly ChecksOf[] = [readingChecks, writingChecks, accessChecks];

/** The checks for a contract, in the order of the report. Their names are unique. */
export const allChecks = (contract: TargetContract): readonly Check[] => topics.flatMap((checks) => checks(contract));
