/** The reply cache is never stale: cached and fresh replies are equal under random writes, readers and interleavings. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { tries } from '../support/long-run.ts';
import { pngBytes } from '../support/png.ts';
import { createTwoApps, setField, type Read, type TwoApps } from './two-apps.ts';
import type { EntityStore } from '../../src/openapi/openapi-records.ts';

type Write =
  | { readonly kind: 'title' | 'member-of' | 'published'; readonly node: number; readonly value: number }
  | { readonly kind: 'label'; readonly term: number; readonly value: number }
  | { readonly kind: 'hide' | 'delete'; readonly media: number; readonly value: number }
  | { readonly kind: 'upload'; readonly node: number; readonly value: number }
  | { readonly kind: 'roles'; readonly value: number };

/** What happens: a read, or a write while a read is under way. */
type Step = { readonly read: Read; readonly write: Write | undefined };

const node = fc.constantFrom(1, 2, 5);
const media = fc.constantFrom(1, 2);
const value = fc.nat(3);
const write: fc.Arbitrary<Write> = fc.oneof(
  fc.record({ kind: fc.constantFrom('title', 'member-of', 'published'), node, value }),
  // The model of node 5 and the use of its media: shown as links by their labels.
  fc.record({ kind: fc.constant('label'), term: fc.constantFrom(24, 16), value }),
  fc.record({ kind: fc.constantFrom('hide', 'delete'), media, value }),
  fc.record({ kind: fc.constant('upload'), node: fc.constantFrom(2, 5), value }),
  fc.record({ kind: fc.constant('roles'), value }),
);
const path = fc.constantFrom(
  ...[1, 2, 5].flatMap((id) => [`/node/${id}?_format=json`, `/node/${id}?_format=jsonld`]),
  ...[1, 2].map((id) => `/media/${id}?_format=json`),
  '/taxonomy/term/24?_format=json',
  '/user/2?_format=json',
  // Node 2 is a member of node 1 at times, and node 5 has media.
  ...['/node/1/members', '/node/2/members', '/node/5/media'].map((list) => `${list}?_format=json`),
  '/node/5/media?_format=jsonld&items_per_page=1&page=1',
  '/vocabulary?_format=json&vid=islandora_models',
  '/term_from_term_name?_format=json&name=Label%201&vocab=islandora_models',
);
const read: fc.Arbitrary<Read> = fc.record({ path, as: fc.constantFrom(undefined, 'admin', 'viewer', 'editor') });
const step: fc.Arbitrary<Step> = fc.record({ read, write: fc.option(write, { nil: undefined }) });

const json = { 'content-type': 'application/json' };

const carryOut = async (apps: TwoApps, { kind, ...what }: Write): Promise<unknown> => {
  const {
    node: id = 0,
    media: mid = 0,
    term = 0,
    value: drawn,
  } = what as { node?: number; media?: number; term?: number; value: number }; // whichever the kind has
  switch (kind) {
    case 'title': {
      const body = { type: [{ target_id: 'islandora_object' }], title: [{ value: `Title ${drawn}` }] };
      return apps.send('PATCH', `/node/${id}?_format=json`, json, JSON.stringify(body));
    }
    case 'member-of':
      return setField(apps.world(), `node:${id}`, 'field_member_of', drawn === 0 ? [] : [{ target_id: drawn }]);
    case 'published':
      return setField(apps.world(), `node:${id}`, 'status', [{ value: drawn > 1 }]);
    case 'label':
      return setField(apps.world(), `taxonomy_term:${term}`, 'name', [{ value: `Label ${drawn}` }]);
    case 'hide':
      return setField(apps.world(), `media:${mid}`, 'status', [{ value: drawn > 1 }]);
    case 'delete':
      return apps.send('DELETE', `/media/${mid}?_format=json`, {});
    case 'upload': {
      const place = { 'content-type': 'image/png', 'content-location': `public://kept-${drawn}.png` };
      return apps.send('PUT', `/node/${id}/media/image/18`, place, new Uint8Array(pngBytes(1 + drawn, 2)));
    }
    case 'roles': {
      const held = [[], [{ value: 'administrator' }], [{ value: 'editor' }], [{ value: 'viewer' }]];
      return setField(apps.world(), 'user:3', 'roles', held[drawn] ?? []);
    }
  }
};

/** The read begins before the write, and the write lands while it is under way; then both applications must agree. */
const agree = async (apps: TwoApps, { read: wanted, write: change }: Step): Promise<void> => {
  // A reply is cached at the second request.
  await apps.cached(wanted);
  const underway = apps.cached(wanted);
  if (change !== undefined) await carryOut(apps, change);
  await underway;
  expect(await apps.cached(wanted)).toEqual(await apps.fresh(wanted));
};

describe('A cached reply', () => {
  let apps: TwoApps;
  beforeAll(async () => {
    apps = await createTwoApps();
  });
  afterAll(() => apps.close());

  it('equals the one that is made anew, whatever is written in between or meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        await apps.reset();
        for (const one of steps) await agree(apps, one);
        // A reply that an earlier step cached may depend on what a later one wrote.
        for (const one of steps) expect(await apps.cached(one.read)).toEqual(await apps.fresh(one.read));
      }),
      { numRuns: tries(25), seed: 8, endOnFailure: true },
    );
  }, 60_000);

  it('meets writes that are accepted: 200, 201 and 204', async () => {
    await apps.reset();
    expect(await carryOut(apps, { kind: 'title', node: 5, value: 1 })).toBe(200);
    expect(await carryOut(apps, { kind: 'upload', node: 2, value: 1 })).toBe(201);
    expect(await carryOut(apps, { kind: 'delete', media: 1, value: 1 })).toBe(204);
  });

  it('is sent again while nothing changes, without a read of the store', async () => {
    await apps.reset();
    const wanted: Read = { path: '/node/5?_format=json', as: undefined };
    await apps.cached(wanted);
    const made = await apps.cached(wanted);
    const { store } = apps.world();
    const getMany = store.getMany.bind(store);
    let asked = 0;
    Object.assign(store, {
      getMany: (...keys: Parameters<EntityStore['getMany']>) => {
        asked += 1;
        return getMany(...keys);
      },
    });
    expect(await apps.cached(wanted)).toEqual(made);
    expect(asked).toBe(0);
    await apps.fresh(wanted);
    expect(asked).toBeGreaterThan(0);
  });
});

describe('The comparison', () => {
  it('notices a single dependency that is not told: a term whose label changed', async () => {
    const deaf = await createTwoApps(
      (store) => (listener) =>
        store.watch((touched, changes) =>
          listener(new Set([...touched].filter((key) => key !== 'taxonomy_term:24')), changes),
        ),
    );
    const wanted: Read = { path: '/node/5?_format=json', as: undefined };
    const relabelled: Step = { read: wanted, write: { kind: 'label', term: 24, value: 1 } };
    await agree(deaf, { read: wanted, write: undefined });
    await expect(agree(deaf, relabelled)).rejects.toThrow(/Label 1/);
    await deaf.close();
  });
});
