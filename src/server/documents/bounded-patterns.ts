/** Makes the expressions of documents that users name: none of their patterns may stop the server. */
import { boundedExpression, type Expression, patternMs } from '../../basics/time-limit.ts';
import { mostLength, safeLength } from '../../basics/formats/pattern-cost.ts';

/** By pattern. Those that are not here may be slow. */
const verdicts = new Map<string, 'waiting' | 'slow' | 'quick'>();
let analyses: Promise<void> = Promise.resolve();

/** Watching the time costs more than most requests do, so it is watched only for long texts, and where an analysis does not find the pattern quick. */
export const boundedPattern = (pattern: string, flags: string): Expression => {
  const expression = new RegExp(pattern, flags);
  const short = safeLength(pattern);
  if (short === mostLength) return expression;
  const bounded = boundedExpression(expression);
  return {
    test: (text) => {
      if (text.length <= short || verdicts.get(pattern) === 'quick') return expression.test(text);
      if (!verdicts.has(pattern)) analyse(pattern);
      const begin = performance.now();
      const matches = bounded.test(text);
      if (performance.now() - begin > patternMs) verdicts.set(pattern, 'slow');
      return matches;
    },
    toString: () => bounded.toString(),
  };
};

/** An analysis takes up to 200 milliseconds, so requests are answered between two of them. */
const analyse = (pattern: string): void => {
  verdicts.set(pattern, 'waiting');
  const judge = async (): Promise<void> => {
    const { isSlow } = await import('../sources/slow-pattern.ts');
    await new Promise((resolve) => setImmediate(resolve).unref());
    // A text may have shown it meanwhile.
    if (verdicts.get(pattern) === 'waiting') verdicts.set(pattern, isSlow(pattern) ? 'slow' : 'quick');
  };
  // Without a verdict the pattern is watched.
  analyses = analyses.then(judge).catch(() => undefined);
};
