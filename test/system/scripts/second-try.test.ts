/** A file of a suite that waits for others is tried twice, and named when only the second try passes. */
import { describe, expect, it } from '@jest/globals';
import { withSecondTry } from '../../../scripts/second-try.mjs';

type Run = Parameters<typeof withSecondTry>[0];

const failing = (...files: readonly string[]) => ({
  code: 1,
  failed: files.map((file) => ({ file, tests: [`${file} works`] })),
});
const good = { code: 0, failed: [] };

/** Answers with the results in their order, and notes what was run. */
const scripted = (results: readonly Awaited<ReturnType<Run>>[]) => {
  const asked: (string | undefined)[] = [];
  const run: Run = async (file) => {
    asked.push(file);
    return results[asked.length - 1] ?? good;
  };
  return { asked, run };
};

describe('A run of a suite', () => {
  it.each([
    ['passes when all pass', [good], 0, [], 1],
    ['passes when a failed file passes alone, and names its test', [failing('a'), good], 0, ['flaky: a, a works'], 2],
    ['fails when a file fails twice', [failing('a'), failing('a')], 1, [], 2],
    ['fails when one of two fails twice', [failing('a', 'b'), good, failing('b')], 1, ['flaky: a, a works'], 3],
    ['fails without a second try when four files fail', [failing('a', 'b', 'c', 'd')], 1, [], 1],
    ['fails without a second try when it did not come to its end', [{ code: 1, failed: undefined }], 1, [], 1],
    ['fails when it fails without a failed file', [{ code: 1, failed: [] }], 1, [], 1],
  ] as const)('%s', async (_name, results, code, flaky, runs) => {
    const { asked, run } = scripted(
      results.map(({ code: ended, failed }) => ({ code: ended, failed: failed && [...failed] })),
    );
    expect(await withSecondTry(run)).toEqual({ code, flaky });
    expect(asked).toHaveLength(runs);
    expect(asked[0]).toBeUndefined();
  });
});
