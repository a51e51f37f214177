/**
 * A jest reporter of tests in a service worker: how many requests the engine answered there, and what was left out and why. A
 * test that is left out under a name that there is not is a failure.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { leftOut, leftOutTestNames } from './suite.mjs';

/** Each process writes one byte for each request (`atoll-in-worker.ts`). */
const folder = 'coverage/in-service-worker/answered';

export default class InServiceWorkerReport {
  onRunStart() {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }

  onRunComplete(_contexts, { testResults, numPassedTests, numFailedTests }) {
    const answered = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    const lines = Object.entries(leftOut).map(([name, because]) => `  ${name}: ${because}`);
    process.stdout.write(
      [
        `\nIn a service worker: ${numPassedTests} tests of ${testResults.length} files passed, ${numFailedTests} failed.`,
        `The engine in Chromium answered ${answered} requests.`,
        `Left out:\n${lines.join('\n')}\n`,
      ].join('\n'),
    );
    const pending = testResults.flatMap(({ testResults: tests }) =>
      tests.filter(({ status }) => status === 'pending').map(({ fullName }) => fullName),
    );
    const other = pending.filter((name) => !leftOutTestNames.includes(name));
    if (numPassedTests > 0 && answered === 0) this.error = new Error('The engine in Chromium answered nothing.');
    if (other.length > 0) this.error = new Error(`Left out without a reason: ${other.join(', ')}`);
  }

  getLastError() {
    return this.error;
  }
}
