/** Lists from the indexes of a database: each has the records that the lists in memory have, in the same order. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  findRecords,
  folded,
  listed,
  placeOf,
  type ContentFilter,
  type ContentQuery,
  listedRecordModel,
} from '../../../src/repository/repository-content.ts';
import { createMemoryEntityStore } from '../../../src/storage/storage.ts';
import type { Database } from '../../../src/team/postgres/database.ts';
import type { StoredWorld } from '../../../src/team/postgres/stored-world.ts';
import { makeWorld, openWorld } from './worlds.ts';
import { type Entity, type Change, type EntityStore, recordOrders } from '../../../src/openapi/openapi-records.ts';

const types = ['node', 'media', 'taxonomy_term'] as const;

/** Letters that engines and languages sort in different ways: cases, accents, pairs of surrogates, halves of them, NUL, blanks. */
const titles = fc.oneof(
  fc.constantFrom('Ann', 'anna', 'Änne', 'b b', 'b', 'Öl', '', ' ', '_', '-', '%', "it's", '\\', 'Z', 'ß', 'ı'),
  fc.constantFrom(
    '\u{1F600}',
    '\uE000',
    '\uFFFD',
    '\uD83D',
    '\uDE00x',
    '\u0000',
    '\u0001',
    '文',
    '\u6100\u6142',
    'a\u{10FFFF}',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('x'.repeat(600), `${'文'.repeat(499)}a`, '\u{1F600}'.repeat(300)),
);

const reference = fc.subarray([1, 2, 24, 124]);

const record = fc.record({
  type: fc.constantFrom(...types),
  id: fc.integer({ min: 1, max: 30 }),
  bundle: fc.constantFrom('page', 'work', 'image'),
  title: titles,
  changed: fc.option(fc.oneof(fc.nat(4), fc.constant(1_700_000_000), fc.constant(0.5))),
  status: fc.boolean(),
  models: reference,
  of: reference,
  mediaOf: reference,
});

type Parts = typeof record extends fc.Arbitrary<infer T> ? T : never;

const refer = (ids: readonly number[]) => ids.map((id) => ({ target_id: id }));

const entityOf = ({ type, id, bundle, title, changed, status, models, of, mediaOf }: Parts): Entity => ({
  ...{ type, id, uuid: `${type}-${id}`, bundle },
  fields: {
    [type === 'node' ? 'title' : 'name']: [{ value: title }],
    status: [{ value: status }],
    ...(changed === null ? {} : { changed: [{ value: changed }] }),
    [type === 'media' ? 'field_media_use' : 'field_model']: refer(models),
    field_member_of: refer(of),
    field_media_of: refer(mediaOf),
  },
});

/** `freeze`: a new layer begins, as a fork or a snapshot makes one. */
const step = fc.oneof(
  { weight: 8, arbitrary: record.map((parts): Change => ({ put: entityOf(parts) })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...types), fc.integer({ min: 1, max: 30 }))
      .map(([type, id]): Change => ({ remove: `${type}:${id}` })),
  },
  { weight: 1, arbitrary: fc.constant('freeze' as const) },
);

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const filter: fc.Arbitrary<ContentFilter> = fc.record({
  bundles: maybe(fc.subarray(['image', 'none', 'page', 'work'], { minLength: 1 })),
  model: maybe(fc.constantFrom(1, 2, 24, 4)),
  memberOf: maybe(fc.constantFrom(1, 24)),
  mediaOf: maybe(fc.constantFrom(2, 12)),
  text: maybe(
    fc
      .oneof(fc.constantFrom('a', 'n', 'b', '文', '\uD83D', '%', '\u0000'), titles)
      .map(folded)
      .filter((text) => text !== ''),
  ),
  isPublished: maybe(fc.boolean()),
});

/** Most ask for little, so that much is found. */
const filters = fc.oneof(
  fc.constant<ContentFilter>({}),
  filter.map(({ bundles }): ContentFilter => ({ bundles })),
  filter.map(({ isPublished, text }): ContentFilter => ({ isPublished, text })),
  filter.map(({ model, memberOf }): ContentFilter => ({ model, memberOf })),
  filter,
);

const question = fc.record({
  type: fc.constantFrom(...types),
  order: fc.constantFrom(...recordOrders),
  isDescending: fc.boolean(),
  filter: filters,
  limit: fc.integer({ min: 1, max: 12 }),
  offset: fc.nat(20),
  /** Behind a record of the page instead, or behind a place that no record has. */
  behind: fc.option(fc.oneof(fc.nat(11), fc.constant('nowhere' as const))),
  nowhere: fc.record({
    value: fc.oneof(fc.nat(30), fc.double({ noNaN: true, noDefaultInfinity: true })),
    title: titles,
    id: fc.oneof(fc.nat(30), fc.constant(2.5)),
  }),
});

const sameAnswers = async (
  memory: EntityStore,
  stored: EntityStore,
  asked: typeof question extends fc.Arbitrary<infer T> ? T : never,
) => {
  const { offset, behind, nowhere, ...common } = asked;
  const first: ContentQuery = { ...common, offset };
  const expected = await findRecords(memory, first);
  expect(await findRecords(stored, first)).toEqual(expected);
  if (behind === null) return;
  const { order } = common;
  const at = behind === 'nowhere' ? undefined : expected.entities[behind];
  const invented =
    order === 'title' ? { value: folded(nowhere.title), id: nowhere.id } : { value: nowhere.value, id: nowhere.id };
  // An id is both of a place in the order of ids.
  const somewhere = order === 'id' ? { value: nowhere.id, id: nowhere.id } : invented;
  const next: ContentQuery = { ...common, after: at === undefined ? somewhere : placeOf(listed(at), order) };
  expect(await findRecords(stored, next)).toEqual(await findRecords(memory, next));
};

export const describeRecordQuery = (name: string, database: () => Database, runs: number): void => {
  describe(`Lists in ${name}`, () => {
    let world: StoredWorld;
    let memory: EntityStore;
    beforeEach(async () => {
      world = await openWorld(database(), await makeWorld(database()), {
        model: listedRecordModel,
      });
      memory = createMemoryEntityStore({ model: listedRecordModel });
    });

    const apply = async (changes: readonly Change[]): Promise<void> => {
      for (const store of [world.store, memory]) await store.transact([], () => ({ changes, result: undefined }));
    };

    /** As a fork does. */
    const freeze = async (): Promise<void> => {
      await database().query(
        `with top as (insert into atoll_layers (id, created) values (nextval('atoll_layer_ids'), 0) returning id)
          update atoll_worlds set chain = array_prepend(top.id, chain), seq = seq + 1 from top where atoll_worlds.id = $1`,
        [world.id],
      );
      await world.refresh();
    };

    it('are those of the lists in memory, whatever was written, frozen and removed', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 1, maxLength: 40 }),
          fc.array(question, { minLength: 8, maxLength: 8 }),
          async (steps, questions) => {
            world = await openWorld(database(), await makeWorld(database()), {
              model: listedRecordModel,
            });
            memory = createMemoryEntityStore({ model: listedRecordModel });
            let changes: Change[] = [];
            for (const each of steps) {
              if (each !== 'freeze') {
                changes.push(each);
                continue;
              }
              await apply(changes);
              changes = [];
              await freeze();
            }
            await apply(changes);
            expect(world.store.find).toBeDefined();
            expect(memory.find).toBeUndefined();
            for (const asked of questions) await sameAnswers(memory, world.store, asked);
          },
        ),
        { numRuns: runs },
      );
    });

    it('have what another process wrote, and not what was in an earlier version', async () => {
      const other = await openWorld(database(), world.id, {
        model: listedRecordModel,
        process: 'p2',
      });
      const node = entityOf({
        type: 'node',
        id: 1,
        bundle: 'page',
        title: 'one',
        changed: 1,
        status: true,
        models: [24],
        of: [1],
        mediaOf: [],
      });
      const asked: ContentQuery = {
        type: 'node',
        order: 'title',
        isDescending: false,
        filter: { model: 24, memberOf: 1 },
        limit: 5,
        offset: 0,
      };
      await apply([{ put: node }]);
      await other.refresh();
      expect(await findRecords(other.store, asked)).toEqual({ total: 1, begin: 0, entities: [node] });
      await apply([{ put: { ...node, fields: { ...node.fields, field_model: [{ target_id: 124 }] } } }]);
      await other.refresh();
      expect(await findRecords(other.store, asked)).toEqual({ total: 0, begin: 0, entities: [] });
    });
  });
};
