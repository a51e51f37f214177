/** Says of each difference whether the guide explains it, the team accepts it, or it is new. */
import { accepts, isExpired, type Acceptance } from './acceptances.ts';
import type { AnsweredTwice, Difference, Judged } from '../../contract/compare/difference.ts';
import { createExplain, type ExplanationRule } from '../../contract/differences/explain.ts';

type Judge = (answered: AnsweredTwice, differences: readonly Difference[]) => readonly Judged[];

type JudgeOptions = {
  readonly rules: readonly ExplanationRule[];
  readonly acceptances: readonly Acceptance[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with each entry of the file that was needed. */
  readonly onAccepted?: ((acceptance: Acceptance) => void) | undefined;
};

/** A rule of the guide goes before the team's file. */
export const createJudge = ({ rules, acceptances, now, onAccepted }: JudgeOptions): Judge => {
  const explain = createExplain(rules);
  return (answered, differences) => {
    if (differences.length === 0) return [];
    const explained = explain(answered);
    return differences.map((difference): Judged => {
      const rule = explained(difference);
      if (rule !== undefined) {
        return { ...difference, class: 'explained', because: `docs/use/${rule.page}.md: ${rule.row}` };
      }
      const acceptance = acceptances.find(
        (one) => !isExpired(one, now()) && accepts(one, answered.operation, difference),
      );
      if (acceptance === undefined) return { ...difference, class: 'new', because: '' };
      onAccepted?.(acceptance);
      return { ...difference, class: 'accepted', because: acceptance.reason };
    });
  };
};
