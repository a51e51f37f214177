/** Dredd asks for each documented answer of the document in its 3.0 form. */
import { join } from 'node:path';
import { startAtoll } from '../support/atoll.mjs';
import { run as runProgram } from '../support/shell.mjs';
import { commandOf } from '../support/tools.mjs';

const hooks = join(import.meta.dirname, 'hooks.cjs');

/** Dredd has a request for each status, which is more than one for each operation. */
const fewest = 300;

export const run = async ({ folder, keep }) => {
  const dredd = await commandOf('dredd');
  const { url, stop } = await startAtoll();
  keep('openapi.json', await (await fetch(`${url}/openapi-3.0.json`)).text());
  const given = ['openapi.json', url, '--user', 'admin:islandora', '--hookfiles', hooks];
  const environment = { ATOLL_DOCUMENT: join(folder, 'openapi.json') };
  const { code, output } = await runProgram(dredd, given, { folder, environment });
  keep('dredd.txt', output);
  const [, passed = '0', failed = '?'] = /complete:?\D*(\d+) passing, (\d+) failing/.exec(plain(output)) ?? [];
  return [
    ...[...plain(output).matchAll(/^NOT AS DOCUMENTED (.*)$/gm)].map(([, line]) => line),
    ...(code === 0 && failed === '0' ? [] : [`Dredd ended with ${code}: ${failed} failing\n${output.slice(-1500)}`]),
    ...(Number(passed) < fewest ? [`only ${passed} answers were asked for`] : []),
    ...(await stop()),
  ];
};

const plain = (text) => text.replaceAll(/\u001b\[[0-9;]*m/g, '');
