/** Records whose bundle the site has no more: requests refuse them with 404, lists and links leave them out, and DELETE takes them away. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadSite } from '../support/site-sources.ts';
import { createTestAtoll, root, type TestAtoll } from '../support/atoll.ts';
import { messageOf } from '../support/requests.ts';
import { keyOf, type Entity } from '../../src/openapi/openapi-records.ts';

const types = ['node', 'media', 'taxonomy_term'] as const;
const paths = { node: '/node', media: '/media', taxonomy_term: '/taxonomy/term' } as const;

const all = async (atoll: TestAtoll, type: string): Promise<readonly Entity[]> =>
  (await atoll.world().store.list(type, { offset: 0, limit: 10_000 })).entities;

/** Every second record of each type is of a bundle that an older site had. */
const loseBundles = async (atoll: TestAtoll): Promise<readonly Entity[]> => {
  const found = await Promise.all(types.map((type) => all(atoll, type)));
  const gone = found.flatMap((records) => records.filter((_, at) => at % 2 === 0).slice(0, 6));
  const changes = gone.map((record) => ({ put: { ...record, bundle: 'gone' } }));
  await atoll.world().store.transact(gone.map(keyOf), () => ({ changes, result: undefined }));
  return gone;
};

const sites = {
  'the default site': () => createTestAtoll(),
  'a site that does much by itself': async () => {
    const site = await loadSite(join(root, 'data/sites/starter-site'));
    return createTestAtoll({ site: () => site, fixture: 'sample:12' });
  },
};

describe.each(Object.entries(sites))('%s', (_name, open) => {
  let atoll: TestAtoll;
  let gone: readonly Entity[];
  beforeAll(async () => {
    atoll = await open();
    gone = await loseBundles(atoll);
  });

  const addressOf = ({ type, id }: Entity): string =>
    `${paths[type as (typeof types)[number]]}/${id}${type === 'media' && !atoll.site.standaloneMedia ? '/edit' : ''}`;
  const isGone = (record: Entity): boolean => gone.some((one) => one.type === record.type && one.id === record.id);

  it('answers 404 that says why, in every format', async () => {
    for (const record of gone) {
      for (const format of ['json', 'jsonld']) {
        const answer = await atoll.send('GET', `${addressOf(record)}?_format=${format}`, 'admin');
        expect(answer.status).toBe(404);
        expect(messageOf(answer)).toBe(
          `The site has no bundle "gone" any more, so that it cannot show ${record.type} ${record.id}.`,
        );
      }
    }
  });

  it('answers no request on any record with 500', async () => {
    const records = (await Promise.all([...types, 'file' as const].map((type) => all(atoll, type)))).flatMap((found) =>
      found.slice(0, 14),
    );
    const lists = ['/node', '/oai/request?verb=ListRecords&metadataPrefix=oai_dc', '/_atoll/entities'];
    const asked = records.flatMap((record) => {
      const address = record.type === 'file' ? `/entity/file/${record.id}` : addressOf(record);
      const below = { node: ['/media', '/members', '/manifest', '/linkset'], media: ['/linkset', '/edit'] };
      const more = record.type === 'node' || record.type === 'media' ? below[record.type] : [];
      return [
        ...['?_format=json', '?_format=jsonld', ''].map((query) => address + query),
        ...more.map((part) => `${address}${part}?_format=json`),
        ...(record.type === 'file' ? [] : [`/_atoll/entities/${record.type}/${record.id}`]),
      ];
    });
    const statuses: string[] = [];
    for (const path of [...lists, ...asked]) {
      for (const as of ['admin', undefined]) {
        const { status, text } = await atoll
          .send('GET', path, as)
          .set('Accept', path.includes('_format') ? '*/*' : 'text/html');
        if (status >= 500) statuses.push(`${status} ${path} ${text.slice(0, 200)}`);
      }
    }
    expect(statuses).toEqual([]);
  });

  it('leaves them out of lists', async () => {
    const nodes = (await all(atoll, 'node')).filter((node) => !isGone(node));
    for (const { id } of nodes) {
      const answer = await atoll.send('GET', `/node/${id}/members?_format=json`, 'admin');
      expect(answer.status).toBe(200);
      const shown = (answer.body as { nid: [{ value: number }] }[]).map(({ nid: [{ value }] }) => value);
      expect(shown.filter((nid) => gone.some((one) => one.type === 'node' && one.id === nid))).toEqual([]);
    }
  });

  it('refuses to change them, with 404', async () => {
    const [node] = gone;
    const body = { type: [{ target_id: 'islandora_object' }], title: [{ value: 'New' }] };
    const { status } = await atoll
      .send('PATCH', `/node/${node?.id}?_format=json`, 'admin')
      .set('Content-Type', 'application/json')
      .send(body);
    expect(status).toBe(404);
  });

  it('deletes them with 204', async () => {
    for (const record of gone) {
      const { status } = await atoll.send('DELETE', `${addressOf(record)}?_format=json`, 'admin');
      // The deletion of a term takes its children along.
      expect(record.type === 'taxonomy_term' ? [204, 404] : [204]).toContain(status);
    }
  });
});
