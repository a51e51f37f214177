/** Lists of a node that are long, or in an order of their own. The rest is in `test/expected/default/lists.yml`. */
import { describe, expect, it } from '@jest/globals';
import { createTestAtoll } from '../support/atoll.ts';

const atoll = await createTestAtoll();

type Shown = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
const idsIn = (response: { body: unknown }, field: string): unknown[] =>
  (response.body as Shown[]).map((record) => record[field]?.[0]?.['value']); // a list of records, checked by the engine

it('GET /node/{node_id}/members answers 200 with 50 members when the request names no size, and at most with 100', async () => {
  const { store } = await atoll.reset();
  const [like] = await store.getMany(['node:2']);
  if (like === undefined) throw new Error('The fixture has changed');
  await store.transact([], () => ({
    changes: Array.from({ length: 120 }, (_, at) => ({
      put: { ...like, id: 1000 + at, uuid: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}` },
    })),
    result: undefined,
  }));
  const first = await atoll.send('GET', '/node/1/members?_format=json').expect(200);
  expect(first.body).toHaveLength(50);
  expect(first.headers['link']).toContain('/node/1/members?_format=json&page=2>; rel="last"');
  expect((await atoll.send('GET', '/node/1/members?items_per_page=100').expect(200)).body).toHaveLength(100);
  expect((await atoll.send('GET', '/node/1/members?page=2').expect(200)).body).toHaveLength(27);
});

describe('GET /node/{node_id}/members of a site whose nodes have a weight', () => {
  it('answers 200 with the members by weight, those without one first', async () => {
    const { site } = atoll;
    const node = site.model.bundle('node', 'islandora_object');
    const term = site.model.bundle('taxonomy_term', 'subject')?.fields.get('weight');
    if (node === undefined || term === undefined) throw new Error('The default site has changed');
    const weight = { ...term, name: 'field_weight', configured: true, required: false, default: undefined };
    const fields = new Map([...node.fields, [weight.name, weight]]);
    const model: typeof site.model = {
      bundle: (type, id) => (type === 'node' && id === node.id ? { ...node, fields } : site.model.bundle(type, id)),
      bundles: (type) => (type === 'node' ? [{ ...node, fields }] : site.model.bundles(type)),
    };
    const weighted = await createTestAtoll({ site: (loaded) => ({ ...loaded, model }) });
    for (const [id, value] of [
      [5, 7],
      [6, -1],
      [8, 3],
    ] as const) {
      await weighted
        .send('PATCH', `/node/${id}?_format=json`, 'admin')
        .send({ type: [{ target_id: 'islandora_object' }], field_weight: [{ value }] })
        .expect(200);
    }
    const listed = await weighted.send('GET', '/node/2/members?_format=json').expect(200);
    expect(idsIn(listed, 'nid')).toEqual([10, 22, 25, 28, 30, 6, 8, 5]);
  });
});
