/** Writes a run as JSON, for other programs. */
import type { Verified } from '../verify.ts';
import { groupBroken } from './grouped-broken.ts';

/** Times are in milliseconds; `at` is ISO 8601. */
export const jsonReport = (verified: Verified): string => {
  const { target, at, durationMs, requests, counts, label, removal, isInterrupted, gone, results } = verified;
  const report = {
    ...{ target, at: new Date(at).toISOString(), durationMs: Math.round(durationMs), requests, counts },
    ...{ isInterrupted, gone: gone?.message, label },
    removed: removal?.removed,
    left: removal?.left.map(({ path, reason }) => ({ path, reason })),
    broken: groupBroken(results).map(({ broken, checks }) => ({ ...broken, checks })),
    results: results.map(({ check, durationMs: took, ...result }) => ({
      ...{
        name: check.name,
        verdict: result.verdict,
        severity: result.severity,
        rule: check.rule,
        source: check.source,
      },
      ...{ operations: check.operations, isWriting: check.isWriting, durationMs: Math.round(took) },
      ...{ message: result.message, broken: result.broken, exchanges: result.exchanges },
    })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
};
