/**
 * Runs tests that wait for processes, browsers and clocks: a file that fails runs once more, alone, and is named as flaky if it passes
 * then. What fails twice has failed, and so has a run in which many files fail.
 */

/** More files at once have a cause of their own. */
const mostFiles = 3;

/**
 * `run` resolves with the exit code of a run of all files, or of one, and with the files that failed: `undefined` when it did not come to
 * its end. Resolves with the exit code, and with the lines that name what was flaky.
 */
export const withSecondTry = async (run) => {
  const { code, failed } = await run();
  if (code === 0 || failed === undefined || failed.length === 0 || failed.length > mostFiles)
    return { code, flaky: [] };
  const flaky = [];
  for (const { file, tests } of failed) {
    const again = await run(file);
    if (again.code !== 0) return { code: again.code, flaky };
    flaky.push(...(tests.length === 0 ? [`flaky: ${file}`] : tests.map((test) => `flaky: ${file}, ${test}`)));
  }
  return { code: 0, flaky };
};
