/** Group I about single fields that could stall a pattern, and random sequences. The others are in `expected/default` and `links/cases.test.ts`. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import {
  bearer,
  read,
  type RecordBody,
  recordOf,
  seen,
  sendJson,
  visit,
  type Visitor,
} from '../../support/requests.ts';
import { hangMs } from '../../support/hang.ts';

const type = [{ target_id: 'islandora_object' }];
const node = { type, title: [{ value: 'A title' }], field_model: [{ target_id: 24 }] };

let atoll: TestAtoll;
let admin: Visitor;
beforeAll(async () => {
  atoll = await createTestAtoll();
});
beforeEach(async () => {
  await atoll.reset();
  admin = await bearer(atoll, 'admin');
});

const post = (fields: object) => sendJson(atoll, admin, 'POST', '/node', { ...node, ...fields });
const patch = (fields: object, id: number) => sendJson(atoll, admin, 'PATCH', `/node/${id}`, { type, ...fields });

describe('I33: strings made to stall a pattern', () => {
  it.each([
    ['field_edtf_date_created', `${'1'.repeat(65_000)}x`],
    ['field_edtf_date_created', '2000-'.repeat(13_000)],
    ['uuid', `${'a-'.repeat(32_000)}!`],
    ['langcode', `${'en-'.repeat(21_000)}!`],
    ['created', `${'2000-01-01T00:00:00+'.repeat(3000)}!`],
  ])('for %s are 422 in little time', async (field, value) => {
    const started = performance.now();
    expect((await post({ [field]: [{ value }] })).status).toBe(422);
    expect(performance.now() - started).toBeLessThan(hangMs);
  });
});

describe('I48: random sequences of requests', () => {
  /** What the nodes should be: titles by id. */
  type Model = { readonly titles: Map<number, string>; next: number };
  const step = fc.record({
    kind: fc.constantFrom('post', 'patch', 'delete', 'get'),
    target: fc.integer({ min: 29, max: 36 }),
    title: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
  });

  it('answer as a model of ten lines does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        await atoll.reset();
        admin = await bearer(atoll, 'admin');
        const titleOf = async (id: number) =>
          String(recordOf(await read(atoll, admin, `/node/${id}`))['title']?.[0]?.['value']);
        const model: Model = { titles: new Map([[29, await titleOf(29)], [30, await titleOf(30)]]), next: 31 }; // prettier-ignore
        for (const { kind, target, title } of steps) {
          const path = `/node/${target}`;
          const isThere = model.titles.has(target);
          const value = [{ value: title }];
          if (kind === 'post') {
            const { status, body } = seen(await post({ title: value }));
            expect([status, (body as RecordBody)['nid']]).toEqual([201, [{ value: model.next }]]); // a node
            model.titles.set(model.next, title);
            model.next += 1;
          } else if (kind === 'patch') {
            expect((await patch({ title: value }, target)).status).toBe(isThere ? 200 : 404);
            if (isThere) model.titles.set(target, title);
          } else if (kind === 'delete') {
            expect((await visit(atoll, admin, 'DELETE', path)).status).toBe(isThere ? 204 : 404);
            model.titles.delete(target);
          } else {
            const { status, body } = seen(await visit(atoll, admin, 'GET', `${path}?_format=json`));
            const shown = (body as RecordBody)['title']?.[0]?.['value']; // a node, or a refusal without this member
            expect([status, shown]).toEqual(isThere ? [200, model.titles.get(target)] : [404, undefined]);
          }
        }
      }),
      { numRuns: 25 },
    );
  });
});
