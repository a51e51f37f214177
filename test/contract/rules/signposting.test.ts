/** The contract's table of Link headers, one test a kind, and its two rules. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { baseUrl, createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { someOf } from '../../support/long-run.ts';
import { anonymous, basic, bodyOf, everybody, linksOf, visit, type Visitor } from '../../support/requests.ts';

let atoll: TestAtoll;
const editor = basic('editor');

beforeAll(async () => {
  atoll = await createTestAtoll({ site: (site) => ({ ...site, flood: undefined }) });
});

const links = async (path: string, visitor: Visitor = editor, method = 'GET') =>
  linksOf(await visit(atoll, visitor, method, `${path}${path.includes('?') ? '' : '?_format=json'}`));

const at = (path: string): string => `${baseUrl}${path}`;
const relations = 'https://drupal.org/link-relations';
const named = (...names: string[]): string[] => names.map((name) => `${relations}/${name}`);

describe('the kinds of links', () => {
  it.each(['/node/5', '/media/1'])(
    'other representation: %s links the other format with its media type, without a title',
    async (path) => {
      expect((await links(`${path}?_format=json`)).filter(({ rel }) => rel === 'alternate')).toEqual([
        { uri: at(`${path}?_format=jsonld`), rel: 'alternate', type: 'application/ld+json' },
      ]);
      expect((await links(`${path}?_format=jsonld`)).filter(({ rel }) => rel === 'alternate')).toEqual([
        { uri: at(`${path}?_format=json`), rel: 'alternate', type: 'application/json' },
      ]);
    },
  );

  it('entity reference field: related, with the label of the field', async () => {
    expect(await links('/node/5')).toContainEqual({ uri: at('/node/2'), rel: 'related', title: 'Member of' });
    const two = (await links('/node/25')).filter(({ title }) => title === 'Member of');
    expect(two.map(({ uri }) => uri)).toEqual([at('/node/2'), at('/node/7')]);
  });

  it('taxonomy term tag: the external URI where the term has one, with the label of the term', async () => {
    const tags = (await links('/node/5')).filter(({ rel }) => rel === 'tag');
    expect(tags).toContainEqual({
      uri: 'http://purl.org/coar/resource_type/c_c513',
      rel: 'tag',
      title: 'Image',
    });
  });

  it('taxonomy term tag: the local URI where the term has none', async () => {
    const tags = await Promise.all([5, 6, 8, 9, 10, 12].map((id) => links(`/node/${id}`)));
    const local = tags.flat().filter(({ rel, uri }) => rel === 'tag' && uri.startsWith(at('/taxonomy/term/')));
    expect(local.length).toBeGreaterThan(0);
    for (const { uri, title } of local) {
      const body = await bodyOf(visit(atoll, editor, 'GET', `${uri}?_format=json`));
      expect(body).toMatchObject({ name: [{ value: title }] });
      expect((body as { field_external_uri?: unknown[] }).field_external_uri ?? []).toEqual([]); // a record
    }
  });

  it('media of a node: related, with the label of the media use', async () => {
    const media = (await links('/node/5')).filter(({ uri }) => uri.startsWith(at('/media/')));
    expect(media).toEqual([
      { uri: at('/media/1'), rel: 'related', title: 'Original File' },
      { uri: at('/media/2'), rel: 'related', title: 'Service File' },
      { uri: at('/media/3'), rel: 'related', title: 'Thumbnail Image' },
    ]);
  });

  it('node of a media: related, with a label meaning media-of', async () => {
    expect(await links('/media/1')).toContainEqual({ uri: at('/node/5'), rel: 'related', title: 'Media of' });
  });

  it('source file of a media: describes, with the media type of the file', async () => {
    expect((await links('/media/1')).filter(({ rel }) => rel === 'describes')).toEqual([
      { uri: at('/_flysystem/fedora/2019-03/fleet-at-anchor.png'), rel: 'describes', type: 'image/png' },
    ]);
  });

  it('edit source file: edit-media, for those who may', async () => {
    expect(await links('/media/1')).toContainEqual({ uri: at('/media/1/source'), rel: 'edit-media' });
    expect((await links('/media/1', basic('viewer'))).map(({ rel }) => rel)).not.toContain('edit-media');
  });

  it.each([
    [
      '/node/5',
      [
        'canonical',
        'edit-form',
        'version-history',
        ...named('delete-form', 'delete-multiple-form', 'revision', 'create'),
      ],
    ],
    [
      '/media/1',
      [
        'canonical',
        'edit-form',
        'version-history',
        'collection',
        ...named('delete-form', 'delete-multiple-form', 'add-page', 'add-form'),
      ],
    ],
  ])('platform relations of %s are all there', async (path, expected) => {
    const rels = (await links(path)).map(({ rel }) => rel);
    expect(expected.filter((rel) => !rels.includes(rel))).toEqual([]);
    expect((await links(path)).find(({ rel }) => rel === 'canonical')?.uri).toBe(at(path));
  });
});

describe('the rules of signposting', () => {
  it('1: what the requester may not view is not linked: nobody sees a link that is refused on GET', async () => {
    const counts = new Map<string, number>();
    for (const visitor of await everybody(atoll)) {
      const found = [
        ...(await links('/node/5', visitor)),
        ...(await links('/node/24', visitor)),
        ...(await links('/node/26', visitor)),
      ];
      counts.set(visitor.label, found.length);
      const entities = found.filter(({ uri }) =>
        /^http:\/\/localhost:8000\/(node|media|taxonomy\/term)\/\d+$/.test(uri),
      );
      for (const { uri, rel } of someOf(entities)) {
        const { status } = await visit(atoll, visitor, 'GET', `${uri}?_format=json`);
        expect([visitor.label, rel, uri, status]).toEqual([visitor.label, rel, uri, 200]);
      }
    }
    const few = counts.get('anonymous') ?? 0;
    expect(counts.get('editor by Basic')).toBeGreaterThan(few);
    expect(counts.get('editor by Bearer')).toBe(counts.get('editor by Basic'));
    expect(counts.get('editor by cookie')).toBe(counts.get('editor by Basic'));
  });

  it('1: anonymous visitors see no links to media, viewers see them', async () => {
    const isMedia = ({ uri }: { uri: string }): boolean => uri.startsWith(at('/media/'));
    expect((await links('/node/5', anonymous)).filter(isMedia)).toEqual([]);
    expect((await links('/node/5', basic('viewer'))).filter(isMedia)).toHaveLength(3);
    expect((await links('/node/24', basic('viewer'))).map(({ title }) => title)).not.toContain('Member of');
    expect((await links('/node/24', basic('admin'))).map(({ title }) => title)).toContain('Member of');
  });

  it.each(['/node/5', '/node/12', '/media/1', '/media/19', '/entity/file/2', '/taxonomy/term/24'])(
    '2: the links of %s are the same for every format but for the alternate, and for HEAD',
    async (path) => {
      for (const visitor of [basic('viewer'), basic('admin')]) {
        const all = async (format: string, method = 'GET') => links(`${path}?_format=${format}`, visitor, method);
        const others = (found: Awaited<ReturnType<typeof links>>) => found.filter(({ rel }) => rel !== 'alternate');
        expect(others(await all('jsonld'))).toEqual(others(await all('json')));
        expect(await all('json', 'HEAD')).toEqual(await all('json'));
        expect(await all('jsonld', 'HEAD')).toEqual(await all('jsonld'));
      }
    },
  );

  it('titles arrive whole, also those that are not ASCII', async () => {
    const tags = await Promise.all([6, 8, 9, 10, 12, 13, 30].map((id) => links(`/node/${id}`)));
    const titles = tags
      .flat()
      .flatMap(({ title, uri }) => (title !== undefined && !/^[ -~]*$/.test(title) ? [[uri, title]] : []));
    expect(titles.length).toBeGreaterThan(0);
    for (const [uri = '', title] of titles) {
      const body = await bodyOf(visit(atoll, editor, 'GET', `${uri}?_format=json`));
      expect(body).toMatchObject({ name: [{ value: title }] });
    }
  });
});
