/**
 * Reads of records that are far away, as in a database: they are the answers of records that are there, for every record, list and
 * reader. No wrong value passes.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { entityTypes, type World } from '../../src/repository/repository.ts';
import { Repository } from '../../src/repository/repository-content.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { someOf } from '../support/long-run.ts';
import { inOneWorld } from '../support/one-world.ts';
import { setField } from './two-apps.ts';
import type { EntityKey, FieldItems, Entity, EntityStore } from '../../src/openapi/openapi-records.ts';

const media = '/node/26/media?_format=json';
const readers = [undefined, 'admin', 'editor', 'viewer', 'plain'];

/** The world, with a store that has no record at hand and counts what is asked of it. */
const away = (world: World, counts: { calls: number }): World => {
  const store: EntityStore = {
    ...world.store,
    present: undefined,
    getMany: (keys) => {
      // Authentication reads accounts.
      if (!keys.every((key) => key.startsWith('user:'))) counts.calls += 1;
      return world.store.getMany(keys);
    },
    lookupMany: (indexes) => {
      counts.calls += 1;
      return world.store.lookupMany(indexes);
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
  })[type] ?? '';

type Seen = { readonly status: number; readonly headers: unknown; readonly body: string };

const ask = async (atoll: TestAtoll, path: string, as: string | undefined): Promise<Seen> => {
  const { status, headers, text } = await atoll.send('GET', path, as);
  return { status, headers: { ...(headers as Record<string, unknown>), date: undefined }, body: text };
};

describe('A read of records that are far away', () => {
  const counts = { calls: 0 };
  let near: TestAtoll;
  let far: TestAtoll;
  let keeping: TestAtoll;

  beforeAll(async () => {
    near = await createTestAtoll({ app: { replyCacheBytes: 0, checkReplies: 'fail' } });
    far = await createTestAtoll({
      app: {
        ...{ replyCacheBytes: 0, checkReplies: 'fail' },
        locate: inOneWorld(() => away(near.world(), counts)),
      },
    });
    keeping = await createTestAtoll({ app: { checkReplies: 'off', locate: inOneWorld(() => near.world()) } });
    // The checks of texts are compiled when an operation is asked often.
    for (let asked = 0; asked < 60; asked += 1) await ask(near, '/node/1?_format=json', undefined);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }, 60_000);
  afterAll(() => near.reset());

  const agreed = async (path: string, as: string | undefined): Promise<Seen> => {
    const seen = await ask(near, path, as);
    expect({ path, as, ...(await ask(far, path, as)) }).toEqual({ path, as, ...seen });
    return seen;
  };

  it('asks for what it misses together', async () => {
    counts.calls = 0;
    await ask(far, '/node/2?_format=json', undefined);
    // The node; what it refers to; its references and media for the links; what the media are for.
    expect(counts.calls).toBeLessThanOrEqual(5);
  });

  it('is that of records that are there, for every record, format and reader', async () => {
    const entities = await Promise.all(
      entityTypes.map(async (type) => (await near.world().store.list(type, { offset: 0, limit: 8 })).entities),
    );
    const statuses = new Set<number>();
    for (const path of someOf(entities.flat().map(pathOf))) {
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
      await near.reset();
      await setField(near.world(), key, field, items);
      expect(await agreed('/node/2?_format=json', undefined)).toMatchObject({ status: 500 });
    }
  }, 60_000);

  it('is that of records that are there for texts that JSON or a header must escape', async () => {
    for (const value of ['"', '\\', '\u2028', 'é✓😀', '\t\n', '\ud800', '</script>', '\u007f', '']) {
      await near.reset();
      await setField(near.world(), 'node:1', 'title', [{ value }]);
      await setField(near.world(), 'taxonomy_term:23', 'name', [{ value }]);
      await setField(near.world(), 'node:2', 'field_description', [{ value }]);
      const { status, body } = await agreed('/node/2?_format=json', undefined);
      expect(status).toBe(200);
      expect(JSON.parse(body)).toMatchObject({ field_description: [{ value }] });
    }
  }, 60_000);

  it('is kept until something that it shows or links to has changed', async () => {
    await near.reset();
    const path = '/node/2?_format=json';
    const changes: readonly (readonly [EntityKey, string, FieldItems])[] = [
      ['node:2', 'title', [{ value: 'Another title' }]],
      ['taxonomy_term:3', 'name', [{ value: 'Another word' }]],
      ['node:1', 'status', [{ value: false }]],
      ['media:1', 'field_media_of', [{ target_id: 2 }]],
    ];
    for (const [key, field, items] of changes) {
      for (let asked = 0; asked < 3; asked += 1) await ask(keeping, path, undefined);
      const before = await ask(far, path, 'admin');
      for (let asked = 0; asked < 3; asked += 1) expect(await ask(keeping, path, 'admin')).toEqual(before);
      await setField(near.world(), key, field, items);
      for (const as of [undefined, 'admin']) expect(await ask(keeping, path, as)).toEqual(await ask(far, path, as));
    }
    const links = JSON.stringify((await ask(keeping, path, 'admin')).headers);
    expect(links).toContain('/media/1>');
    expect(links).toContain('Another word');
  });

  it('shows a change of the record, and of what it refers to', async () => {
    await near.reset();
    await agreed('/node/2?_format=json', undefined);
    await setField(near.world(), 'taxonomy_term:3', 'name', [{ value: 'Another word' }]);
    const changed = await agreed('/node/2?_format=json', undefined);
    expect(JSON.stringify(changed.headers)).toContain('Another word');
    await setField(near.world(), 'taxonomy_term:3', 'status', [{ value: false }]);
    const hidden = await agreed('/node/2?_format=json', undefined);
    expect(JSON.stringify(hidden.headers)).not.toContain('Another word');
  });

  it('is that of records that are there for lists, for every reader, format and page', async () => {
    const paths = ['/node/26/media', '/node/5/media', '/node/1/members', '/node/23/members', '/node/99999/media'];
    const queries = ['_format=json', '_format=jsonld', 'items_per_page=2&page=1', 'page=9', 'page=-1', '_format=xml'];
    const statuses = new Set<number>();
    for (const path of paths) {
      for (const query of queries) {
        for (const as of [undefined, 'admin', 'viewer', 'plain'])
          statuses.add((await agreed(`${path}?${query}`, as)).status);
      }
    }
    expect([...statuses].sort()).toEqual([200, 400, 401, 403, 404, 406]);
  }, 60_000);

  it('shows in a list a change of a record, of what it refers to, and of who may see it', async () => {
    await near.reset();
    const changes: readonly (readonly [EntityKey, string, FieldItems, shown: string])[] = [
      ['media:50', 'name', [{ value: 'Another name' }], 'Another name'],
      ['taxonomy_term:16', 'path', [{ alias: '/another-word', langcode: 'en' }], '/another-word'],
    ];
    for (const [key, field, items, shown] of changes) {
      expect((await agreed(media, 'viewer')).body).not.toContain(shown);
      await setField(near.world(), key, field, items);
      expect((await agreed(media, 'viewer')).body).toContain(shown);
    }
    await setField(near.world(), 'media:50', 'status', [{ value: false }]);
    expect((await agreed(media, 'viewer')).body).not.toContain('Another name');
    expect((await agreed(media, 'admin')).body).toContain('Another name');
  });

  it('is checked member by member as a list, too: a value that the document does not allow is found', async () => {
    await near.reset();
    await agreed(media, 'viewer');
    await setField(near.world(), 'media:50', 'name', [{ value: 7 }]);
    expect(await agreed(media, 'viewer')).toMatchObject({ status: 500 });
  });
});
