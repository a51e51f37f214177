/** Finds the row of the guide that explains a difference. The rules are data, in `rules/`. */
import type { AnsweredTwice, Difference } from '../compare/difference.ts';
import { matchesPlace } from '../compare/json-paths.ts';

/** One kind of difference. `place` is a pattern as in `place-pattern.ts`; the others are for the shown values. */
type ExplainedPlace = { readonly place: string; readonly target?: RegExp; readonly atoll?: RegExp };

/** All conditions must hold. A page of `docs/use/` has the row; `row` is its first cell. */
export type ExplanationRule = {
  readonly page: 'differences' | 'not-emulated';
  readonly row: string;
  readonly method?: RegExp;
  /** For path and query. */
  readonly path?: RegExp;
  /** For the header lines and the text of the body that were sent. */
  readonly sent?: RegExp;
  /** For the text of the target's body. */
  readonly theirs?: RegExp;
  /** For the text of Atoll's body. */
  readonly ours?: RegExp;
  readonly differs: readonly ExplainedPlace[];
};

export const at = (place: string, values: Omit<ExplainedPlace, 'place'> = {}): ExplainedPlace => ({ place, ...values });

/** A difference of the status. Nothing else is compared then. */
export const status = (target: string, atoll: string): ExplainedPlace =>
  at('/status', { target: new RegExp(`^(?:${target})$`), atoll: new RegExp(`^(?:${atoll})$`) });

type Explain = (answered: AnsweredTwice) => (difference: Difference) => ExplanationRule | undefined;

export const createExplain =
  (rules: readonly ExplanationRule[]): Explain =>
  (answered) => {
    const holding = rules.filter((rule) => holds(rule, answered));
    return (difference) => holding.find(({ differs }) => differs.some((one) => covers(one, difference)));
  };

const textOf = ({ kept }: { readonly kept: Uint8Array }): string => Buffer.from(kept).toString();

const holds = (rule: ExplanationRule, { request, target, atoll }: AnsweredTwice): boolean =>
  (rule.method?.test(request.method) ?? true) &&
  (rule.path?.test(request.path) ?? true) &&
  (rule.theirs?.test(textOf(target.body)) ?? true) &&
  (rule.ours?.test(textOf(atoll.body)) ?? true) &&
  (rule.sent?.test(`${request.headers.map((line) => line.join(': ')).join('\n')}\n\n${textOf(request.body)}`) ?? true);

const covers = ({ place, target, atoll }: ExplainedPlace, difference: Difference): boolean =>
  matchesPlace(place, difference.place) &&
  (target?.test(shown(difference.target)) ?? true) &&
  (atoll?.test(shown(difference.atoll)) ?? true);

/** Absent values are empty texts. */
const shown = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
