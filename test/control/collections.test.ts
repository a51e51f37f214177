/** `/_atoll/collections`: the records of collections, shown and changed by the person who runs the server. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { World } from '../../src/repository/repository.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { outOfSpace, retryLater } from '../../src/openapi/openapi-terms.ts';

let atoll: TestAtoll;
/** What takes the place of the collections of the world, where a test says so. */
let replaced: { readonly collections: World['collections'] } | undefined;
beforeAll(async () => {
  atoll = await createTestAtoll({
    around: (world) =>
      Object.create(world, {
        collections: { get: () => (replaced === undefined ? world.collections : replaced.collections) },
      }) as World, // with one member replaced
  });
});
beforeEach(async () => {
  replaced = undefined;
  await atoll.reset();
});

const at = (...names: readonly string[]): string => ['/_atoll/collections', ...names.map(encodeURIComponent)].join('/');
const ask = async (method: string, path: string, value?: unknown) => {
  const sent = atoll.send(method, path);
  const answer = await (value === undefined
    ? sent
    : sent
        .set('Content-Type', 'application/json')
        .serialize((body) => body as unknown as string)
        .send(JSON.stringify(value)));
  return { status: answer.status, body: answer.body as unknown };
};
const put = (name: string, id: string, value: unknown) => ask('PUT', at(name, id), value);

describe('PUT /_atoll/collections/{name}/{id}', () => {
  it('adds a record with 201, replaces it with 200, and GET answers what was stored', async () => {
    const record = (value: unknown) => ({ collection: 'notes', id: 'a', value, fits: true, faults: [] });
    expect(await put('notes', 'a', { text: 'one' })).toEqual({ status: 201, body: record({ text: 'one' }) });
    expect(await put('notes', 'a', { text: 'two' })).toEqual({ status: 200, body: record({ text: 'two' }) });
    expect(await ask('GET', at('notes', 'a'))).toEqual({ status: 200, body: record({ text: 'two' }) });
  });

  it.each([
    '{}',
    '[]',
    '"a text"',
    '""',
    '0',
    '-1.5',
    'true',
    'false',
    'null',
    '{"constructor":[{"__proto__":1}]}',
    '[1152921504606846976]',
    '"\\u0000\\ud800"',
  ])('takes any JSON value: %s', async (text) => {
    const value: unknown = JSON.parse(text);
    expect((await put('notes', 'a', value)).status).toBe(201);
    const { body } = await ask('GET', at('notes', 'a'));
    expect(JSON.stringify((body as { value: unknown }).value)).toBe(JSON.stringify(value));
  });

  it.each(['7', 'a/b', '100%', '%2F', 'a b', '?#&=', 'Ä 漢 😀', '"', '\\', '__proto__', 'constructor', '-', '...'])(
    'takes any text as id and as name: %j',
    async (text) => {
      expect((await put(text, text, { text })).status).toBe(201);
      expect(await ask('GET', at(text, text))).toMatchObject({
        status: 200,
        body: { collection: text, id: text, value: { text } },
      });
      expect((await ask('GET', at(text))).body).toMatchObject({ records: [{ id: text }] });
      expect((await ask('DELETE', at(text, text))).status).toBe(204);
      expect((await ask('GET', at(text, text))).status).toBe(404);
    },
  );

  it.each([
    [413, 'more than 1 MiB', JSON.stringify('x'.repeat(1024 ** 2 - 4))],
    [413, 'more than 90 levels', `${'['.repeat(91)}${']'.repeat(91)}`],
    [400, 'levels without end', `${'['.repeat(501)}${']'.repeat(501)}`],
    [422, 'a number that is none', '[1e999]'],
    [400, 'no JSON', '{"id":'],
  ])('answers %i for %s, and stores nothing', async (status, _name, text) => {
    const sent = atoll.send('PUT', at('notes', 'a')).set('Content-Type', 'application/json');
    expect((await sent.serialize((body) => body as unknown as string).send(text)).status).toBe(status);
    expect((await ask('GET', at('notes', 'a'))).status).toBe(404);
  });

  it.each([
    [503, retryLater('Writing is not possible at the moment.')],
    [507, outOfSpace(undefined)],
  ])('says that nothing is stored where the store refuses: %i', async (status, refusal) => {
    const { collections } = atoll.world();
    if (collections === undefined) throw new Error('The world has no collections.');
    replaced = { collections: { ...collections, transact: () => Promise.reject(refusal) } };
    expect(await put('notes', 'a', 1)).toEqual({ status, body: { message: refusal.message } });
  });
});

describe('DELETE /_atoll/collections/{name}/{id}', () => {
  it('deletes one record with 204, and the next time there is none: 404', async () => {
    await put('notes', 'a', 1);
    await put('notes', 'b', 2);
    expect((await ask('DELETE', at('notes', 'a'))).status).toBe(204);
    expect(await ask('DELETE', at('notes', 'a'))).toEqual({
      status: 404,
      body: { message: 'There is no record "a" in the collection "notes".' },
    });
    expect((await ask('GET', at('notes'))).body).toMatchObject({ total: 1, records: [{ id: 'b', value: 2 }] });
  });

  it('says so where the store does not write: 503', async () => {
    const { collections } = atoll.world();
    if (collections === undefined) throw new Error('The world has no collections.');
    await put('notes', 'a', 1);
    const refusal = retryLater('Writing is not possible at the moment.');
    replaced = { collections: { ...collections, transact: () => Promise.reject(refusal) } };
    expect((await ask('DELETE', at('notes', 'a'))).status).toBe(503);
  });
});

describe('GET /_atoll/collections/{name}', () => {
  it('lists in the order in which ids came, in pages that `next` leads through', async () => {
    for (const id of ['c', 'a', 'b']) await put('notes', id, id.toUpperCase());
    await put('notes', 'c', 'again');
    const page = async (query: string) => (await ask('GET', `${at('notes')}?${query}`)).body;
    expect(await page('limit=2')).toEqual({
      ...{ name: 'notes', total: 3, offset: 0, next: 2 },
      records: [
        { id: 'c', value: 'again', fits: true },
        { id: 'a', value: 'A', fits: true },
      ],
    });
    expect(await page('limit=2&offset=2')).toEqual({
      ...{ name: 'notes', total: 3, offset: 2 },
      records: [{ id: 'b', value: 'B', fits: true }],
    });
    expect(await page('offset=3')).toEqual({ name: 'notes', total: 3, offset: 3, records: [] });
    expect(await page('fits=true')).toMatchObject({ total: 3 });
    expect(await page('fits=false')).toMatchObject({ total: 0, records: [] });
  });

  it('ends a page of long records earlier, so that each is met once', async () => {
    const text = 'x'.repeat(700_000);
    for (const id of ['a', 'b', 'c']) await put('notes', id, text + id);
    const seen: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const { body } = await ask('GET', `${at('notes')}?offset=${offset}`);
      const page = body as { next?: number; records: readonly { id: string }[] }; // held to the document
      expect(page.records.length).toBeLessThan(3);
      seen.push(...page.records.map(({ id }) => id));
      offset = page.next;
    }
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  it.each(['limit=0', 'limit=201', 'offset=-1', 'fits=perhaps'])('refuses %s: 400', async (query) => {
    await put('notes', 'a', 1);
    expect((await ask('GET', `${at('notes')}?${query}`)).status).toBe(400);
  });

  it('has no collection that nobody has written to: 404', async () => {
    expect(await ask('GET', at('boks'))).toEqual({ status: 404, body: { message: 'There is no collection "boks".' } });
  });
});

describe('GET /_atoll/collections', () => {
  it('names those that only handlers have written to, also when their last record is gone', async () => {
    expect((await ask('GET', at())).body).toEqual({ collections: [], others: [] });
    await put('notes', 'a', 1);
    await put('marks', 'a', 1);
    await ask('DELETE', at('marks', 'a'));
    const unknown = { path: null, document: null, parent: null, idMember: null, single: false, unfit: 0, begun: true };
    expect((await ask('GET', at())).body).toEqual({
      collections: [
        { ...unknown, name: 'marks', records: 0 },
        { ...unknown, name: 'notes', records: 1 },
      ],
      others: [],
    });
    expect((await ask('GET', '/_atoll/repository')).body).toMatchObject({ collections: 2 });
    expect((await ask('GET', at('marks'))).body).toMatchObject({ total: 0 });
  });

  it('is of the world in whose address it is asked', async () => {
    const server = await createTestAtoll();
    const send = (method: string, path: string, value?: object) => {
      const sent = server.send(method, path);
      return value === undefined ? sent : sent.set('Content-Type', 'application/json').send(value);
    };
    await send('PUT', at('notes', 'a'), { of: 'main' }).expect(201);
    await send('POST', '/_atoll/worlds', { name: 'w7' }).expect(201);
    await send('PUT', `/~w7${at('notes', 'a')}`, { of: 'w7' }).expect(201);
    expect((await send('GET', at('notes', 'a'))).body).toMatchObject({ value: { of: 'main' } });
    await send('POST', '/~w7/_atoll/reset').expect(204);
    await send('GET', `/~w7${at('notes', 'a')}`).expect(404);
    await send('GET', at('notes', 'a')).expect(200);
  });
});

describe('On the server of a team', () => {
  it('there are no collections: an empty list, and 404 for the rest', async () => {
    replaced = { collections: undefined };
    expect((await ask('GET', at())).body).toEqual({ collections: [], others: [] });
    const body = { message: 'A server over a database keeps no collections.' };
    for (const [method, path, value] of [
      ['GET', at('notes')],
      ['GET', at('notes', 'a')],
      ['PUT', at('notes', 'a'), 1],
      ['DELETE', at('notes', 'a')],
    ] as const)
      expect(await ask(method, path, value)).toEqual({ status: 404, body });
    expect((await ask('GET', '/_atoll/repository')).body).toMatchObject({ collections: 0 });
    expect((await ask('GET', '/_atoll/health')).body).not.toHaveProperty('unfit');
  });
});
