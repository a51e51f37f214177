/** A slice of the checks that read holds against Atoll in this process. All of them: `npm run test:suite -- verify`. */
import { expect, it } from '@jest/globals';
import { startAtoll } from '../../src/cli/entries/atoll.ts';
import { verify } from '../../src/cli/entries/provider-testing.ts';
import { startServer } from '../support/server.ts';
import { findingsIn, lineOf, verified } from './verified.ts';

it('the checks of links, graphs and what visitors see hold against Atoll', async () => {
  const server = await startServer();
  try {
    const only = ['link.node.*', 'linkset.node.*', 'json-ld.node.*', 'value.node.*', 'sees.anonymous.*'];
    const run = await verified(server.url, { only });
    expect(findingsIn(run).map(lineOf)).toEqual([]);
    const passed = run.results.filter(({ verdict }) => verdict === 'passed').map(({ check }) => check.name);
    expect(passed).toEqual(
      expect.arrayContaining(['link.node.references', 'json-ld.node.references', 'sees.anonymous.media']),
    );
  } finally {
    await server.stop();
  }
});

it('a run that only reads holds against the starter site and its archive', async () => {
  const atoll = await startAtoll({ site: 'starter-site' });
  try {
    const run = await verify({ target: atoll.url, site: 'starter-site' });
    expect(run.failures('advice').map(lineOf)).toEqual([]);
    expect(run.counts.passed).toBeGreaterThan(1000);
  } finally {
    await atoll.close();
  }
}, 60_000);
