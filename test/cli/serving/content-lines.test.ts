/** What a start says of its content: a server without collections, where a document or handlers would use them. */
import { expect, it } from '@jest/globals';
import { contentLines } from '../../../src/cli/serving/content-lines.ts';
import { startServer } from '../../support/server.ts';

it('says that a team server has no collections where documents, overlays or handlers would use them', async () => {
  const server = await startServer();
  const onTeam = { ...server, world: { ...server.world, collections: undefined } };
  const line =
    'A team server has no collections: its documents answer from their examples, and its handlers keep no records.';
  expect(contentLines(onTeam, { documents: ['api.yaml'] })).toEqual([line]);
  expect(contentLines(onTeam, { overlays: ['o.yaml'] })).toEqual([line]);
  expect(contentLines(onTeam, { handlers: 'h' })).toEqual([line]);
  expect(contentLines(onTeam, { fixture: 'empty' })).toEqual([]);
  expect(contentLines(server, { documents: ['api.yaml'], handlers: 'h' })).toEqual([]);
  await server.stop();
});
