/** The JSON text of a record: none for a record with many items, and nothing of it is made then. */
import { expect, it } from '@jest/globals';
import { jsonText, type MemberChecks } from '../../src/core/representations/json-text.ts';
import { nodeRecord } from '../links/records.ts';
import { site } from './recorded.ts';

const accepting: MemberChecks = { mayHave: () => true, checkOf: () => () => true };

/** The text of a node with so many agents, and how many targets were asked for, also in the turns after it. */
const textWith = async (agents: number) => {
  const items = Array.from({ length: agents }, (_, at) => ({ target_id: at + 1, rel_type: 'relators:aut' }));
  let asked = 0;
  const targets = {
    get: () => {
      asked += 1;
      return undefined;
    },
  };
  const node = nodeRecord(1, { field_linked_agent: items, field_model: [], uid: [], revision_uid: [] });
  const context = { site, baseUrl: 'http://localhost:8000', basePath: '', targets, viewer: undefined };
  const text = jsonText(node, context, accepting);
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return { text, asked };
};

it('asks for each target of a few items', async () => {
  const { text, asked } = await textWith(3);
  expect(text).toContain('"field_linked_agent":[{"target_id":1,"rel_type":"relators:aut"}');
  expect(asked).toBe(3);
});

it('begins nothing for many items', async () => {
  expect(await textWith(200)).toEqual({ text: undefined, asked: 0 });
});
