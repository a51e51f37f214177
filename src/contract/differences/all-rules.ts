/** Joins the rules that explain differences by rows of the guide. */
import type { ExplanationRule } from './explain.ts';
import { addressRules } from './addresses.ts';
import { bodyRules } from './bodies.ts';
import { errorRules } from './errors.ts';
import { headerRules } from './headers.ts';
import { recordRules } from './records.ts';
import { sessionRules } from './sessions.ts';

/** The first rule that fits counts, so that the narrow ones stand before the wide ones. */
export const explanationRules: readonly ExplanationRule[] = [
  ...addressRules,
  ...sessionRules,
  ...bodyRules,
  ...recordRules,
  ...headerRules,
  ...errorRules,
];
