/** The JSON text of a record: that of its object, also where it has so many items that they are written between two runs. */
import { expect, it } from '@jest/globals';
import { readingOf } from '../model/reading.ts';
import { renderJson } from '../../src/repository/repository-content.ts';
import { jsonText, type MemberChecks } from '../../src/repository/representations/json-text.ts';
import { nodeRecord } from '../links/records.ts';
import { recordsOf, site, storeOf } from './recorded.ts';

const accepting: MemberChecks = { mayHave: () => true, checkOf: () => () => true };
const world = { site, baseUrl: 'http://localhost:8000', basePath: '' };

const withAgents = (agents: number) => {
  const items = Array.from({ length: agents }, (_, at) => ({ target_id: at + 1, rel_type: 'relators:aut' }));
  return nodeRecord(1, { field_linked_agent: items, title: [{ value: 'a "b" é' }] });
};

it.each([0, 3, 200, 1000])('is that of its object with %i agents', async (agents) => {
  const node = withAgents(agents);
  const { near } = storeOf([]);
  const reading = readingOf({ ...storeOf([]), present: near });
  const written = reading.settle((records) => jsonText(node, { ...world, records }, accepting));
  expect(written instanceof Promise).toBe(agents >= 200);
  const object = await readingOf({ ...storeOf([]), present: near }).settle((records) =>
    renderJson(node, { ...world, records }, 'read'),
  );
  expect(await written).toBe(JSON.stringify(object));
});

it.each(['"', '\\', '\u2028', 'é✓😀', '\t\n', '\ud800', '</script>', '\u007f', ''])(
  'escapes %j as JSON does',
  (value) => {
    const records = recordsOf([]);
    for (const node of [nodeRecord(1, { title: [{ value }] }), nodeRecord(2, { title: [{ value }, { value }] })]) {
      const object = renderJson(node, { ...world, records }, 'read');
      expect(jsonText(node, { ...world, records }, accepting)).toBe(JSON.stringify(object));
    }
  },
);

it('is none where a member is not as the document says', () => {
  const records = recordsOf([]);
  const checks: MemberChecks = { mayHave: () => true, checkOf: (name) => () => name !== 'title' };
  expect(jsonText(nodeRecord(1), { ...world, records }, checks)).toBeUndefined();
});

it('is none where the document does not allow the members', () => {
  const records = recordsOf([]);
  expect(jsonText(nodeRecord(1), { ...world, records }, { ...accepting, mayHave: () => false })).toBeUndefined();
});
