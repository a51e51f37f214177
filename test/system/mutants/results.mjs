/** A reporter of jest: writes how each file ended into the file that `MUTANT_RESULTS` names, at once. */
import { appendFileSync } from 'node:fs';

const write = (row) => appendFileSync(process.env.MUTANT_RESULTS, `${JSON.stringify(row)}\n`);

export default class Results {
  onRunStart() {
    write({ event: 'begun', at: Date.now() });
  }
  onTestResult({ path }, { failureMessage, numFailingTests, testResults }) {
    const failed = testResults.find(({ status }) => status === 'failed')?.fullName;
    const isBad = numFailingTests > 0 || Boolean(failureMessage);
    write({ event: 'file', path, ...(isBad ? { failed: failed ?? 'the file cannot be run' } : {}) });
  }
  onRunComplete() {
    write({ event: 'ended' });
  }
}
