/** Random histories over terms with children, media with uses and nodes with references, held against a model of what must be there. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { pngBytes } from '../../support/png.ts';
import { recordOf } from '../../support/requests.ts';

let atoll: TestAtoll;
beforeAll(async () => {
  atoll = await createTestAtoll({ fixture: 'empty' });
});

/** How many histories of how many steps: more where the fuzzer asks for them. */
const extents: Readonly<Record<string, readonly [histories: number, steps: number]>> = {
  histories: [1000, 40],
  'histories-short': [200, 25],
};
const [numRuns, maxLength] = extents[process.env['SUITE'] ?? ''] ?? [25, 14];

/** Numbers choose among what is there. */
type Step =
  | { readonly does: 'term'; readonly parents: readonly number[] }
  | { readonly does: 'move'; readonly term: number; readonly parents: readonly number[] }
  | { readonly does: 'delete'; readonly term: number }
  | { readonly does: 'node'; readonly terms: readonly number[] }
  | { readonly does: 'media'; readonly node: number; readonly use: number };

const pick = fc.nat(50);
const some = fc.array(pick, { maxLength: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('term' as const), parents: some }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('move' as const), term: pick, parents: some }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('delete' as const), term: pick }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('node' as const), terms: some }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('media' as const), node: pick, use: pick }) },
);

/** The parents of each term, the terms of each node, the uses of each node's media. */
type Model = {
  readonly terms: Map<number, readonly number[]>;
  readonly nodes: Map<number, readonly number[]>;
  readonly uses: Map<number, number[]>;
};

const chosen = (from: readonly number[], picks: readonly number[]): number[] =>
  from.length === 0 ? [] : [...new Set(picks.map((one) => from[one % from.length] ?? 0))];

const removeFrom = ({ terms }: Model, id: number): void => {
  terms.delete(id);
  for (const child of [...terms.keys()]) {
    // A child that went before may have taken this one with it, or a parent of it.
    const parents = terms.get(child);
    if (parents?.includes(id) !== true) continue;
    const left = parents.filter((one) => one !== id);
    if (left.length === 0) removeFrom({ terms, nodes: new Map(), uses: new Map() }, child);
    else terms.set(child, left);
  }
};

const vid = [{ target_id: 'subject' }];
const references = (ids: readonly number[]) => ids.map((id) => ({ target_id: id }));

const take = async (model: Model, one: Step): Promise<void> => {
  const terms = [...model.terms.keys()];
  const [term] = 'term' in one ? chosen(terms, [one.term]) : [];
  if (one.does === 'term') {
    const parents = chosen(terms, one.parents);
    const body = { vid, name: [{ value: 'T' }], parent: references(parents) };
    const made = await atoll.send('POST', '/taxonomy/term', 'admin').send(body).expect(201);
    model.terms.set(Number(recordOf(made)['tid']?.[0]?.['value']), parents);
  } else if (one.does === 'move' && term !== undefined) {
    const parents = chosen(terms, one.parents);
    const body = { vid, parent: references(parents) };
    await atoll.send('PATCH', `/taxonomy/term/${term}?_format=json`, 'admin').send(body).expect(200);
    model.terms.set(term, parents);
  } else if (one.does === 'delete' && term !== undefined) {
    await atoll.send('DELETE', `/taxonomy/term/${term}?_format=json`, 'admin').expect(204);
    removeFrom(model, term);
  } else if (one.does === 'node') {
    const subjects = chosen(terms, one.terms);
    const type = [{ target_id: 'islandora_object' }];
    const body = {
      type,
      title: [{ value: 'N' }],
      field_model: [{ target_id: 24 }],
      field_subject: references(subjects),
    };
    const made = await atoll.send('POST', '/node', 'admin').send(body).expect(201);
    model.nodes.set(Number(recordOf(made)['nid']?.[0]?.['value']), subjects);
  } else if (one.does === 'media') {
    const [node] = chosen([...model.nodes.keys()], [one.node]);
    const [use] = chosen([...terms, 16, 17], [one.use]);
    if (node === undefined || use === undefined) return;
    const headers = { 'Content-Type': 'image/png', 'Content-Location': `public://h/${node}-${use}.png` };
    await atoll.send('PUT', `/node/${node}/media/image/${use}`, 'admin').set(headers).send(pngBytes());
    model.uses.set(node, [...(model.uses.get(node) ?? []).filter((known) => known !== use), use]);
  }
};

const holds = async (model: Model, made: readonly number[]): Promise<void> => {
  for (const id of made) {
    const answer = await atoll.send('GET', `/taxonomy/term/${id}?_format=json`, 'admin');
    const parents = model.terms.get(id);
    expect([id, answer.status]).toEqual([id, parents === undefined ? 404 : 200]);
    if (parents === undefined) continue;
    const shown = recordOf(answer)['parent']?.map(({ target_id: parent }) => parent);
    expect(shown).toEqual(parents.length === 0 ? [null] : parents);
  }
  for (const [id, subjects] of model.nodes) {
    const answer = await atoll.send('GET', `/node/${id}?_format=json`, 'admin').expect(200);
    const shown = recordOf(answer)['field_subject'] ?? [];
    // A reference to what is gone stays, and leads nowhere.
    expect(shown.map(({ target_id: term, url }) => [term, url !== undefined])).toEqual(
      subjects.map((term) => [term, model.terms.has(term)]),
    );
    const uses = (model.uses.get(id) ?? []).filter((use) => use < 46 || model.terms.has(use));
    const links =
      [answer.headers['link']]
        .flat()
        .join(', ')
        .match(/\/media\/\d+>; rel="related"/g) ?? [];
    expect(links).toHaveLength(uses.length);
    await atoll.send('GET', `/node/${id}?_format=jsonld`, 'admin').expect(200);
  }
};

describe('Random histories of terms with children, uses and references', () => {
  it('leave what the rules say', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength, size: 'max' }), async (history) => {
        await atoll.reset();
        const model: Model = { terms: new Map(), nodes: new Map(), uses: new Map() };
        const made = new Set<number>();
        for (const one of history) {
          await take(model, one);
          for (const id of model.terms.keys()) made.add(id);
        }
        await holds(model, [...made]);
      }),
      { numRuns, seed: jest.getSeed() },
    );
  });
});
