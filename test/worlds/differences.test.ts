/** What differs between a world and what it was made from: by fields, by pages, from other states, and in a large repository. */
import { recordModel, entityTypes } from '../../src/repository/repository.ts';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createRecordSet } from '../../src/storage/storage.ts';
import type { RecordSet } from '../../src/storage/storage-driver.ts';
import { isSameRecord, recordDifferences } from '../../src/basics/records/record-form.ts';
import { createComparison } from '../../src/server/worlds/differences/compare-records.ts';
import type { components } from '../../src/client/generated/control.ts';
import { createTestAtoll, exportStarter, type TestAtoll } from '../support/atoll.ts';
import { tries } from '../support/long-run.ts';
import { pngBytes } from '../support/png.ts';
import { basic, nodeBody, sendTo, titleBody, type Send } from '../support/requests.ts';
import { keyOf, type Entity } from '../../src/openapi/openapi-records.ts';

type Differences = components['schemas']['Differences'];

const admin = basic('admin').headers;
let atoll: TestAtoll;
let send: Send;
beforeAll(async () => {
  atoll = await createTestAtoll();
  send = sendTo(atoll);
});
beforeEach(async () => {
  for (const { name } of atoll.worlds.list()) if (name !== 'main') atoll.worlds.drop(name);
  for (const { name } of atoll.worlds.listSnapshots('main')) atoll.worlds.deleteSnapshot('main', name);
  await atoll.reset();
});

const differences = async (query = '', world = ''): Promise<Differences> =>
  (await send('GET', `${world}/_atoll/differences${query}`)).body as Differences; // checked against the document
const retitle = (path: string, title: string) => send('PATCH', `${path}?_format=json`, titleBody(title), admin);
const countsOf = ({ added, changed, removed }: Differences): number[] => [added, changed, removed];

describe('GET /_atoll/differences', () => {
  it('finds nothing in a new world, nor after a reset', async () => {
    await send('POST', '/_atoll/worlds', { name: 'w', from: 'main' });
    expect(countsOf(await differences('', '/~w'))).toEqual([0, 0, 0]);
    await retitle('/~w/node/2', 'Another');
    expect(countsOf(await differences('', '/~w'))).toEqual([0, 1, 0]);
    await send('POST', '/~w/_atoll/reset', {});
    expect(countsOf(await differences('', '/~w'))).toEqual([0, 0, 0]);
    expect(countsOf(await differences())).toEqual([0, 0, 0]);
  });

  it('names what was added, changed and removed, with the fields of what was changed', async () => {
    atoll.clock.advance(60);
    await retitle('/node/2', 'Another');
    await send('POST', '/node?_format=json', nodeBody('Brand new'), admin);
    await send('DELETE', '/media/1', undefined, admin);
    const found = await differences();
    expect(found.from).toEqual({ kind: 'fixture', name: 'starter', taken: null });
    expect([countsOf(found), found.total, found.next]).toEqual([[1, 1, 1], 3, undefined]);
    expect(found.entries.map(({ type, title, change }) => [type, title, change])).toEqual([
      ['node', 'Another', 'changed'],
      ['node', 'Brand new', 'added'],
      ['media', expect.any(String), 'removed'],
    ]);
    const [changed, ...others] = found.entries;
    expect(changed?.fields).toEqual(
      expect.arrayContaining([
        { name: 'title', label: 'Title', before: [{ value: 'Quellan Glass Plates' }], after: [{ value: 'Another' }] },
        expect.objectContaining({ name: 'changed' }),
      ]),
    );
    expect(changed?.fields?.map(({ name }) => name)).not.toContain('uuid');
    expect(others.flatMap(({ fields }) => fields ?? [])).toEqual([]);
  });

  it('does not show what was changed back', async () => {
    await send('POST', '/_atoll/worlds', { name: 'w', from: 'main' });
    await send('POST', '/~w/node?_format=json', nodeBody('Brief'), admin);
    const [made] = (await differences('', '/~w')).entries;
    await send('DELETE', `/~w/node/${made?.id}`, undefined, admin);
    expect(countsOf(await differences('', '/~w'))).toEqual([0, 0, 0]);
  });

  it('shows other bytes of a file by their number and hash', async () => {
    await send('POST', '/_atoll/worlds', { name: 'w', from: 'main' });
    const [file] = (await atoll.world().store.list('file', { offset: 0, limit: 1 })).entities;
    const [media] = (await atoll.world().store.list('media', { bundle: 'image', offset: 0, limit: 1 })).entities;
    const headers = { ...admin, 'Content-Type': 'image/png' };
    const put = await send('PUT', `/~w/media/${media?.id}/source`, pngBytes(), headers);
    expect([put.status, file === undefined]).toEqual([204, false]);
    const { entries } = await differences('?type=file', '/~w');
    const fields = entries.flatMap((entry) => entry.fields ?? []);
    const blob = fields.find(({ name }) => name === 'blob');
    expect(blob?.after).toEqual([{ size: pngBytes().length, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    expect(blob?.before).not.toEqual(blob?.after);
  });

  it('keeps to a type and a kind of change, and goes on page by page', async () => {
    for (let made = 0; made < 60; made += 1) await send('POST', '/node?_format=json', nodeBody(`Node ${made}`), admin);
    await retitle('/node/2', 'Another');
    const first = await differences('?type=node&change=added');
    expect([first.total, first.entries.length, countsOf(first)]).toEqual([60, 50, [60, 1, 0]]);
    const second = await differences(`?type=node&change=added&cursor=${first.next ?? ''}`);
    expect([second.total, second.entries.length, second.next]).toEqual([60, 10, undefined]);
    const titles = [...first.entries, ...second.entries].map(({ title }) => title);
    expect(new Set(titles).size).toBe(60);
    expect((await differences('?type=media')).entries).toEqual([]);
    expect((await differences('?change=changed')).entries.map(({ title }) => title)).toEqual(['Another']);
    // The record of the cursor may be gone by the next page.
    expect((await differences('?cursor=user:999')).entries).toEqual([]);
  });

  it('compares with a world, a snapshot or a fixture that is named', async () => {
    await send('PUT', '/_atoll/snapshots/kept');
    await send('POST', '/_atoll/worlds', { name: 'w', from: 'main' });
    await retitle('/~w/node/2', 'Another');
    expect(countsOf(await differences('?from=main', '/~w'))).toEqual([0, 1, 0]);
    const reverse = await differences('?from=w');
    expect([reverse.from.kind, reverse.entries[0]?.title]).toEqual(['world', 'Quellan Glass Plates']);
    expect((await differences('?from=kept', '/~w')).from).toEqual({
      ...{ kind: 'snapshot', name: 'kept', taken: new Date(atoll.clock.now()).toISOString() },
    });
    const empty = await differences('?from=empty&type=node');
    expect([empty.from.kind, empty.added, empty.changed]).toEqual(['fixture', expect.any(Number), 0]);
    expect(empty.added).toBeGreaterThan(10);
  });

  it('answers 404 for what is not there, 400 for parameters of another form', async () => {
    const { status, body } = await send('GET', '/_atoll/differences?from=nowhere');
    expect([status, body]).toEqual([404, { message: 'There is no world, snapshot or fixture "nowhere".' }]);
    for (const query of ['type=paragraph', 'change=moved', 'cursor=paragraph:1', 'cursor=7', 'from=']) {
      expect([query, (await send('GET', `/_atoll/differences?${query}`)).status]).toEqual([query, 400]);
    }
  });

  it('answers 422 for a fixture that does not fit the site', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'atoll-odd-'));
    await exportStarter(folder);
    const file = join(folder, 'node/2.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"islandora_object"', '"spaceship"'));
    const other = await createTestAtoll({ open: { fixtureNamed: () => Promise.resolve(folder) } });
    const { status, body } = await sendTo(other)('GET', '/_atoll/differences?from=odd');
    expect([status, body]).toEqual([422, { message: expect.stringMatching(/does not fit the site/) }]);
    await rm(folder, { recursive: true });
  });
});

describe('POST /_atoll/differences/put-back', () => {
  const putBack = (body: object, world = '') => send('POST', `${world}/_atoll/differences/put-back`, body);
  const get = (path: string) => send('GET', `${path}?_format=json`, undefined, admin);
  const alias = (node: number) =>
    send(
      'POST',
      '/entity/path_alias?_format=json',
      { path: [{ value: `/node/${node}` }], alias: [{ value: '/fleet' }] },
      admin,
    );

  it('204: a deleted node is there again as it was, with its id, uuid, revision, alias and links', async () => {
    await retitle('/node/5', 'Seen once');
    await alias(5);
    const links = async () => (await atoll.send('GET', '/node/2?_format=json').set(admin)).get('link');
    const [before, linksBefore] = [await get('/node/5'), await links()];
    await send('PUT', '/_atoll/snapshots/before');
    expect((await send('DELETE', '/node/5?_format=json', undefined, admin)).status).toBe(204);
    expect([(await get('/node/5')).status, await links()]).not.toEqual([200, linksBefore]);
    const { status, text } = await putBack({ type: 'node', id: 5, from: 'before' });
    expect([status, text]).toEqual([204, '']);
    expect((await get('/node/5')).body).toEqual(before.body);
    expect(await links()).toEqual(linksBefore);
    expect((await get('/fleet')).body).toEqual(before.body);
    expect(countsOf(await differences('?from=before'))).toEqual([0, 0, 0]);
  });

  it('204: a deleted file is there again with its bytes', async () => {
    const [file] = (await atoll.world().store.list('file', { offset: 0, limit: 1 })).entities;
    if (file === undefined) throw new Error('There is no file.');
    await send('DELETE', `/entity/file/${file.id}?_format=json`, undefined, admin);
    expect((await putBack({ type: 'file', id: file.id })).status).toBe(204);
    expect(countsOf(await differences())).toEqual([0, 0, 0]);
    const [{ blob } = file] = await atoll
      .world()
      .store.getMany([keyOf(file)])
      .then(([found]) => [found]);
    expect(blob && (await atoll.world().blobs.get('fedora')?.open(blob))).toBeDefined();
  });

  it('204: a deleted term brings the terms below it, and is their parent again', async () => {
    const term = async (name: string, parents: number[]): Promise<number> => {
      const parent = parents.map((id) => ({ target_id: id }));
      const body = { vid: [{ target_id: 'subject' }], name: [{ value: name }], ...(parents.length > 0 && { parent }) };
      const made = await send('POST', '/taxonomy/term?_format=json', body, admin);
      return (made.body as { tid: [{ value: number }] }).tid[0].value; // checked against the document
    };
    const [top, other] = [await term('Top', []), await term('Other', [])];
    const below = await term('Below', [top]);
    await term('Lowest', [below]);
    await term('Of two', [top, other]);
    await send('PUT', '/_atoll/snapshots/terms');
    await send('DELETE', `/taxonomy/term/${top}?_format=json`, undefined, admin);
    expect(countsOf(await differences('?from=terms'))).toEqual([0, 1, 3]);
    expect((await putBack({ type: 'taxonomy_term', id: top, from: 'terms' })).status).toBe(204);
    expect(countsOf(await differences('?from=terms'))).toEqual([0, 0, 0]);
  });

  it('204: a changed record is as it was, or one field of it alone, and an added one is deleted', async () => {
    atoll.clock.advance(60);
    await retitle('/node/2', 'Another');
    await send(
      'PATCH',
      '/node/2?_format=json',
      { type: [{ target_id: 'islandora_object' }], field_extent: [{ value: '9 plates' }] },
      admin,
    );
    await send('POST', '/node?_format=json', nodeBody('Brand new'), admin);
    const [changed, added] = (await differences()).entries;
    expect(changed?.fields?.map(({ name }) => name).sort()).toEqual(['changed', 'field_extent', 'title']);
    expect((await putBack({ type: 'node', id: 2, field: 'title' })).status).toBe(204);
    expect((await differences()).entries[0]?.fields?.map(({ name }) => name).sort()).toEqual([
      'changed',
      'field_extent',
    ]);
    expect((await putBack({ type: 'node', id: 2 })).status).toBe(204);
    expect((await putBack({ type: 'node', id: added?.id ?? 0 })).status).toBe(204);
    expect(countsOf(await differences())).toEqual([0, 0, 0]);
  });

  it('204: a world that is a copy takes records and bytes of what it was made from', async () => {
    await send('POST', '/_atoll/worlds', { name: 'w', from: 'main' });
    const [media] = (await atoll.world().store.list('media', { bundle: 'image', offset: 0, limit: 1 })).entities;
    const source = `/media/${media?.id}/source`;
    await send('PUT', `/~w${source}`, pngBytes(), { ...admin, 'Content-Type': 'image/png' });
    for (const { type, id } of (await differences('', '/~w')).entries) {
      expect([type, (await putBack({ type, id }, '/~w')).status]).toEqual([type, 204]);
    }
    expect(countsOf(await differences('', '/~w'))).toEqual([0, 0, 0]);
    const bytes = await atoll.send('GET', '/~w/sites/default/files/2019-03/5-Service%20File.jpg');
    expect(bytes.status).toBe(200);
  });

  it('404 where nothing differs or there is no such state, 409 for what another has by now, 400, 415 and 422 for a body of another form', async () => {
    await retitle('/node/2', 'Another');
    const refusals: readonly (readonly [object, number, string])[] = [
      [{ type: 'node', id: 5 }, 404, 'There is no difference of node 5.'],
      [{ type: 'node', id: 2, field: 'uuid' }, 404, 'There is no difference of node 2 in the field "uuid".'],
      [{ type: 'node', id: 2, from: 'nowhere' }, 404, 'There is no world, snapshot or fixture "nowhere".'],
      [{ type: 'node' }, 422, "/requestBody must have required property 'id'"],
    ];
    for (const [body, status, message] of refusals) {
      const { status: met, body: said } = await putBack(body);
      expect([met, (said as { message: string }).message]).toEqual([
        status,
        expect.stringContaining(message.slice(-30)),
      ]);
    }
    await send('POST', '/_atoll/worlds', { name: 'w' });
    expect((await putBack({ type: 'node', id: 2, from: 'w' })).body).toEqual({
      message: '"w" is a world. Name a snapshot or a fixture, or leave "from" out.',
    });
    expect(
      (await send('POST', '/_atoll/differences/put-back', '[', { 'Content-Type': 'application/json' })).status,
    ).toBe(400);
    expect((await send('POST', '/_atoll/differences/put-back', 'a=b', { 'Content-Type': 'text/plain' })).status).toBe(
      415,
    );
  });

  it('409 for an alias that another record has by now', async () => {
    await alias(5);
    await send('PUT', '/_atoll/snapshots/aliases');
    await send('DELETE', '/node/5?_format=json', undefined, admin);
    await alias(6);
    const { status, body } = await putBack({ type: 'node', id: 5, from: 'aliases' });
    const message = expect.stringMatching(/^path_alias \d+ has by now what only one record may have: alias:\/fleet\.$/);
    expect([status, body]).toEqual([409, { message }]);
    expect((await get('/node/5')).status).toBe(404);
  });
});

describe('secrets', () => {
  const user = (password: string): Entity => ({
    ...{ type: 'user', id: 7, uuid: 'u', bundle: 'user', password },
    fields: { name: [{ value: 'somebody' }] },
  });

  it('makes a new password a difference, but shows neither hash', () => {
    const [before, after] = [user('scrypt$1'), user('scrypt$2')];
    expect(isSameRecord(before, after)).toBe(false);
    const found = recordDifferences(before, after);
    expect(found).toEqual([{ place: ['password'], before: [], after: [], isSecret: true }]);
    expect(JSON.stringify(found)).not.toContain('scrypt');
  });
});

describe('translations and order', () => {
  const node = (translations: Entity['translations'], title = 'A'): Entity => ({
    ...{ type: 'node', id: 1, uuid: 'u', bundle: 'b', fields: { title: [{ value: title, lang: 'en' }] } },
    ...(translations === undefined ? {} : { translations }),
  });

  it('names the language of a translated field, and does not mind the order of members', () => {
    const before = node({ fr: { title: [{ value: 'B' }] } });
    const after = node({ fr: { title: [{ value: 'C' }] }, de: { title: [{ value: 'D' }] } });
    expect(recordDifferences(before, after)).toEqual([
      { place: ['translations', 'fr', 'title'], before: [{ value: 'B' }], after: [{ value: 'C' }] },
      { place: ['translations', 'de', 'title'], before: [], after: [{ value: 'D' }] },
    ]);
    const turned: Entity = { ...node(undefined), fields: { title: [{ lang: 'en', value: 'A' }] } };
    expect(isSameRecord(node(undefined), turned)).toBe(true);
    expect(isSameRecord(node({}), node(undefined))).toBe(true);
  });
});

describe('a world on disk', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atoll-differences-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is compared with the fixture that it was filled from, also in a later process', async () => {
    const data = join(folder, 'data');
    const first = await createTestAtoll({ open: { data, durability: 'os' } });
    const firstSend = sendTo(first);
    await firstSend('PATCH', '/node/2?_format=json', titleBody('Another'), admin);
    const ask = async (by: Send): Promise<Differences> => (await by('GET', '/_atoll/differences')).body as Differences; // checked against the document
    const found = await ask(firstSend);
    expect([countsOf(found), found.entries[0]?.title]).toEqual([[0, 1, 0], 'Another']);
    await first.worlds.main.world.store.close();
    const second = await createTestAtoll({ open: { data, durability: 'os' } });
    expect(await ask(sendTo(second))).toEqual(found);
    await second.worlds.reset('main');
    expect(countsOf(await ask(sendTo(second)))).toEqual([0, 0, 0]);
    await second.worlds.main.world.store.close();
  });
});

describe('a large repository', () => {
  const count = tries(100_000);
  const node = (id: number, title: string): Entity => ({
    ...{ type: 'node', id, uuid: `uuid-${id}`, bundle: 'islandora_object' },
    fields: {
      title: [{ value: title }],
      field_member_of: [{ target_id: 1 }, { target_id: 2 }],
      field_description: [{ value: `The description of ${id}. `.repeat(20), format: 'basic_html' }],
      field_model: [{ target_id: 24 }],
    },
  });
  const filled = (): RecordSet => {
    const set = createRecordSet(recordModel);
    for (let id = 1; id <= count; id += 1) set.apply({ put: node(id, `Node ${id}`) });
    return set;
  };

  /** The number of turns that the event loop takes while the work goes on. */
  const turnsDuring = async <T>(work: () => Promise<T>): Promise<{ readonly found: T; readonly turns: number }> => {
    let turns = 0;
    let isOver = false;
    const look = (): void => {
      turns += 1;
      if (!isOver) setImmediate(look);
    };
    setImmediate(look);
    const found = await work();
    isOver = true;
    return { found, turns };
  };

  it('is compared in slices where nothing is shared, and at once where a layer is', async () => {
    const before = filled().freeze();
    const other = filled();
    other.apply({ put: node(5, 'Another') });
    other.apply({ remove: keyOf(node(6, '')) });
    const compare = createComparison();
    const after = other.freeze();
    const { found, turns } = await turnsDuring(() => compare(before, after));
    expect([found.counts, found.changes.length]).toEqual([{ added: 0, changed: 1, removed: 1 }, 2]);
    // One turn for each type of entity is for putting the changes in order. `bench/worlds.ts` measures the longest turn.
    expect(turns).toBeGreaterThan(entityTypes.length + 4);

    const fork = createRecordSet(recordModel, before);
    fork.apply({ put: node(count + 1, 'New') });
    const layered = await turnsDuring(() => compare(before, fork.freeze()));
    expect(layered.found.counts).toEqual({ added: 1, changed: 0, removed: 0 });
    expect(layered.turns).toBeLessThanOrEqual(entityTypes.length + 2);
  });
});
