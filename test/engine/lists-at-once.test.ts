/** A list that is answered at once: it is the answer of the stations, also of kept texts, and no wrong value passes. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EntityKey, FieldItems } from '../../src/core/model/entity.ts';
import type { EntityStore } from '../../src/core/model/entity-store.ts';
import { Repository } from '../../src/core/content/repository.ts';
import type { World } from '../../src/core/world.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { inOneWorld } from '../support/one-world.ts';
import { setField } from './two-apps.ts';

const media = '/node/26/media?_format=json';

/** The world with a store that counts look-ups that wait. */
const counted = (world: World, counts: { waits: number }): World => {
  const store: EntityStore = {
    ...world.store,
    lookupMany: (indexes) => {
      counts.waits += 1;
      return world.store.lookupMany(indexes);
    },
  };
  return { ...world, store, repository: new Repository({ ...world.repository.parts, store }) };
};

/** The world with a store whose records may be behind a network. */
const away = (world: World): World => {
  const store: EntityStore = { ...world.store, present: undefined };
  return { ...world, store, repository: new Repository({ ...world.repository.parts, store }) };
};

describe('A list that is answered at once', () => {
  const counts = { waits: 0 };
  let atOnce: TestAtoll;
  let byStations: TestAtoll;

  beforeAll(async () => {
    atOnce = await createTestAtoll({ around: (world) => counted(world, counts), app: { checkReplies: 'fail' } });
    byStations = await createTestAtoll({
      app: { checkReplies: 'fail', locate: inOneWorld(() => away(atOnce.world())) },
    });
    await untilAtOnce();
  }, 60_000);
  beforeEach(() => atOnce.reset());

  /** The checks are compiled when an operation is asked often. */
  const untilAtOnce = async (): Promise<void> => {
    for (let asked = 0; asked < 2000; asked += 1) {
      const before = counts.waits;
      await atOnce.send('GET', media, 'viewer');
      if (counts.waits === before) return;
    }
    throw new Error('No list was answered at once.');
  };

  const ask = async (atoll: TestAtoll, path: string, as: string | undefined) => {
    const { status, headers, text } = await atoll.send('GET', path, as);
    return { status, headers: { ...(headers as object), date: undefined }, body: text };
  };

  const agreed = async (path: string, as: string | undefined) => {
    const seen = await ask(atOnce, path, as);
    expect({ path, as, ...seen }).toEqual({ path, as, ...(await ask(byStations, path, as)) });
    return seen;
  };

  it('is the answer of the stations, for every reader, format and page', async () => {
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

  it('shows a change of a record, of what it refers to, and of who may see it', async () => {
    const changes: readonly (readonly [EntityKey, string, FieldItems, shown: string])[] = [
      ['media:50', 'name', [{ value: 'Another name' }], 'Another name'],
      ['taxonomy_term:16', 'path', [{ alias: '/another-word', langcode: 'en' }], '/another-word'],
    ];
    for (const [key, field, items, shown] of changes) {
      expect((await agreed(media, 'viewer')).body).not.toContain(shown);
      await setField(atOnce.world(), key, field, items);
      expect((await agreed(media, 'viewer')).body).toContain(shown);
    }
    await setField(atOnce.world(), 'media:50', 'status', [{ value: false }]);
    expect((await agreed(media, 'viewer')).body).not.toContain('Another name');
    expect((await agreed(media, 'admin')).body).toContain('Another name');
  });

  it('is no answer with a value that the document does not allow: that one is found', async () => {
    await agreed(media, 'viewer');
    await setField(atOnce.world(), 'media:50', 'name', [{ value: 7 }]);
    expect(await agreed(media, 'viewer')).toMatchObject({ status: 500 });
  });
});
