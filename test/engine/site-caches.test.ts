/** Worlds with the caches of a real site: what stays as it was, what ends it, who shares it, and what is never kept. */
import { repositoryWorld, type World, recordModel } from '../../src/repository/repository.ts';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createCachesByOwner } from '../../src/repository/repository-engine.ts';
import { createMemoryEntityStore } from '../../src/storage/storage.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { pngBytes } from '../support/png.ts';
import { setField } from './two-apps.ts';

let atoll: TestAtoll;
beforeAll(async () => {
  atoll = await createTestAtoll();
});

/** The prefix of a world that is made anew for each test, and the world. */
let prefix: string;
const world = (): World => {
  const found = atoll.worlds.find(prefix.slice(2));
  if (found === undefined) throw new Error(`there is no world ${prefix}`);
  return repositoryWorld(found.world);
};
beforeEach(async () => {
  prefix = `/~${(await atoll.worlds.fork({ caches: 'reference' })).name}`;
});

const node = '/node/5?_format=json';
const media = '/media/1?_format=json';

type Seen = {
  readonly status: number;
  readonly page: string;
  readonly route: string;
  readonly links: string;
  readonly text: string;
};

const read = async (path: string, as?: string, method = 'GET'): Promise<Seen> => {
  const { status, headers, text } = await atoll.send(method, prefix + path, as);
  const shown = (name: string): string => headers[name] ?? '-';
  return { status, page: shown('x-drupal-cache'), route: shown('x-drupal-dynamic-cache'), links: shown('link'), text };
};
/** `200 HIT MISS`: the status, what the page cache says and what the dynamic page cache says. */
const met = async (path: string, as?: string, method = 'GET'): Promise<string> => {
  const { status, page, route } = await read(path, as, method);
  return `${status} ${page} ${route}`;
};

const patch = async (path: string, body: object): Promise<void> => {
  await atoll
    .send('PATCH', prefix + path, 'admin')
    .send(body)
    .expect(200);
};
const retitle = (id: number, title: string): Promise<void> =>
  patch(`/node/${id}?_format=json`, { type: [{ target_id: 'islandora_object' }], title: [{ value: title }] });
const remove = async (path: string): Promise<void> => {
  await atoll.send('DELETE', prefix + path, 'admin').expect(204);
};
/** Uploads a new picture to node 5. Resolves with the address of the new media. */
const upload = async (term: number): Promise<string> => {
  const sent = await atoll
    .send('PUT', `${prefix}/node/5/media/image/${term}`, 'editor')
    .set({ 'Content-Type': 'image/png', 'Content-Location': `public://new-${term}.png` })
    .send(pngBytes(3, 2))
    .expect(201);
  return String(sent.headers['location']).replace(/^.*(?=\/media)/, '');
};

describe('A read in a world with the caches of a real site', () => {
  it.each([undefined, 'viewer', 'editor'])(
    'shows %s the links from before an upload, until the node is saved',
    async (as) => {
      const before = await read(node, as);
      const address = await upload(14);
      const after = await read(node, as);
      expect([after.links, after.text]).toEqual([before.links, before.text]);
      // What is new is read as it is.
      expect(await met(`${address}?_format=json`, 'editor')).toBe('200 - MISS');
      await retitle(5, 'Saved once more');
      const saved = await read(node, as);
      expect(saved.text).toContain('Saved once more');
      expect(saved.links.includes(`${address}>; rel="related"`)).toBe(as !== undefined);
    },
  );

  it.each([
    ['a deleted media', node, () => remove(media)],
    ['a renamed term', node, () => setField(world(), 'taxonomy_term:24', 'name', [{ value: 'Drawing' }])],
    [
      'an unpublished collection',
      '/node/2?_format=json',
      () => setField(world(), 'node:1', 'status', [{ value: false }]),
    ],
    ['a deleted collection', '/node/2?_format=json', () => remove('/node/1?_format=json')],
    ['a deleted term', '/node/5?_format=jsonld', () => remove('/taxonomy/term/24?_format=json')],
  ])('shows links and body from before %s', async (_what, path, change) => {
    const before = [await read(path), await read(path, 'viewer')];
    await change();
    const after = [await read(path), await read(path, 'viewer')];
    expect(after.map(({ links, text }) => [links, text])).toEqual(before.map(({ links, text }) => [links, text]));
    expect(after.map(({ page, route }) => [page, route])).toEqual([
      ['HIT', 'MISS'],
      ['-', 'HIT'],
    ]);
  });

  it('ends when the record is saved or deleted, also by new bytes, and not by a PATCH that changes nothing', async () => {
    await read(media, 'viewer');
    await patch(media, { bundle: [{ target_id: 'image' }] });
    expect(await met(media, 'viewer')).toBe('200 - HIT');
    const put = atoll.send('PUT', `${prefix}/media/1/source`, 'editor').set('Content-Type', 'image/png');
    await put.send(pngBytes(9, 9)).expect(204);
    expect(await met(media, 'viewer')).toBe('200 - MISS');
    expect((await read(media, 'viewer')).text).toContain('"width":9');
    await remove(media);
    expect(await met(media, 'viewer')).toBe('404 - -');
  });
});

describe('The page cache', () => {
  it('keeps whole addresses: another query is another answer, which comes from the dynamic page cache; HEAD has that of GET', async () => {
    expect(await met(node)).toBe('200 MISS MISS');
    expect(await met(node)).toBe('200 HIT MISS');
    expect(await met(node, undefined, 'HEAD')).toBe('200 HIT MISS');
    expect(await met(`${node}&again`)).toBe('200 MISS HIT');
    expect(await met('/node/5?_format=jsonld')).toBe('200 MISS MISS');
  });

  it('passes whoever sends credentials, right or wrong, and takes what is none for nobody', async () => {
    await read(node);
    const sending = async (headers: Record<string, string>): Promise<unknown> =>
      (await atoll.send('GET', prefix + node).set(headers)).headers['x-drupal-cache'];
    expect(await sending({ Authorization: 'Basic bm9ib2R5Ong=' })).toBeUndefined();
    expect(await sending({ Authorization: 'Bearer no.such.token' })).toBeUndefined();
    expect(await sending({ Cookie: `${world().access.cookieName}=stale` })).toBeUndefined();
    expect(await sending({ Authorization: 'Digest username="editor"' })).toBe('HIT');
    expect(await sending({ Cookie: 'theme=dark' })).toBe('HIT');
  });

  it('keeps a refusal for an hour, until a record with a page is saved: a deletion does not end it', async () => {
    expect(await met(media)).toBe('401 MISS -');
    await remove(media);
    expect(await met(media)).toBe('401 HIT -');
    await retitle(2, 'Anything');
    expect(await met(media)).toBe('404 - -');
    const other = '/media/2?_format=json';
    expect(await met(other)).toBe('401 MISS -');
    atoll.clock.advance(3599);
    expect(await met(other)).toBe('401 HIT -');
    atoll.clock.advance(1);
    expect(await met(other)).toBe('401 MISS -');
  });

  it('keeps no 404, no 406, no list, no linkset and no bytes', async () => {
    const paths = [
      '/node/999?_format=json',
      '/node/5?_format=xml',
      '/node/1/members',
      '/node/5/linkset',
      '/session/token',
    ];
    for (const path of paths) {
      await read(path);
      expect(await met(path)).toMatch(/^(200|404|406) - -$/);
    }
  });
});

describe('The dynamic page cache', () => {
  it('is shared by accounts with the same permissions, and not by others', async () => {
    expect(await met(node, 'viewer')).toBe('200 - MISS');
    await setField(world(), 'user:4', 'roles', [{ value: 'viewer' }]);
    expect(world().site.accounts.find(({ uid }) => uid === 4)?.name).toBe('plain');
    expect(await met(node, 'plain')).toBe('200 - HIT');
    expect(await met(node, 'editor')).toBe('200 - MISS');
    await setField(world(), 'user:4', 'roles', []);
    expect(await met(node, 'plain')).toBe('200 - MISS');
  });

  it('comes after the decision about access: what is hidden by now is 403, and what is gone 404', async () => {
    const file = '/entity/file/1?_format=json';
    await read(file, 'viewer');
    expect(await met(file, 'viewer')).toBe('200 - HIT');
    await setField(world(), 'media:1', 'status', [{ value: false }]);
    expect(await met(file, 'viewer')).toBe('403 - -');
    await remove(file);
    expect(await met(file, 'editor')).toBe('404 - -');
  });

  it.each([
    ['an account', '/user/2?_format=json', 'viewer', '200 - UNCACHEABLE'],
    ['an account, refused', '/user/2?_format=json', 'plain', '403 - UNCACHEABLE'],
    ['an account, to one who may change it', '/user/2?_format=json', 'admin', '200 - HIT'],
    ['a node, to one who may change own nodes', node, 'owner', '200 - UNCACHEABLE'],
    ['a media of another owner', media, 'owner', '200 - HIT'],
    ['a hidden media, to one who may see own hidden ones', '/media/3?_format=json', 'owner', '403 - UNCACHEABLE'],
    ['a hidden media, to one who may not', '/media/3?_format=json', 'viewer', '403 - -'],
    ['a term', '/taxonomy/term/24?_format=json', 'plain', '200 - HIT'],
  ])('keeps nothing that depends on who asks: %s', async (_what, path, as, expected) => {
    await setField(world(), 'media:3', 'status', [{ value: false }]);
    await read(path, as);
    expect(await met(path, as)).toBe(expected);
  });
});

describe('The caches', () => {
  it('are those of one world: a fork and a reset begin without, and the main world is fresh', async () => {
    await read(node);
    expect(await met(node)).toBe('200 HIT MISS');
    const fork = await atoll.worlds.fork({ from: prefix.slice(2), caches: 'reference' });
    const own = prefix;
    prefix = `/~${fork.name}`;
    expect(await met(node)).toBe('200 MISS MISS');
    prefix = own;
    await atoll.worlds.reset(prefix.slice(2));
    expect(await met(node)).toBe('200 MISS MISS');
    prefix = '';
    expect(await met(node)).toBe('200 - -');
  });

  it('count every answer as one of its operation', async () => {
    const count = (): number =>
      atoll.events.filter((event) => event.kind === 'answered' && event.operation === 'getNode').length;
    const before = count();
    for (const as of [undefined, undefined, 'viewer', 'viewer']) await read(node, as);
    expect(count() - before).toBe(4);
  });

  it('do not keep an answer that was begun before a save', async () => {
    const store = createMemoryEntityStore({ model: recordModel });
    const owner = {};
    const { pages } = createCachesByOwner(store, atoll.clock)(owner);
    const answer = { status: 200, headers: {}, body: 'as it was' };
    const keep = pages.begin();
    await store.transact([], () => ({ changes: [{ remove: 'node:1' }], result: undefined }));
    keep('/node/1', answer, { tags: ['node:1'] });
    expect(pages.find('/node/1')).toBeUndefined();
    pages.begin()('/node/1', answer, { tags: ['node:1'] });
    expect(pages.find('/node/1')).toEqual(answer);
  });

  it('hold eight mebibytes of answers, without the oldest', () => {
    const store = createMemoryEntityStore({ model: recordModel });
    const { pages } = createCachesByOwner(store, atoll.clock)({});
    const answer = { status: 200, headers: {}, body: 'x'.repeat(1024 * 1024) };
    const paths = Array.from({ length: 20 }, (_, index) => `/node/${index}`);
    for (const path of paths) pages.begin()(path, answer, { tags: [] });
    expect(paths.filter((path) => pages.find(path) !== undefined)).toEqual(paths.slice(-7));
  });

  it('follow the key of the site, which a world can differ from', async () => {
    const cached = await createTestAtoll({ site: (site) => ({ ...site, caches: 'reference' }) });
    const fresh = await cached.worlds.fork({ caches: 'fresh' });
    const like = await cached.worlds.fork({});
    const shown = async (at: string): Promise<unknown> =>
      (await cached.send('GET', at + node)).headers['x-drupal-cache'];
    expect([await shown(''), await shown(`/~${like.name}`), await shown(`/~${fresh.name}`)]).toEqual([
      'MISS',
      'MISS',
      undefined,
    ]);
  });

  it('follow the option of the server rather than the key of the site', async () => {
    const { worlds } = await createTestAtoll({ open: { caches: 'reference' } });
    const fork = await worlds.fork({});
    const main = repositoryWorld(worlds.main.world);
    expect([main.site.caches, main.caches]).toEqual(['fresh', expect.anything()]);
    const forked = worlds.find(fork.name);
    expect(forked && repositoryWorld(forked.world).caches).toBeDefined();
  });
});

describe('The fault stale-reads', () => {
  const control = (method: 'POST' | 'DELETE', body?: object) => atoll.send(method, '/_atoll/faults').send(body);

  it('gives a fresh world such caches, and takes them with everything in them when it is removed', async () => {
    prefix = '';
    await control('POST', { fault: 'stale-reads' }).expect(201);
    const before = await read(node, 'viewer');
    await setField(atoll.world(), 'taxonomy_term:24', 'name', [{ value: 'Engraving' }]);
    expect((await read(node, 'viewer')).links).toBe(before.links);
    await control('DELETE').expect(204);
    expect((await read(node, 'viewer')).links).toContain('Engraving');
    await control('POST', { fault: 'stale-reads', operations: ['getMedia'] }).expect(201);
    expect([await met(node, 'viewer'), await met(media, 'viewer')]).toEqual(['200 - -', '200 - MISS']);
    await atoll.reset();
  });
});

/** The pattern of docs/use/caches.md. */
describe.each(['fresh', 'reference'] as const)(
  'A client that follows Location, and saves the node last, in a world that is %s',
  (caches) => {
    it('finds its new image at once, and so does every other client', async () => {
      prefix = `/~${(await atoll.worlds.fork({ caches })).name}`;
      await read(node, 'editor');
      await read(node, 'viewer');
      const address = await upload(14);
      expect((await read(`${address}?_format=json`, 'editor')).status).toBe(200);
      await retitle(5, 'With its new image');
      for (const as of ['editor', 'viewer'])
        expect((await read(node, as)).links).toContain(`${address}>; rel="related"`);
    });
  },
);
