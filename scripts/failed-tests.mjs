/** A jest reporter: writes which files have failed, and which of their tests, into the file that `FAILED_TESTS` names. */
import { writeFileSync } from 'node:fs';

export default class FailedTests {
  onRunComplete(_contexts, { testResults, numTotalTestSuites, wasInterrupted }) {
    const failed = testResults
      .filter(({ numFailingTests, failureMessage }) => numFailingTests > 0 || failureMessage)
      .map(({ testFilePath, testResults: tests }) => ({
        file: testFilePath,
        tests: tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
      }));
    const isComplete = !wasInterrupted && testResults.length === numTotalTestSuites;
    writeFileSync(process.env.FAILED_TESTS, JSON.stringify({ isComplete, failed }));
  }
}
