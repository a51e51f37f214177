/** A slice of the checks that read holds against Atoll in this process. All of them: `npm run test:suite -- verify`. */
import { expect, it } from '@jest/globals';
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
