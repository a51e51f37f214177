/** What a site does by itself: in the transaction of a write, and some time after it. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import type { components } from '../../src/client/generated/contract.ts';
import { Repository, type SiteTools } from '../../src/repository/repository-content.ts';
import { createFollowUps } from '../../src/repository/living/follow-ups.ts';
import { changedView } from '../../src/repository/living/changed-view.ts';
import type { SiteWork } from '../../src/repository/living/reaction.ts';
import { fileAt, type StoredChange, type World } from '../../src/repository/repository.ts';
import { createClock, createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { keyOf, textOf, type Entity } from '../../src/openapi/openapi-records.ts';

const node = {
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'A title' }],
  field_model: [{ target_id: 24 }],
};

type Reactions = NonNullable<ConstructorParameters<typeof Repository>[0]['reactions']>;

/** The world of a site that does this by itself. */
const livingWorld = (world: World, reactions: Reactions, followUps?: World['followUps']): World => ({
  ...world,
  repository: new Repository({ ...world.repository.parts, reactions }),
  followUps,
});

const idOf = (reply: Response): number => (reply.body as components['schemas']['NodeRecord']).nid[0].value; // the document says so
const titleOf = (reply: Response) => (reply.body as components['schemas']['NodeRecord']).title; // the document says so

const tools = {} as SiteTools; // the work of these tests uses none

const work = (name: string, run: SiteWork['run'] = async () => ({})): SiteWork => ({ name, about: 'node:1', run });

/** Work that notes that it was done. */
const noting =
  (done: string[]) =>
  (name: string): SiteWork =>
    work(name, async () => {
      done.push(name);
      return {};
    });

describe('A reaction in the transaction of a write', () => {
  const inTransaction: Reactions['inTransaction'] = (changes, _view, { now }) =>
    changes.map((change) => {
      if (!('put' in change) || change.put.type !== 'node') return change;
      const path = [{ alias: `/at/${now}`, pid: 7 }];
      return { put: { ...change.put, fields: { ...change.put.fields, title: [{ value: 'Another title' }], path } } };
    });
  let atoll: TestAtoll;
  beforeEach(async () => {
    atoll = await createTestAtoll({ around: (world) => livingWorld(world, { inTransaction }) });
  });

  it('is stored with it; the 201 shows the record as it was sent, and its Location the record as it is stored', async () => {
    const created = await atoll.send('post', '/node?_format=json', 'admin').send(node).expect(201);
    expect(titleOf(created)).toEqual([{ value: 'A title' }]);
    expect(created.headers['location']).toBe(`http://localhost:8000/at/${atoll.clock.now() / 1000}`);
    const read = await atoll.send('get', `/node/${idOf(created)}?_format=json`, 'admin').expect(200);
    expect(titleOf(read)).toEqual([{ value: 'Another title' }]);
  });
});

describe('A reaction after a commit', () => {
  it('hears of what was created, changed and deleted, and of nothing that was refused or changed nothing', async () => {
    const heard: StoredChange[] = [];
    const afterCommit = (change: StoredChange): void => void heard.push(change);
    const atoll = await createTestAtoll({ around: (world) => livingWorld(world, { afterCommit }) });
    const created = await atoll.send('post', '/node?_format=json', 'admin').send(node).expect(201);
    const path = `/node/${idOf(created)}?_format=json`;
    await atoll
      .send('post', '/node?_format=json', 'admin')
      .send({ ...node, title: [] })
      .expect(422);
    await atoll
      .send('patch', path, 'admin')
      .send({ ...node, title: [{ value: 'New' }] })
      .expect(200);
    await atoll
      .send('patch', path, 'admin')
      .send({ ...node, title: [{ value: 'New' }] })
      .expect(200);
    await atoll.send('delete', path, 'admin').expect(204);
    const titles = heard.map(({ records }) =>
      records.map(({ before, after }) => [before, after].map((one) => one?.fields['title']?.[0]?.['value'])),
    );
    expect(titles).toEqual([[[undefined, 'A title']], [['A title', 'New']], [['New', undefined]]]);
    expect(heard.every(({ principal }) => principal.name === 'admin')).toBe(true);
  });
});

describe('What a site does some time after a write', () => {
  it('is done in order, and the failure of one is said and stops none', async () => {
    const done: string[] = [];
    const noted = noting(done);
    const queue = createFollowUps({ clock: createClock(), delayMs: 0, tools });
    queue.add(
      [noted('first'), work('second', () => Promise.reject(new Error('It is away.'))), noted('third')],
      undefined,
    );
    queue.add([noted('fourth')], 'A fault says so.');
    expect(queue.list().map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting', 'waiting']);
    await queue.settled();
    expect(done).toEqual(['first', 'third']);
    expect(queue.list().map(({ name, state, message }) => [name, state, message])).toEqual([
      ['first', 'done', undefined],
      ['second', 'failed', 'It is away.'],
      ['third', 'done', undefined],
      ['fourth', 'failed', 'A fault says so.'],
    ]);
  });

  it('waits by the clock of the world, and is not done in a world that has ended', async () => {
    const clock = createClock();
    const done: string[] = [];
    const noted = noting(done);
    const queue = createFollowUps({ clock, delayMs: 60_000, tools });
    queue.add([noted('first')], undefined);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(done).toEqual([]);
    clock.advance(60);
    await queue.settled();
    expect(done).toEqual(['first']);
    queue.add([noted('second')], undefined);
    queue.end();
    clock.advance(60);
    await queue.settled();
    expect(done).toEqual(['first']);
  });

  it('is listed by GET /_atoll/reactions: 200, and with settled=true once all is done', async () => {
    const clock = createClock();
    const queue = createFollowUps({ clock, delayMs: 0, tools });
    const afterCommit = (): void => queue.add([work('thumbnail')], undefined);
    const atoll = await createTestAtoll({ around: (world) => livingWorld(world, { afterCommit }, queue) });
    await atoll.send('post', '/node?_format=json', 'admin').send(node).expect(201);
    const listed = await atoll.send('get', '/_atoll/reactions?settled=true').expect(200);
    expect(listed.body).toEqual({
      settled: true,
      reactions: [{ id: 1, name: 'thumbnail', about: 'node:1', due: '2024-05-01T12:00:00.000Z', state: 'done' }],
    });
  });

  it('is not listed with another value of settled: 400', async () => {
    const atoll = await createTestAtoll();
    await atoll.send('get', '/_atoll/reactions?settled=no').expect(400);
  });

  it('is nothing on the default site: GET /_atoll/reactions is 200 without any', async () => {
    const atoll = await createTestAtoll();
    const listed = await atoll.send('get', '/_atoll/reactions').expect(200);
    expect(listed.body).toEqual({ settled: true, reactions: [] });
  });
});

describe('The records after changes that are not stored yet', () => {
  const file = (id: number, uri: string): Entity => ({
    ...{ type: 'file', id, uuid: `u${id}`, bundle: 'file' },
    fields: { uri: [{ value: uri }] },
  });
  const [one, two, three] = [file(1, 'public://a'), file(2, 'public://b'), file(3, 'public://a')];
  const stored = [one, two];
  const view = changedView(
    {
      get: (key) => stored.find((each) => keyOf(each) === key),
      lookup: (index) => stored.filter((each) => fileAt(textOf(each.fields['uri']?.[0]?.['value'])) === index),
      nextId: () => 4,
    },
    [{ remove: 'file:2' }, { put: three }],
  );

  it('has what was put, and lacks what was removed', () => {
    expect([view.get('file:1'), view.get('file:2'), view.get('file:3')]).toEqual([one, undefined, three]);
    expect(view.lookup(fileAt('public://a'))).toEqual([one, three]);
    expect(view.lookup(fileAt('public://b'))).toEqual([]);
  });
});
