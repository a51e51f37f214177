/** Bruno's command runs the collection that `atoll collection bruno` writes, from top to bottom. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atoll, startAtoll } from '../support/atoll.mjs';
import { run as runProgram } from '../support/shell.mjs';
import { commandOf } from '../support/tools.mjs';

export const run = async ({ folder, keep }) => {
  const bru = await commandOf('bru');
  const { url, stop } = await startAtoll();
  const collection = join(folder, 'collection');
  await atoll('collection', 'bruno', '--url', url, '--out', collection);
  const given = ['run', '-r', '--env', 'local', '--reporter-json', '../report.json'];
  const { code, output } = await runProgram(bru, given, { folder: collection });
  keep('bruno.txt', output);
  const [{ summary, results }] = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  const red = results.filter(({ status, error, testResults }) => {
    return status !== 'pass' || error || testResults.some((test) => test.status !== 'pass');
  });
  return [
    ...red.map(({ name, path, response, error }) => `${path ?? name}: ${response?.status} ${error ?? ''}`),
    ...(code === 0 || red.length > 0 ? [] : [`bru ended with ${code}`]),
    ...(summary.totalTests < summary.totalRequests || summary.totalRequests < 50 ? ['requests were left out'] : []),
    ...(await stop()),
  ];
};
