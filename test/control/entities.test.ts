/** The listing of what is stored, over the control interface. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { components } from '../../src/client/generated/control.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';

type Page = components['schemas']['EntityPage'];
type Summary = components['schemas']['EntitySummary'];

let atoll: TestAtoll;
beforeAll(async () => {
  atoll = await createTestAtoll();
});

/** Every answer is held to the document. */
const list = async (query: string): Promise<Page> => {
  const response = await atoll.send('GET', `/_atoll/entities?${query}`);
  expect(response.status).toBe(200);
  return response.body as Page;
};
const idsOf = ({ entities }: Page): number[] => entities.map(({ id }) => id);

const everything = async (type: string): Promise<Summary[]> => {
  const { entities, total } = await list(`type=${type}&limit=200`);
  expect(entities).toHaveLength(total);
  return entities;
};
const sortedBy = (entities: readonly Summary[], value: (entity: Summary) => string): number[] =>
  [...entities]
    .sort((a, b) => (value(a) === value(b) ? a.id - b.id : value(a) < value(b) ? -1 : 1))
    .map(({ id }) => id);

describe('GET /_atoll/entities', () => {
  it('answers 200 with a page of a type and bundle', async () => {
    const page = await list('type=taxonomy_term&bundle=islandora_models');
    expect(page.total).toBe(page.entities.length);
    const kinds = new Set(page.entities.map(({ type, bundle }) => `${type} ${bundle}`));
    expect(kinds).toEqual(new Set(['taxonomy_term islandora_models']));
  });

  it.each(['node', 'media', 'file', 'taxonomy_term', 'user', 'path_alias', 'redirect'])(
    'answers 200 to type=%s in every order, as the document says',
    async (type) => {
      const all = await everything(type);
      for (const order of ['id', 'title', 'changed']) {
        const ascending = idsOf(await list(`type=${type}&order=${order}&limit=200`));
        expect([...ascending].sort((a, b) => a - b)).toEqual(all.map(({ id }) => id));
        expect(idsOf(await list(`type=${type}&order=-${order}&limit=200`))).toEqual([...ascending].reverse());
      }
      if (type === 'user') expect(all[0]?.id).toBe(0);
    },
  );

  it.each([
    'type=nodes',
    'page=-1',
    'page=x',
    'limit=0',
    'limit=201',
    'order=title,id',
    'published=yes',
    'model=x',
    'collection=-1',
    'media_of=1.5',
    'file=',
    'cursor=*',
    'cursor=bm9uZQ',
    'cursor=W10',
  ])('answers 400 to %s, naming the parameter', async (query) => {
    const response = await atoll.send('GET', `/_atoll/entities?${query}`);
    const { message } = response.body as { message: string }; // every refusal has one
    expect(response.status).toBe(400);
    expect(message).toContain(`/query/${query.split('=')[0] ?? ''}`);
  });

  it('answers 400 to a cursor from another order', async () => {
    const { next = '' } = await list('order=title&limit=2');
    for (const order of ['id', 'changed', '-title']) {
      const response = await atoll.send('GET', `/_atoll/entities?order=${order}&cursor=${next}`);
      expect([response.status, response.body]).toEqual([
        400,
        { message: '/query/cursor: is not the next of a page in this order' },
      ]);
    }
  });
});

describe('The order', () => {
  it('by title counts neither case nor accents, and by change goes by time', async () => {
    const all = await everything('node');
    const folded = ({ title }: Summary): string =>
      title
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .toLowerCase();
    expect(idsOf(await list('order=title&limit=200'))).toEqual(sortedBy(all, folded));
    expect(idsOf(await list('order=changed&limit=200'))).toEqual(sortedBy(all, ({ changed = '' }) => changed));
  });
});

describe('A filter', () => {
  it('by model has the nodes of that model, and for media those of that use', async () => {
    const models = (await list('type=taxonomy_term&bundle=islandora_models')).entities;
    const collection = models.find(({ title }) => title === 'Collection');
    const nodes = await list(`model=${collection?.id}&limit=200`);
    const collections = (await everything('node')).filter(({ model }) => model === 'Collection');
    expect(idsOf(nodes)).toEqual(collections.map(({ id }) => id));
    const uses = (await list('type=taxonomy_term&bundle=islandora_media_use')).entities;
    const thumbnail = uses.find(({ title }) => title === 'Thumbnail Image');
    const media = await list(`type=media&model=${thumbnail?.id}&limit=200`);
    expect(media.total).toBeGreaterThan(5);
    expect(new Set(media.entities.map(({ model }) => model))).toEqual(new Set(['Thumbnail Image']));
  });

  it('by bundle takes several', async () => {
    const page = await list('type=media&bundle=video,audio&limit=200&order=-id');
    const wanted = (await everything('media')).filter(({ bundle }) => bundle === 'audio' || bundle === 'video');
    expect(idsOf(page)).toEqual(wanted.map(({ id }) => id).reverse());
    expect(new Set(page.entities.map(({ bundle }) => bundle)).size).toBe(2);
  });

  it('by text finds parts of titles without regard to case and accents', async () => {
    const [first] = (await everything('node')).filter(({ title }) => /^[\w ]{12}/.test(title));
    const part = first?.title.slice(2, 9).toUpperCase() ?? '';
    const found = await list(`text=${encodeURIComponent(part)}`);
    expect(idsOf(found)).toContain(first?.id);
    for (const { title } of found.entities) expect(title.toUpperCase()).toContain(part);
    expect((await list('text=')).total).toBe((await list('type=node')).total);
    expect((await list('text=no+title+has+this')).entities).toEqual([]);
  });

  it('by publication divides all', async () => {
    const [on, off] = [await list('published=true&limit=200'), await list('published=false&limit=200')];
    expect(on.total + off.total).toBe((await everything('node')).length);
    expect(off.total).toBeGreaterThan(0);
    expect(on.entities.every(({ published }) => published)).toBe(true);
    expect(off.entities.some(({ published }) => published)).toBe(false);
  });

  it('by collection has its members, also with other filters and after changes', async () => {
    const members = await list('collection=1&order=title');
    const seen = await atoll.send('GET', '/node/1/members?_format=json', 'admin');
    const shown = seen.body as { nid: { value: number }[] }[];
    expect(idsOf(members).sort((a, b) => a - b)).toEqual(
      shown.map(({ nid }) => nid[0]?.value ?? 0).sort((a, b) => a - b),
    );
    const body = {
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: 'Zebra of the quay' }],
      field_model: [{ target_id: (await list('type=taxonomy_term&bundle=islandora_models')).entities[0]?.id }],
      field_member_of: [{ target_id: 1 }],
    };
    const created = await atoll.send('POST', '/node?_format=json', 'admin').send(body);
    const id = (created.body as { nid: { value: number }[] }).nid[0]?.value;
    expect(idsOf(await list('collection=1&order=title'))).toContain(id);
    expect(idsOf(await list('collection=1&order=title&text=zebra'))).toEqual([id]);
    await atoll.send('DELETE', `/node/${id}?_format=json`, 'admin');
    expect(idsOf(await list('collection=1&order=title&text=zebra'))).toEqual([]);
    expect((await list('collection=1&order=title')).total).toBe(members.total);
  });

  it('by node or file has media, whether or not the type is said', async () => {
    const media = await list('media_of=5');
    expect(media.total).toBeGreaterThan(1);
    expect(media.entities.every(({ type }) => type === 'media')).toBe(true);
    expect(media).toEqual(await list('type=media&media_of=5'));
    expect((await list('type=node&media_of=5')).total).toBe(0);
    const using = await list('file=1');
    expect(using.entities).toEqual([(await everything('media')).find(({ id }) => id === 1)]);
    expect((await list('file=1&published=false')).total).toBe(0);
    expect((await list('type=node&file=1')).total).toBe(0);
    expect((await list('file=999999&order=-title')).total).toBe(0);
  });
});

describe('The pages', () => {
  const walk = async (query: string): Promise<number[]> => {
    const ids: number[] = [];
    let page = await list(query);
    for (let number = 0; ; number += 1) {
      expect(page.page).toBe(number);
      ids.push(...idsOf(page));
      if (page.next === undefined) return ids;
      page = await list(`${query}&cursor=${page.next}`);
    }
  };

  it.each(['id', '-id', 'title', '-title', 'changed', '-changed'])(
    'in the order %s are the same by cursor and by number, and have everything once',
    async (order) => {
      for (const query of [`order=${order}`, `order=${order}&published=true`, `order=${order}&file=1`]) {
        const whole = await list(`type=media&limit=200&${query}`);
        expect(whole.next).toBeUndefined();
        expect(await walk(`type=media&limit=7&${query}`)).toEqual(idsOf(whole));
        const byNumber: number[] = [];
        for (let page = 0; page < Math.ceil(whole.total / 7); page += 1) {
          byNumber.push(...idsOf(await list(`type=media&limit=7&${query}&page=${page}`)));
        }
        expect(byNumber).toEqual(idsOf(whole));
      }
    },
  );

  it.each(['id', '-id', 'title', '-title'])('in the order %s go on behind a record that is gone', async (order) => {
    await atoll.reset();
    const whole = idsOf(await list(`order=${order}&limit=200`));
    const first = await list(`order=${order}&limit=5`);
    await atoll.send('DELETE', `/node/${whole[4]}?_format=json`, 'admin');
    await atoll.send('DELETE', `/node/${whole[1]}?_format=json`, 'admin');
    const second = await list(`order=${order}&limit=5&cursor=${first.next}`);
    expect(idsOf(second)).toEqual(whole.slice(5, 10));
    await atoll.reset();
  });

  it('behind the last are empty', async () => {
    const page = await list('page=999');
    expect([page.entities, page.next, page.page]).toEqual([[], undefined, 999]);
    expect((await list('page=999&order=-title')).entities).toEqual([]);
  });
});

describe('A summary', () => {
  const bytesAt = async (url: string | undefined): Promise<[number, string | undefined]> => {
    const { pathname } = new URL(url ?? '');
    const response = await atoll.send('GET', pathname, 'admin');
    return [response.status, response.headers['content-type']];
  };

  it('of a node has the picture of its media with the use "Thumbnail Image"', async () => {
    const image = (await everything('node')).find(({ model }) => model === 'Image');
    const media = (await list(`media_of=${image?.id}`)).entities.find(({ model }) => model === 'Thumbnail Image');
    expect(image?.thumbnail).toBe(media?.thumbnail);
    expect(await bytesAt(image?.thumbnail)).toEqual([200, 'image/jpeg']);
    expect(image?.mime).toBeUndefined();
    const [collection] = await everything('node');
    expect([collection?.model, collection?.thumbnail]).toEqual(['Collection', undefined]);
  });

  it('of a media has the type of its bytes, and its thumbnail', async () => {
    for (const entity of await everything('media')) {
      expect(entity.mime).toMatch(/^\w+\//);
      if (entity.bundle !== 'image') continue;
      expect(await bytesAt(entity.thumbnail)).toEqual([200, entity.mime]);
    }
    const sound = (await everything('media')).find(({ bundle }) => bundle === 'audio');
    expect(await bytesAt(sound?.thumbnail)).toEqual([200, 'image/png']);
  });

  it('of a file has itself when it is an image', async () => {
    for (const { mime, thumbnail, title } of await everything('file')) {
      expect([title, thumbnail !== undefined]).toEqual([title, mime?.startsWith('image/')]);
    }
  });

  it('says when the record was changed last, as the record does', async () => {
    const [first] = await everything('node');
    const node = (await atoll.send('GET', '/node/1?_format=json')).body as { changed: { value: string }[] };
    expect(Date.parse(first?.changed ?? '')).toBe(Date.parse(node.changed[0]?.value ?? ''));
    expect((await everything('user')).every(({ thumbnail }) => thumbnail === undefined)).toBe(true);
  });
});
