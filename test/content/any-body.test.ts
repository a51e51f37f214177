/** Any JSON as a body: the answer is below 500, and a refusal stores nothing. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { bundleOf } from './judging.ts';
import { basic, sendJson } from '../support/requests.ts';

const admin = basic('admin');
let atoll: TestAtoll;
beforeAll(async () => {
  atoll = await createTestAtoll();
});
beforeEach(() => atoll.reset());

const bundles = { node: bundleOf('node', 'islandora_object'), media: bundleOf('media', 'image') };
const fieldNames = (type: keyof typeof bundles) =>
  fc.constantFrom(...bundles[type].fields.keys(), 'field_nope', 'path', 'toString');

/** Scalars that somebody might send, lists and objects of them, and items that look right. */
const json = fc.jsonValue({ maxDepth: 3 });
const item = fc.record(
  { value: json, target_id: json, target_uuid: json, target_type: json, uri: json, alt: json, rel_type: json },
  { requiredKeys: [] },
);
const value = fc.oneof(json, fc.array(item, { maxLength: 3 }), fc.array(json, { maxLength: 3 }));

const body = (type: keyof typeof bundles) =>
  fc.oneof(
    { weight: 1, arbitrary: json },
    {
      weight: 6,
      arbitrary: fc
        .dictionary(fieldNames(type), value, { maxKeys: 3, noNullPrototype: true })
        .map((fields) => ({ type: 'islandora_object', bundle: 'image', ...fields }))
        .map(({ type: nodeType, bundle, ...fields }) =>
          type === 'node' ? { type: nodeType, ...fields } : { bundle, ...fields },
        ),
    },
  );

const stored = async () => {
  const { store } = atoll.world();
  const page = { offset: 0, limit: 1000 };
  return [await store.list('node', page), await store.list('media', page), await store.list('file', page)];
};

describe('any JSON body', () => {
  it.each([
    ['POST', '/node?_format=json', 'node', 201],
    ['PATCH', '/node/1?_format=json', 'node', 200],
    ['PATCH', '/media/1?_format=json', 'media', 200],
  ] as const)('%s %s is taken, or refused without a trace', async (method, path, type, success) => {
    await fc.assert(
      fc.asyncProperty(body(type), async (sent) => {
        const before = await stored();
        const { status, text } = await sendJson(atoll, admin, method, path, sent);
        if (status === success) return;
        expect([400, 403, 409, 413, 422]).toContain(status);
        expect(JSON.parse(text)).toEqual({ message: expect.any(String) });
        expect(await stored()).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });

  it('becomes a record that can be read again', async () => {
    await fc.assert(
      fc.asyncProperty(body('node'), async (sent) => {
        const { status } = await sendJson(atoll, admin, 'PATCH', '/node/1?_format=json', sent);
        const read = await atoll.send('GET', '/node/1?_format=json', 'admin');
        const graph = await atoll.send('GET', '/node/1?_format=jsonld', 'admin');
        expect([status < 500, read.status, graph.status]).toEqual([true, 200, 200]);
      }),
      { numRuns: 40 },
    );
  });
});
