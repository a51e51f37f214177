/** Aliases by pattern: how titles are cleaned, as recorded, and what becomes of a path that a client sends. */
import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { someOf } from '../support/long-run.ts';
import { starterSite, termOf } from './starter-site.ts';

const recordings = new URL('../contract/recordings/living/', import.meta.url);
type Titled = { readonly title: string; readonly Location: string; readonly updated?: string };
const titlesOf = (name: string): readonly Titled[] => {
  const file = readFileSync(new URL(name, recordings), 'utf8');
  return (JSON.parse(file) as { readonly exchanges: readonly Titled[] }).exchanges; // as it was recorded
};

let atoll: TestAtoll;
beforeAll(async () => {
  const site = await starterSite();
  atoll = await createTestAtoll({ site: () => site, fixture: 'empty' });
});
beforeEach(() => atoll.reset());

const model = (): number => termOf(atoll.site, 'islandora_models', 'Image');

const post = (title: string, others: object = {}): Promise<Response> =>
  atoll
    .send('post', '/node?_format=json', 'admin')
    .send({
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: title }],
      field_model: [{ target_id: model() }],
      ...others,
    })
    .expect(201);

const locationOf = ({ headers }: Response): string => String(headers['location']).replace('http://localhost:8000', '');

const bodyOf = ({ body }: Response): Readonly<Record<string, unknown>> => body as Readonly<Record<string, unknown>>; // a record

/** What a GET shows of the path, without its number. */
const shownPath = async (id: number): Promise<unknown> => {
  const read = await atoll.send('get', `/node/${id}?_format=json`, 'admin').expect(200);
  const [item] = (read.body as { readonly path: readonly { readonly pid: number | null }[] }).path; // a record
  return item === undefined ? undefined : { ...item, pid: undefined };
};

describe('A title', () => {
  it.each(someOf(titlesOf('pathauto-cleaning.json')))('$title becomes $Location', async ({ title, Location }) => {
    const made = locationOf(await post(title));
    expect(made).toBe(Location.startsWith('/node/') ? '/node/1' : Location);
  });
});

/** As a real site made them, without the control characters that it left in them. Two titles make one alias at most. */
const unseen: readonly (readonly [string, string])[] = [
  ['A\u0001B', '/islandora/b'],
  ['A\u007fB', '/islandora/b'],
  ['A\u001fB\u001f', '/islandora/b'],
  ['A\u0085B', '/islandora/ab'],
  ['A\u009fB', '/islandora/ab'],
  ['A\u202eB', '/islandora/ab'],
  ['A\u2067B', '/islandora/ab'],
  ['A\tB\nC', '/islandora/b-c'],
  ['\u0007\u202e', '/node/1'],
];

describe('A title with control characters', () => {
  it.each(unseen)('%j becomes %s, and stays as it is', async (title, alias) => {
    const answer = await post(title);
    expect(locationOf(answer)).toBe(alias);
    expect(bodyOf(answer)['title']).toEqual([{ value: title }]);
  });
});

/** Chinese characters with several readings, names of HTML beyond those of XML, control characters. All are rows of the differences. */
const differs = new Map([
  ['長い題名の書物', '/islandora/changitimingnoshuwu'],
  ['AT&T &copy; &euro;', '/islandora/att-copy-euro'],
  ['ctrl\u0001char', '/islandora/ctrlchar'],
]);

describe('A title of the second recording, in a new record and in one that was there', () => {
  it.each(someOf(titlesOf('pathauto-titles.json')))('$title: $Location', async ({ title, Location, updated }) => {
    const expected = differs.get(title) ?? Location;
    expect(locationOf(await post(title))).toBe(expected);
    await atoll.send('delete', '/node/1?_format=json', 'admin').expect(204);
    await post('Before it');
    const changed = { type: [{ target_id: 'islandora_object' }], title: [{ value: title }] };
    await atoll.send('patch', '/node/2?_format=json', 'admin').send(changed).expect(200);
    const kept = expected === '/node/1' ? '/islandora/it' : expected;
    const alias = differs.get(title) ?? updated ?? kept;
    expect(await shownPath(2)).toEqual({ alias, langcode: 'en' });
  });
});

describe('An alias', () => {
  it('of no language goes behind the one that the site made: the record shows its own, and is at both', async () => {
    await post('First');
    const further = { path: [{ value: '/node/1' }], alias: [{ value: '/zweite' }] };
    await atoll.send('post', '/entity/path_alias?_format=json', 'admin').send(further).expect(201);
    expect(await shownPath(1)).toEqual({ alias: '/islandora/first', langcode: 'en' });
    await atoll.send('get', '/zweite?_format=json', 'admin').expect(200);
  });

  it('that is made as a record of its own is the one that the record shows: 201 with its path', async () => {
    await post('A harbour');
    const made = await atoll
      .send('post', '/entity/path_alias?_format=json', 'admin')
      .send({ path: [{ value: '/node/1' }], alias: [{ value: '/port' }], langcode: [{ value: 'en' }] })
      .expect(201);
    expect(made.body).toMatchObject({ path: [{ value: '/node/1' }], alias: [{ value: '/port' }] });
    expect(await shownPath(1)).toEqual({ alias: '/port', langcode: 'en' });
  });

  it('that is sent is ignored and echoed with 201, and those who listen are advised of it', async () => {
    const made = await post('Own', { path: [{ alias: '/my/own' }] });
    expect((made.body as { readonly path: unknown }).path).toEqual([{ alias: '/my/own', pid: null, langcode: null }]);
    expect(locationOf(made)).toBe('/islandora/own');
    const read = await atoll.send('get', '/_atoll/traffic').expect(200);
    const { entries } = read.body as {
      readonly entries: readonly { readonly advice: readonly { pointer: string }[] }[];
    }; // the document says so
    expect(entries.at(-1)?.advice.map(({ pointer }) => pointer)).toContain('/requestBody/path/0/alias');
  });

  it.each([
    ['/trail/', '/trail'],
    [' /blanks and slashes// ', '/blanks and slashes'],
    ['/UPPER', '/UPPER'],
    ['/Ünïcode päth', '/Ünïcode päth'],
    ['/a//b', '/a//b'],
    ['//double', '//double', '/double'],
    ['/%20', '/%20'],
    ['/tab\there', '/tab\there'],
    ['/日本', '/日本'],
  ])('by hand %s is saved as %s, and stays with another title', async (alias, saved, address = saved) => {
    const made = await post('By hand', { path: [{ alias, pathauto: 0 }] });
    expect(locationOf(made)).toBe(encodeURI(address));
    expect(await shownPath(1)).toMatchObject({ alias: saved });
    const changed = { type: [{ target_id: 'islandora_object' }], title: [{ value: 'Renamed' }] };
    await atoll.send('patch', '/node/1?_format=json', 'admin').send(changed).expect(200);
    expect(await shownPath(1)).toMatchObject({ alias: saved });
  });

  // Recorded of a page and of a person.
  it.each([
    ['takes another one where it was made with one', { path: [{ alias: '/first' }] }, '/second', {}],
    ['takes none where it was made without one', {}, null, {}],
    ['takes none where it was made without one, also with a state', {}, null, { pathauto: 0 }],
  ])('of a record that no pattern is for %s', async (_what, path, kept, state) => {
    const type = [{ target_id: 'page' }];
    const page = { type, title: [{ value: 'Page' }], ...path };
    await atoll.send('post', '/node?_format=json', 'admin').send(page).expect(201);
    const change = { type, path: [{ alias: '/second', ...state }] };
    const answer = await atoll.send('patch', '/node/1?_format=json', 'admin').send(change).expect(200);
    expect(answer.body).toMatchObject({ path: [{ alias: '/second', langcode: null }] });
    expect(await shownPath(1)).toEqual({ alias: kept, langcode: 'en' });
  });

  it('by hand may be a number, which the answer shows as the text that is saved', async () => {
    const made = await post('By hand', { path: [{ alias: 5, pathauto: 0 }] });
    expect((made.body as { readonly path: unknown }).path).toMatchObject([{ alias: '5' }]);
    expect(await shownPath(1)).toMatchObject({ alias: '5' });
  });

  it('that is taken gets the next free number, and a name that is too long is cut for it', async () => {
    const [long, words] = ['a'.repeat(89), 'word '.repeat(40)];
    const cut = `/islandora/word${'-word'.repeat(16)}`;
    const recorded: readonly (readonly [title: string, Location: string])[] = [
      ...([
        [long, `/islandora/${long}`],
        [long, '/islandora-0'],
        ['x'.repeat(150), '/islandora'],
      ] as const),
      ...([
        [`${long}x`, '/islandora-1'],
        [words, `${cut}-word`],
        [words, `${cut}-0`],
        [words, `${cut}-1`],
      ] as const),
      ...([
        ['日本', '/islandora/riben'],
        ['日本', '/islandora/riben-0'],
        ['Café', '/islandora/cafe'],
      ] as const),
      ...([
        ['Cafe', '/islandora/cafe-0'],
        ['cafe-0', '/islandora/cafe-0-0'],
        ['Cafe 0', '/islandora/cafe-0-1'],
      ] as const),
    ];
    for (const [title, Location] of recorded) expect(locationOf(await post(title))).toBe(Location);
  });

  it('goes with its record: 204, and then 404 there', async () => {
    await post('Gone');
    await atoll.send('get', '/islandora/gone?_format=json', 'admin').expect(200);
    await atoll.send('delete', '/islandora/gone?_format=json', 'admin').expect(204);
    await atoll.send('get', '/islandora/gone?_format=json', 'admin').expect(404);
    expect(locationOf(await post('Gone'))).toBe('/islandora/gone');
  });
});

describe('A record whose aliases are changed as records of their own', () => {
  const byMethod = { formats: ['json'], providers: ['basic_auth'] } as const;
  const methods = new Map((['GET', 'POST', 'PATCH', 'DELETE'] as const).map((method) => [method, byMethod]));
  let enabled: TestAtoll;
  beforeAll(async () => {
    const site = await starterSite();
    const resources = new Map([...site.resources, ['path_alias', { name: 'path_alias', methods }]] as const);
    enabled = await createTestAtoll({ site: () => ({ ...site, resources }), fixture: 'empty' });
  });
  beforeEach(() => enabled.reset());

  const send = (method: string, path: string, body?: object) => {
    const sent = enabled.send(method, `${path}?_format=json`, 'admin');
    return body === undefined ? sent : sent.set('Content-Type', 'application/json').send(JSON.stringify(body));
  };
  const create = (title: string) =>
    send('POST', '/node', {
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: title }],
      field_model: [{ target_id: termOf(enabled.site, 'islandora_models', 'Image') }],
    }).expect(201);
  const add = (alias: string, langcode: string, path = '/node/1') =>
    send('POST', '/entity/path_alias', {
      ...{ path: [{ value: path }], alias: [{ value: alias }], langcode: [{ value: langcode }] },
    }).expect(201);
  const shown = async (id = 1): Promise<unknown> => bodyOf(await send('GET', `/node/${id}`).expect(200))['path'];

  it('shows the last one of its language that leads to it, else the last one of none', async () => {
    await create('One');
    await create('Two');
    await add('/for-all', 'und');
    await add('/beside', 'en');
    expect(await shown()).toEqual([{ alias: '/beside', pid: 4, langcode: 'en' }]);
    await send('PATCH', '/entity/path_alias/4', { alias: [{ value: '/other' }] }).expect(200);
    expect(await shown()).toEqual([{ alias: '/other', pid: 4, langcode: 'en' }]);
    await send('PATCH', '/entity/path_alias/4', { path: [{ value: '/node/2' }] }).expect(200);
    expect(await shown()).toEqual([{ alias: '/islandora/one', pid: 1, langcode: 'en' }]);
    expect(await shown(2)).toEqual([{ alias: '/other', pid: 4, langcode: 'en' }]);
    await send('PATCH', '/entity/path_alias/1', { status: [{ value: false }] }).expect(200);
    expect(await shown()).toEqual([{ alias: '/for-all', pid: 3, langcode: 'und' }]);
    await send('DELETE', '/entity/path_alias/3').expect(204);
    expect(await shown()).toEqual([{ alias: null, pid: null, langcode: 'en' }]);
    await send('PATCH', '/entity/path_alias/1', { status: [{ value: true }] }).expect(200);
    expect(await shown()).toEqual([{ alias: '/islandora/one', pid: 1, langcode: 'en' }]);
    await send('DELETE', '/entity/path_alias/1').expect(204);
    expect(await shown()).toEqual([{ alias: null, pid: null, langcode: 'en' }]);
    await send('GET', '/islandora/one').expect(404);
  });

  it('has the shown one made again by its next change, and takes all of them with it, as a real site does', async () => {
    await create('Auto helper');
    const type = [{ target_id: 'islandora_object' }];
    const answer = await send('PATCH', '/node/1', { type, path: [{ alias: '/mine', pathauto: 0 }] }).expect(200);
    expect(bodyOf(answer)['path']).toEqual([{ alias: '/mine', pid: null, langcode: null }]);
    expect(await shown()).toEqual([{ alias: '/islandora/auto-helper', pid: 1, langcode: 'en' }]);
    await add('/beside/1', 'en');
    await send('PATCH', '/node/1', { type, title: [{ value: 'Third' }] }).expect(200);
    expect(await shown()).toEqual([{ alias: '/islandora/third', pid: 2, langcode: 'en' }]);
    await send('GET', '/beside/1').expect(404);
    await send('GET', '/islandora/auto-helper').expect(200);
    await send('DELETE', '/node/1').expect(204);
    for (const path of ['/islandora/auto-helper', '/islandora/third', '/entity/path_alias/1', '/entity/path_alias/2'])
      await send('GET', path).expect(404);
  });
});
