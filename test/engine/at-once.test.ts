/** A read that is answered at once: it is the answer of the stations, for every record and reader, and no wrong value passes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EntityKey, FieldItems } from '../../src/core/model/entity.ts';
import { entityTypes, type Entity } from '../../src/core/model/entity.ts';
import type { EntityStore } from '../../src/core/model/entity-store.ts';
import { Repository } from '../../src/core/content/repository.ts';
import type { World } from '../../src/core/world.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { inOneWorld } from '../support/one-world.ts';
import { setField } from './two-apps.ts';

const readers = [undefined, 'admin', 'editor', 'viewer', 'plain'];

/** The world, with a store that counts what waits. `present` may be taken away. */
const counted = (world: World, isPresent: boolean, counts: { waits: number }): World => {
  const store: EntityStore = {
    ...world.store,
    ...(isPresent ? {} : { present: undefined }),
    getMany: (keys) => {
      // Authentication reads accounts.
      if (!keys.every((key) => key.startsWith('user:'))) counts.waits += 1;
      return world.store.getMany(keys);
    },
  };
  return { ...world, store, repository: new Repository({ ...world.repository.parts, store }) };
};

const pathOf = ({ type, id }: Entity): string =>
  ({
    node: `/node/${id}`,
    media: `/media/${id}`,
    file: `/entity/file/${id}`,
    taxonomy_term: `/taxonomy/term/${id}`,
    user: `/user/${id}`,
    path_alias: `/entity/path_alias/${id}`,
    redirect: `/admin/config/search/redirect/edit/${id}`,
  })[type];

type Seen = { readonly status: number; readonly headers: unknown; readonly body: string };

const ask = async (atoll: TestAtoll, path: string, as: string | undefined): Promise<Seen> => {
  const { status, headers, text } = await atoll.send('GET', path, as);
  return { status, headers: { ...(headers as Record<string, unknown>), date: undefined }, body: text };
};

describe('A read that is answered at once', () => {
  const counts = { waits: 0 };
  let atOnce: TestAtoll;
  let byStations: TestAtoll;
  let keeping: TestAtoll;

  beforeAll(async () => {
    atOnce = await createTestAtoll({
      around: (world) => counted(world, true, counts),
      app: { replyCacheBytes: 0, checkReplies: 'fail' },
    });
    const other = await createTestAtoll({
      app: {
        ...{ replyCacheBytes: 0, checkReplies: 'fail' },
        locate: inOneWorld(() => counted(atOnce.world(), false, { waits: 0 })),
      },
    });
    byStations = other;
    keeping = await createTestAtoll({ app: { checkReplies: 'off', locate: inOneWorld(() => atOnce.world()) } });
    await untilAtOnce();
  }, 60_000);
  afterAll(() => atOnce.reset());

  /** The checks are compiled when an operation is asked often. */
  const untilAtOnce = async (): Promise<void> => {
    for (let asked = 0; asked < 2000; asked += 1) {
      const before = counts.waits;
      await ask(atOnce, '/node/1?_format=json', undefined);
      if (counts.waits === before) return;
    }
    throw new Error('No read was answered at once.');
  };

  const agreed = async (path: string, as: string | undefined): Promise<Seen> => {
    const seen = await ask(atOnce, path, as);
    expect({ path, as, ...seen }).toEqual({ path, as, ...(await ask(byStations, path, as)) });
    return seen;
  };

  it('waits for no record of a node, in both formats', async () => {
    for (const format of ['json', 'jsonld']) {
      const before = counts.waits;
      expect(await ask(atOnce, `/node/2?_format=${format}`, undefined)).toMatchObject({ status: 200 });
      expect(counts.waits).toBe(before);
    }
  });

  it('is the answer of the stations, for every record, format and reader', async () => {
    const entities = await Promise.all(
      entityTypes.map(async (type) => (await atOnce.world().store.list(type, { offset: 0, limit: 8 })).entities),
    );
    const statuses = new Set<number>();
    for (const path of entities.flat().map(pathOf)) {
      for (const format of ['json', 'jsonld']) {
        for (const as of readers) statuses.add((await agreed(`${path}?_format=${format}`, as)).status);
      }
    }
    expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 401, 403, 406]));
  }, 120_000);

  it('is no answer with a value that the document does not allow: that one is found', async () => {
    const wrong: readonly (readonly [EntityKey, string, FieldItems])[] = [
      ['node:2', 'title', [{ value: 7 }]],
      ['node:2', 'title', [{ value: 'One' }, { value: 'Two' }]],
      ['node:2', 'title', [{ value: 'One', other: 1 }]],
      ['node:2', 'title', []],
      ['node:2', 'promote', [{ value: 'yes' }]],
      ['node:2', 'created', [{ value: 'yesterday' }]],
      ['node:2', 'uid', [{ target_id: 'nobody' }]],
      ['node:2', 'field_model', [{ target_id: -1 }]],
      ['node:2', 'field_subject', [{ target_id: 3 }, { target_id: 'x' }]],
    ];
    for (const [key, field, items] of wrong) {
      await atOnce.reset();
      await setField(atOnce.world(), key, field, items);
      expect(await agreed('/node/2?_format=json', undefined)).toMatchObject({ status: 500 });
    }
  }, 60_000);

  it('is the answer of the stations for texts that JSON or a header must escape', async () => {
    for (const value of ['"', '\\', '\u2028', 'é✓😀', '\t\n', '\ud800', '</script>', '\u007f', '']) {
      await atOnce.reset();
      await setField(atOnce.world(), 'node:1', 'title', [{ value }]);
      await setField(atOnce.world(), 'taxonomy_term:23', 'name', [{ value }]);
      await setField(atOnce.world(), 'node:2', 'field_description', [{ value }]);
      const { status, body } = await agreed('/node/2?_format=json', undefined);
      expect(status).toBe(200);
      expect(JSON.parse(body)).toMatchObject({ field_description: [{ value }] });
    }
  }, 60_000);

  it('is kept until something that it shows or links to has changed', async () => {
    await atOnce.reset();
    const path = '/node/2?_format=json';
    const changes: readonly (readonly [EntityKey, string, FieldItems])[] = [
      ['node:2', 'title', [{ value: 'Another title' }]],
      ['taxonomy_term:3', 'name', [{ value: 'Another word' }]],
      ['node:1', 'status', [{ value: false }]],
      ['media:1', 'field_media_of', [{ target_id: 2 }]],
    ];
    for (const [key, field, items] of changes) {
      for (let asked = 0; asked < 3; asked += 1) await ask(keeping, path, undefined);
      const before = await ask(byStations, path, 'admin');
      for (let asked = 0; asked < 3; asked += 1) expect(await ask(keeping, path, 'admin')).toEqual(before);
      await setField(atOnce.world(), key, field, items);
      for (const as of [undefined, 'admin'])
        expect(await ask(keeping, path, as)).toEqual(await ask(byStations, path, as));
    }
    const links = JSON.stringify((await ask(keeping, path, 'admin')).headers);
    expect(links).toContain('/media/1>');
    expect(links).toContain('Another word');
  });

  it('shows a change of the record, and of what it refers to', async () => {
    await atOnce.reset();
    await agreed('/node/2?_format=json', undefined);
    await setField(atOnce.world(), 'taxonomy_term:3', 'name', [{ value: 'Another word' }]);
    const changed = await agreed('/node/2?_format=json', undefined);
    expect(JSON.stringify(changed.headers)).toContain('Another word');
    await setField(atOnce.world(), 'taxonomy_term:3', 'status', [{ value: false }]);
    const hidden = await agreed('/node/2?_format=json', undefined);
    expect(JSON.stringify(hidden.headers)).not.toContain('Another word');
  });
});
