/** The lists of records page by page: `/node/{id}/members`, `/node/{id}/media` and the look-ups of terms. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { baseUrl, createTestAtoll } from '../support/atoll.ts';
import { messageOf } from '../support/requests.ts';

const atoll = await createTestAtoll();
beforeEach(() => atoll.reset());

type Shown = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
const idsIn = (response: { body: unknown }, field: string): unknown[] =>
  (response.body as Shown[]).map((record) => record[field]?.[0]?.['value']); // a list of records, checked by the engine

/** The targets of the `Link` header by relation. */
const pagesIn = (response: { headers: unknown }): Record<string, string> => {
  const { link = '' } = response.headers as Readonly<Record<string, string>>; // supertest's headers
  return Object.fromEntries(
    [...link.matchAll(/<([^>]*)>; rel="([^"]*)"/g)].map(([, target = '', rel = '']) => [
      rel,
      target.replace(baseUrl, ''),
    ]),
  );
};

describe('GET /node/{node_id}/members', () => {
  it('answers 200 with one page and the links to the others, which lead through the whole list once', async () => {
    const members = '/node/1/members';
    const first = await atoll.send('GET', `${members}?_format=json&items_per_page=3`).expect(200);
    expect(idsIn(first, 'nid')).toEqual([2, 3, 4]);
    expect(pagesIn(first)).toEqual({
      first: `${members}?_format=json&page=0&items_per_page=3`,
      next: `${members}?_format=json&page=1&items_per_page=3`,
      last: `${members}?_format=json&page=2&items_per_page=3`,
    });
    const seen = idsIn(first, 'nid');
    for (let next = pagesIn(first)['next']; next !== undefined;) {
      const page = await atoll.send('GET', next).expect(200);
      seen.push(...idsIn(page, 'nid'));
      next = pagesIn(page)['next'];
    }
    expect(seen).toEqual([2, 3, 4, 9, 15, 26, 29]);
  });

  it('answers 200 with an empty page behind the last one, from which a link leads back', async () => {
    const behind = await atoll.send('GET', '/node/1/members?page=7&items_per_page=3').expect(200);
    expect(behind.body).toEqual([]);
    expect(pagesIn(behind)).toMatchObject({
      prev: '/node/1/members?page=2&items_per_page=3',
      last: '/node/1/members?page=2&items_per_page=3',
    });
    expect(pagesIn(behind)).not.toHaveProperty('next');
  });

  it('answers 200 with 50 members when the request names no size, and at most with 100', async () => {
    const { store } = atoll.world();
    const [like] = await store.getMany(['node:2']);
    if (like === undefined) throw new Error('The fixture has changed');
    await store.transact([], () => ({
      changes: Array.from({ length: 120 }, (_, at) => ({
        put: { ...like, id: 1000 + at, uuid: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}` },
      })),
      result: undefined,
    }));
    const page = await atoll.send('GET', '/node/1/members?_format=json').expect(200);
    expect(page.body).toHaveLength(50);
    expect(pagesIn(page)['last']).toBe('/node/1/members?_format=json&page=2');
    expect((await atoll.send('GET', '/node/1/members?items_per_page=100').expect(200)).body).toHaveLength(100);
    expect((await atoll.send('GET', '/node/1/members?page=2').expect(200)).body).toHaveLength(27);
  });

  it('counts for the pages only what the requester may view', async () => {
    const path = '/node/1/members?items_per_page=8';
    expect(pagesIn(await atoll.send('GET', path).expect(200))).toEqual({});
    expect(pagesIn(await atoll.send('GET', path, 'admin').expect(200))).toHaveProperty('next');
  });
});

describe.each([
  ['/node/1/members', 'nid', [3]],
  ['/node/5/media', 'mid', [2]],
  ['/term_from_term_name', 'tid', []],
  ['/term_from_uri', 'tid', []],
  ['/term_from_authority_link', 'tid', []],
  ['/vocabulary', 'tid', []],
])('%s', (path, field, second) => {
  it('answers 200 with the page that is asked for, and HEAD with the same links', async () => {
    const asked = `${path}?page=1&items_per_page=1`;
    const got = await atoll.send('GET', asked, 'viewer').expect(200);
    expect(idsIn(got, field)).toEqual(second);
    expect(pagesIn(got)).toHaveProperty('prev', `${path}?page=0&items_per_page=1`);
    expect(pagesIn(await atoll.send('HEAD', asked, 'viewer').expect(200))).toEqual(pagesIn(got));
  });

  it.each([
    ['page=-1', '/query/page: must be >= 0'],
    ['page=one', '/query/page: must be integer'],
    ['page=1.5', '/query/page: must be integer'],
    ['page=', '/query/page: must be integer'],
    ['page=%0A', '/query/page: must be integer'],
    ['page=0,1', '/query/page: must be integer'],
    ['items_per_page=0', '/query/items_per_page: must be >= 1'],
    ['items_per_page=101', '/query/items_per_page: must be <= 100'],
  ])('answers 400 to %s', async (query, message) => {
    expect(messageOf(await atoll.send('GET', `${path}?${query}`, 'viewer').expect(400))).toBe(message);
    await atoll.send('HEAD', `${path}?${query}`, 'viewer').expect(400);
  });
});

describe('GET /term_from_term_name', () => {
  it('repeats the name in the links of its pages, encoded', async () => {
    const { store } = atoll.world();
    const { entities } = await store.list('taxonomy_term', { bundle: 'subject', offset: 0, limit: 1 });
    const [like] = entities;
    if (like === undefined) throw new Error('The fixture has changed');
    await store.transact([], () => ({
      changes: [1, 2].map((at) => ({
        put: {
          ...like,
          id: 1000 + at,
          uuid: `00000000-0000-4000-8000-00000000000${at}`,
          fields: { ...like.fields, name: [{ value: 'Boats & "Ships"' }] },
        },
      })),
      result: undefined,
    }));
    const name = encodeURIComponent('boats & "ships"');
    const first = await atoll.send('GET', `/term_from_term_name?name=${name}&items_per_page=1`).expect(200);
    expect(idsIn(first, 'tid')).toEqual([1001]);
    const next = await atoll.send('GET', pagesIn(first)['next'] ?? '').expect(200);
    expect(idsIn(next, 'tid')).toEqual([1002]);
  });
});
