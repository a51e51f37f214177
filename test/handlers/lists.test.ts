/** The lists that a site declares: conditions, order, columns, pages and guards. Those of the default site are in `test/expected/default/lists.yml`. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { declaredLists, type WrittenList } from '../support/site-files.ts';
import { createTestAtoll } from '../support/atoll.ts';
import { messageOf } from '../support/requests.ts';

type Written = Omit<WrittenList, 'label' | 'page_size'> & { readonly page_size?: number | 'all' };

const places = { path: '/api/objects', entity_type: 'node' } as const;

const written: readonly Written[] = [
  { ...places, sort: ['-title'], page_size: 4, largest_page: 9, parameters: { model: 'field_model' } },
  {
    ...{ path: '/api/rows/{node}', entity_type: 'node', arguments: { node: 'field_member_of' }, limit: 2 },
    fields: {
      ...{ nid: 'nid', title: { field: 'title', as: 'link' }, owner: { field: 'uid', as: 'label' } },
      ...{ model: { field: 'field_model', as: 'raw' }, day: { field: 'created', as: 'day' } },
      ...{ pid: { field: 'field_pid', as: 'raw' }, about: { field: 'field_description', as: 'html' } },
      kind: { field: 'field_model', as: 'link' },
    },
  },
  {
    ...{ path: '/api/kinds/{bundle}', entity_type: 'media', arguments: { bundle: 'bundle' }, sort: ['name', '-mid'] },
    ...{ parameters: { other: { field: 'mid', not: true } }, permissions: ['view media'], providers: ['basic_auth'] },
  },
  {
    ...{ path: '/api/staff', entity_type: 'taxonomy_term', roles: ['editor'], formats: ['jsonld', 'json'] },
    where: { vid: ['subject', 'person'], status: true, name: { not: 'Boats' }, description: { set: false } },
  },
  {
    ...{ path: '/api/pictures', entity_type: 'media', where: { bundle: 'image' }, sort: ['mid'], limit: 3 },
    fields: {
      ...{ mid: 'mid', url: { field: 'field_media_image', as: 'url' } },
      ...{ path: { field: 'field_media_image', as: 'path' }, page: { field: 'field_media_of', as: 'path' } },
      size: { field: 'filesize', through: 'field_media_image' },
      alt: 'field_media_image.alt',
      item: { field: 'title', as: 'link', through: 'field_media_of' },
      model: { field: 'field_model', as: 'label', through: 'field_media_of' },
      subjects: { field: 'field_subject', as: 'raw', through: 'field_media_of' },
    },
  },
  {
    ...{ path: '/api/subjects', entity_type: 'node', where: { field_subject: { set: true } }, sort: ['nid'] },
    fields: {
      ...{ nid: 'nid', all: { field: 'field_subject', as: 'raw' }, first: { field: 'field_subject', limit: 1 } },
      others: { field: 'field_subject', as: 'link', offset: 1, limit: 2 },
    },
  },
  {
    ...{ path: '/api/bytes', entity_type: 'file', sort: ['fid'], limit: 1 },
    fields: { fid: 'fid', url: { field: 'uri', as: 'url' }, owner: { field: 'name', through: 'uid' } },
  },
  { path: '/api/visitors', entity_type: 'taxonomy_term', permissions: ['this one', 'or that one'] },
];

const lists = await declaredLists(written.map((list) => ({ label: 'A list', page_size: 'all' as const, ...list })));

const atoll = await createTestAtoll({ site: (site) => ({ ...site, lists: [...site.lists, ...lists] }) });
beforeEach(() => atoll.reset());

type Shown = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
const valuesIn = (response: { body: unknown }, field: string): unknown[] =>
  (response.body as Shown[]).map((record) => record[field]?.[0]?.['value']); // a list of records, checked by the engine

/** A client that asks for page after page until one is empty. */
const walked = async (path: string, field: string, as?: string): Promise<unknown[]> => {
  const seen: unknown[] = [];
  for (let page = 0; page < 50; page += 1) {
    const found = valuesIn(
      await atoll.send('GET', `${path}${path.includes('?') ? '&' : '?'}page=${page}`, as).expect(200),
      field,
    );
    if (found.length === 0) return seen;
    seen.push(...found);
  }
  throw new Error(`${path} does not end`);
};

describe('A list that a site declares', () => {
  it('lists every record that the requester may view once, page by page until one is empty, in its order', async () => {
    const titles = (await walked('/api/objects?_format=json', 'title')).map(String);
    const visible = (await atoll.world().store.list('node', { offset: 0, limit: 999 })).entities.filter(
      ({ fields }) => fields['status']?.[0]?.['value'] === true,
    );
    expect(titles).toHaveLength(visible.length);
    expect(titles).toEqual([...titles].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? 1 : -1)));
    expect((await walked('/api/objects', 'nid', 'admin')).length).toBeGreaterThan(titles.length);
  });

  it('takes a parameter of the query where there is one, and a size of its pages up to the largest', async () => {
    const of = async (query: string) => valuesIn(await atoll.send('GET', `/api/objects?${query}`).expect(200), 'nid');
    const images = await of('model=24&items_per_page=9');
    expect(images.length).toBeGreaterThan(0);
    expect(await of('model=999999')).toEqual([]);
    expect(await of('model=')).toHaveLength(4);
    await atoll.send('GET', '/api/objects?items_per_page=10').expect(400);
  });

  it('shows the fields that it chooses, in the forms of its columns, and no more records than its limit', async () => {
    const answer = await atoll.send('GET', '/api/rows/1', 'admin').expect(200);
    const rows = answer.body as Readonly<Record<string, unknown>>[]; // checked by the engine
    const [first] = rows;
    expect(rows).toHaveLength(2);
    const record = (await atoll.send('GET', '/node/2?_format=json', 'admin').expect(200)).body as Shown; // checked by the engine
    const title = String(record['title']?.[0]?.['value']);
    expect(first).toEqual({
      ...{
        nid: '2',
        title: `<a href="/node/2" hreflang="en">${title}</a>`,
        day: String(record['created']?.[0]?.['value']).slice(0, 10),
      },
      owner: expect.stringMatching(/^[a-z]+$/) as unknown,
      model: String(record['field_model']?.[0]?.['target_id']),
      pid: record['field_pid']?.[0]?.['value'] ?? false,
      about: `<p>${String(record['field_description']?.[0]?.['value'])}</p>\n`,
      kind: expect.stringMatching(/^<a href="\/taxonomy\/term\/[0-9]+" hreflang="[a-z]+">[^<]+<\/a>$/) as unknown,
    });
    expect((await atoll.send('GET', '/api/rows/1?page=1').expect(200)).body).toEqual([]);
  });

  it('shows where files and records are, fields behind a reference, and some of many values, with 200', async () => {
    const json = async (path: string): Promise<unknown> =>
      (await atoll.send('GET', path, 'admin').expect(200)).body as unknown;
    const rows = (await json('/api/pictures')) as Readonly<Record<string, string>>[];
    expect(rows).toHaveLength(3);
    for (const row of rows) {
      const media = (await json(`/media/${row['mid']}?_format=json`)) as Shown;
      const [image, of] = [media['field_media_image']?.[0], media['field_media_of']?.[0]?.['target_id']];
      const node = (await json(`/node/${String(of)}?_format=json`)) as Shown;
      const file = (await json(`/entity/file/${String(image?.['target_id'])}?_format=json`)) as Shown;
      const title = String(node['title']?.[0]?.['value']);
      expect(row).toMatchObject({
        ...{ url: image?.['url'], alt: image?.['alt'], path: new URL(String(image?.['url'])).pathname },
        ...{ page: `/node/${String(of)}`, size: String(file['filesize']?.[0]?.['value']) },
        item: `<a href="/node/${String(of)}" hreflang="en">${title}</a>`,
        subjects: (node['field_subject'] ?? []).map(({ target_id: id }) => String(id)),
      });
      expect(row['model']).toMatch(/^[A-Z][A-Za-z ]+$/);
    }
    const subjects = (await json('/api/subjects')) as { all: string[]; first: string; others: string }[];
    expect(subjects.length).toBeGreaterThan(0);
    expect(subjects.map(({ first }) => first)).toEqual(subjects.map(({ all }) => all[0]));
    const names = subjects.map(({ others }) => others.split('<a ').length - 1);
    expect(names).toEqual(subjects.map(({ all }) => Math.min(2, all.length - 1)));
    expect(await json('/api/bytes')).toEqual([
      expect.objectContaining({ url: expect.stringMatching(/^http:\/\/localhost:8000\/.+\.\w+$/) as unknown }),
    ]);
  });

  it('shows nothing of a record behind a reference that the requester may not view, with 200', async () => {
    const [picture] = (await atoll.send('GET', '/api/pictures', 'admin').expect(200)).body as { page: string }[]; // a list of rows
    const hidden = { type: [{ target_id: 'islandora_object' }], status: [{ value: false }] };
    await atoll
      .send('PATCH', `${String(picture?.page)}?_format=json`, 'admin')
      .send(hidden)
      .expect(200);
    const [row] = (await atoll.send('GET', '/api/pictures', 'viewer').expect(200)).body as { item: string }[]; // a list of rows
    expect(row).toMatchObject({ item: '', model: '', subjects: null });
  });

  it('answers 404 for a record in its path that is not there, and 403 for one that may not be viewed', async () => {
    const absent = await atoll.send('GET', '/api/rows/999').expect(404);
    expect(messageOf(absent)).toBe(
      'The "node" parameter was not converted for the path "/api/rows/{node}" (route name: "listApiRowsOfNode")',
    );
    await atoll.send('GET', '/api/rows/one').expect(404);
    await atoll.send('GET', '/api/rows/11').expect(401);
    await atoll.send('GET', '/api/rows/11', 'viewer').expect(403);
    await atoll.send('HEAD', '/api/rows/999').expect(404);
  });

  it('is for those with its permission, and for its providers', async () => {
    const denied = await atoll.send('GET', '/api/kinds/image').expect(401);
    expect(denied.headers['www-authenticate']).toBe('Basic realm="Contract Site"');
    const all = valuesIn(await atoll.send('GET', '/api/kinds/image', 'viewer').expect(200), 'mid');
    const others = valuesIn(
      await atoll.send('GET', `/api/kinds/image?other=${String(all[0])}`, 'viewer').expect(200),
      'mid',
    );
    expect(others).toEqual(all.slice(1));
    expect((await atoll.send('GET', '/api/kinds/no_such_kind', 'viewer').expect(200)).body).toEqual([]);
    const refused = await atoll.send('GET', '/api/kinds/image').set('Authorization', 'Bearer wrong').expect(403);
    expect(messageOf(refused)).toBe('The used authentication method is not allowed on this route.');
  });

  it('is for those with one of its roles, or names its permissions', async () => {
    expect(messageOf(await atoll.send('GET', '/api/staff', 'viewer').expect(403))).toBe('');
    const found = await atoll.send('GET', '/api/staff?_format=jsonld', 'editor').expect(200);
    expect(JSON.parse(found.text)).not.toEqual([]);
    expect(messageOf(await atoll.send('GET', '/api/visitors', 'viewer').expect(403))).toBe(
      "The following permissions are required: 'this one' OR 'or that one'.",
    );
  });

  it('finds by every condition', async () => {
    const terms = (await atoll.world().store.list('taxonomy_term', { offset: 0, limit: 999 })).entities;
    const wanted = terms.filter(
      ({ bundle, fields }) =>
        ['subject', 'person'].includes(bundle) &&
        fields['name']?.[0]?.['value'] !== 'Boats' &&
        fields['description'] === undefined,
    );
    const found = valuesIn(await atoll.send('GET', '/api/staff', 'editor').expect(200), 'tid');
    expect(found).toEqual(wanted.map(({ id }) => id));
  });

  it('is in the document as it is declared', async () => {
    const answer = await atoll.send('GET', '/openapi.json').expect(200);
    const { paths } = answer.body as { paths: Record<string, { get: Record<string, unknown> }> }; // a valid document
    expect(paths['/api/rows/{node}']?.get).toMatchObject({ operationId: 'listApiRowsOfNode', summary: 'A list' });
    expect(paths['/api/visitors']?.get['security']).toEqual([{ basic_auth: [] }, { jwt_auth: [] }, { cookie: [] }]);
    expect(Object.keys(paths['/api/kinds/{bundle}']?.get['responses'] ?? {})).toEqual([
      '200',
      '400',
      '401',
      '403',
      '406',
      '500',
      '503',
    ]);
  });
});
