/** Limits the time that a pattern of the document or a JSONPath of an overlay may take, without another thread, and measures work. */
import { createContext, Script } from 'node:vm';
import { errorCode } from './error-code.ts';

/** How long a pattern that can be slow may look at one text, in milliseconds. */
export const patternMs = 50;

/** The error code of work that was ended. */
const timedOutCode = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

// Node can end a script after a time, with all that the script calls.
const context = createContext({});
const script = new Script('work()');

/**
 * The result of the work, or `late()` when it takes longer than `ms` twice: a busy machine may have taken the time of the first
 * try. The work must change nothing and not wait.
 */
export const withinTime = <T>(ms: number, work: () => T, late: () => T): T => {
  context['work'] = work;
  const tried = (next: () => T): T => {
    try {
      return script.runInContext(context, { timeout: ms }) as T; // what `work` returns
    } catch (error) {
      if (errorCode(error) === timedOutCode) return next();
      throw error;
    }
  };
  return tried(() => tried(late));
};

/** The milliseconds for which this process has worked, in all its threads. In a page, which knows of no process, it is the time that has passed. */
export const workedMs = (): number => {
  if (typeof process === 'undefined') return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** The part of a regular expression that checks use. Ajv tells expressions apart by their text. */
export type Expression = { readonly test: (text: string) => boolean; readonly toString: () => string };

/** An expression that looks at a text for a bounded time. A text that takes longer does not have its form. */
export const boundedExpression = (expression: RegExp): Expression => ({
  test: (text) =>
    withinTime(
      patternMs,
      () => expression.test(text),
      () => false,
    ),
  toString: () => `bounded ${String(expression)}`,
});

/** Ajv takes its regular expressions from here when a document has slow patterns: those look at a text for a bounded time. */
export const regExpWith = (slowPatterns: ReadonlySet<string>) => {
  const make = (pattern: string, flags: string): Expression => {
    const expression = new RegExp(pattern, flags);
    return slowPatterns.has(pattern) ? boundedExpression(expression) : expression;
  };
  return Object.assign(make, { code: 'regExpWith' });
};
