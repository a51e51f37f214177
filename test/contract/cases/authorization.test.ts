/** Group Z: what no request does to records, and takes effect at the next request. The others are in `expected/default`. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { anonymous, bearer, read, seen, sendJson, visit, type Visitor } from '../../support/requests.ts';
import { entityKey, type EntityKey, type Fields } from '../../../src/openapi/openapi-records.ts';

const type = [{ target_id: 'islandora_object' }];
let atoll: TestAtoll;
let as: Readonly<Record<'admin' | 'editor' | 'viewer' | 'plain' | 'owner', Visitor>>;

beforeAll(async () => {
  atoll = await createTestAtoll();
});
beforeEach(async () => {
  await atoll.reset();
  const [admin, editor, viewer, plain, owner] = await Promise.all([
    bearer(atoll, 'admin'), bearer(atoll, 'editor'), bearer(atoll, 'viewer'), bearer(atoll, 'plain'), bearer(atoll, 'owner'),
  ]); // prettier-ignore
  as = { admin, editor, viewer, plain, owner };
});

/** Changes stored fields, as no request could. */
const store = (key: EntityKey, fields: Fields): Promise<void> =>
  atoll.world().store.transact([key], (view) => {
    const entity = view.get(key);
    return {
      changes: entity === undefined ? [] : [{ put: { ...entity, fields: { ...entity.fields, ...fields } } }],
      result: undefined,
    };
  });

describe('Z21: after a deletion', () => {
  it('a file in use, a media, a term in use and an account with nodes leave 200 behind', async () => {
    expect((await visit(atoll, as.admin, 'DELETE', '/entity/file/63')).status).toBe(204);
    await atoll.world().store.transact([], () => ({
      changes: [{ remove: entityKey('taxonomy_term', 16) }, { remove: entityKey('user', 6) }],
      result: undefined,
    }));
    for (const path of ['/node/29', '/media/60', '/node/26', '/media/50']) {
      for (const format of ['json', 'jsonld']) expect((await read(atoll, as.admin, path, format)).status).toBe(200);
    }
    const { headers, body } = seen(await read(atoll, as.admin, '/media/60'));
    expect((body as Record<string, unknown>)['uid']).toEqual([{ target_id: 6 }]); // a media
    expect(String(headers['link'])).not.toContain('describes');
    expect(String(headers['link'])).not.toContain('/taxonomy/term/16');
  });
});

describe('Z24: a right that is taken away, a thing that is hidden', () => {
  it('counts from the next request on', async () => {
    expect((await read(atoll, as.viewer, '/media/60')).status).toBe(200);
    await store(entityKey('user', 3), { roles: [] });
    expect((await read(atoll, as.viewer, '/media/60')).status).toBe(403);
    expect((await read(atoll, as.editor, '/node/13')).status).toBe(200);
    await sendJson(atoll, as.admin, 'PATCH', '/node/13', { type, status: [{ value: false }] });
    expect((await read(atoll, as.editor, '/node/13')).status).toBe(403);
    expect((await read(atoll, anonymous, '/node/13')).status).toBe(401);
  });
});
