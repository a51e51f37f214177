/** Newman runs the collection that `atoll collection postman` writes, from top to bottom. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atoll, startAtoll } from '../support/atoll.mjs';
import { run as runProgram } from '../support/shell.mjs';
import { commandOf } from '../support/tools.mjs';

export const run = async ({ folder, keep }) => {
  const newman = await commandOf('newman');
  const { url, stop } = await startAtoll();
  await atoll('collection', 'postman', '--url', url, '--out', join(folder, 'atoll.postman_collection.json'));
  const given = [
    'run',
    'atoll.postman_collection.json',
    '--reporters',
    'cli,json',
    '--reporter-json-export',
    'report.json',
  ];
  const { code, output } = await runProgram(newman, given, { folder });
  keep('newman.txt', output);
  const { stats, failures } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')).run;
  return [
    ...failures.map(({ source, error }) => `${source?.name}: ${error?.message}`),
    ...(code === 0 || failures.length > 0 ? [] : [`newman ended with ${code}`]),
    ...(stats.assertions.total < stats.requests.total || stats.requests.total < 50 ? ['requests were left out'] : []),
    ...(await stop()),
  ];
};
