/** Handlers that keep records: what each world, a reset, a snapshot, a restart, a comparison and an export hold of them. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { startAtoll } from '../../src/cli/entries/atoll.ts';
import { runHere } from '../support/command.ts';
import { closeOwnServers, startOwn } from './support/own-document.ts';

afterEach(closeOwnServers);

const document = `openapi: 3.1.0
info: { title: Notes, version: "1" }
paths:
  /notes:
    get:
      operationId: listNotes
      responses: { 200: { description: ok, content: { application/json: { schema: { type: object } } } } }
    post:
      operationId: addNote
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses:
        201: { description: made, content: { application/json: { schema: { type: object } } } }
        409: { description: taken, content: { application/json: { schema: { type: object } } } }
  /notes/{id}:
    delete:
      operationId: dropNote
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { 204: { description: gone }, 404: { description: none } }
`;

const handlers = `
export const listNotes = async (_request, world) => ({ body: await world.collection('notes').list() });
export const addNote = async ({ body }, world) => {
  const note = await world.collection('notes').transact((notes) => {
    const id = body.id ?? String(notes.nextNumber());
    if (notes.get(id) !== undefined) throw Object.assign(new Error('There is such a note.'), { status: 409 });
    const note = { ...body, id, at: new Date(world.clock.now()).toISOString() };
    notes.put(id, note);
    notes.collection('log').put(world.ids.uuid(), { added: id });
    return note;
  });
  return { status: 201, body: note };
};
export const dropNote = async ({ path }, world) => ({ status: (await world.collection('notes').delete(path.id)) ? 204 : 404 });
`;
const files = { 'api.yaml': document, 'h/notes.mjs': handlers };

/** A client of one world. */
const notesOf = ({ url }: { readonly url: string }) => {
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, {
      method,
      ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  return {
    add: async (note: object) => (await ask('POST', '/notes', note)).status,
    drop: async (id: string) => (await ask('DELETE', `/notes/${id}`)).status,
    ids: async (): Promise<string[]> => {
      const { text } = await ask('GET', '/notes');
      return (JSON.parse(text) as { records: { id: string }[] }).records.map(({ id }) => id);
    },
  };
};

describe('A handler of a document that is served alone', () => {
  it('keeps records in order, and none of a request that it refuses', async () => {
    const server = await startOwn(files);
    const notes = notesOf(server);
    expect([await notes.add({ id: 'b' }), await notes.add({}), await notes.add({ id: 'a' })]).toEqual([201, 201, 201]);
    expect(await notes.add({ id: 'b' })).toBe(409);
    expect(await notes.ids()).toEqual(['b', '1', 'a']);
    expect([await notes.drop('1'), await notes.drop('1')]).toEqual([204, 404]);
    expect(await notes.add({})).toBe(201);
    expect(await notes.ids()).toEqual(['b', 'a', '2']);
  });

  it('has the records of its world alone, which a fork begins with', async () => {
    const server = await startOwn(files);
    await notesOf(server).add({ id: 'main' });
    const world = await server.world({ from: 'main' });
    await notesOf(world).add({ id: 'fork' });
    expect([await notesOf(server).ids(), await notesOf(world).ids()]).toEqual([['main'], ['main', 'fork']]);
    await world.reset();
    expect(await notesOf(world).ids()).toEqual(['main']);
    await server.reset();
    expect([await notesOf(server).ids(), await notesOf(world).ids()]).toEqual([[], ['main']]);
    await world.drop();
  });

  it('has again what a snapshot has', async () => {
    const server = await startOwn(files);
    const notes = notesOf(server);
    await notes.add({ id: 'first' });
    await server.snapshots.save('one');
    await notes.drop('first');
    await notes.add({ id: 'second' });
    await server.snapshots.load('one');
    expect(await notes.ids()).toEqual(['first']);
  });

  it('has them after a restart, and counts on', async () => {
    const data = await mkdtemp(join(tmpdir(), 'atoll-kept-records-'));
    try {
      const first = await startOwn(files, { data });
      for (const note of [{ id: 'x' }, {}, { id: '40' }]) await notesOf(first).add(note);
      await notesOf(first).drop('40');
      await first.close();
      const second = await startOwn(files, { data });
      await notesOf(second).add({});
      expect(await notesOf(second).ids()).toEqual(['x', '1', '41']);
      await second.close();
    } finally {
      await rm(data, { recursive: true });
    }
  });

  it('shows differences, of which each is put back', async () => {
    const server = await startOwn(files);
    const world = await server.world();
    const notes = notesOf(world);
    await notes.add({ id: 'kept', text: 'one' });
    await notes.add({ id: 'gone' });
    await world.snapshots.save('before');
    await notes.drop('gone');
    await notes.add({ id: 'new' });
    const found = await world.differences({ from: 'before', type: 'collection_record' });
    const shown = found.entries
      .filter(({ bundle }) => bundle === 'notes')
      .map(({ id, title, change }) => ({ id, title, change }));
    expect(shown).toEqual([
      { id: 3, title: 'gone', change: 'removed' },
      { id: 5, title: 'new', change: 'added' },
    ]);
    for (const { id } of shown) await world.putBack({ type: 'collection_record', id, from: 'before' });
    expect(await notes.ids()).toEqual(['kept', 'gone']);
    const again = world.putBack({ type: 'collection_record', id: 5, from: 'before' });
    await expect(again).rejects.toMatchObject({ status: 404 });
    await world.drop();
  });

  it('is not given back a record whose id another one has by now', async () => {
    const server = await startOwn(files);
    const notes = notesOf(server);
    await notes.add({ id: 'a' });
    await server.snapshots.save('before');
    await notes.drop('a');
    await notes.add({ id: 'a', text: 'another' });
    const back = server.putBack({ type: 'collection_record', id: 1, from: 'before' });
    await expect(back).rejects.toMatchObject({ status: 409 });
  });

  const withFixture = `collections: { notes: { a: { id: a }, '7': { id: '7' } } }\n`;

  it('begins with the records of a fixture, to which a reset returns', async () => {
    const server = await startOwn({ ...files, 'fixture.yaml': withFixture }, (folder) => ({
      fixture: join(folder, 'fixture.yaml'),
    }));
    const notes = notesOf(server);
    expect(await notes.ids()).toEqual(['7', 'a']);
    await notes.add({});
    await notes.drop('a');
    expect(await notes.ids()).toEqual(['7', '8']);
    const { entries } = await server.differences({ type: 'collection_record' });
    expect(entries.filter(({ bundle }) => bundle === 'notes').map(({ title, change }) => [title, change])).toEqual([
      ['a', 'removed'],
      ['8', 'added'],
    ]);
    await server.reset();
    expect(await notes.ids()).toEqual(['7', 'a']);
  });

  it('begins with a directory that was exported, and objects of a fixture refuse the start', async () => {
    const data = await mkdtemp(join(tmpdir(), 'atoll-kept-records-'));
    try {
      const first = await startOwn(files, { data: join(data, 'data') });
      for (const note of [{ id: 'x' }, {}]) await notesOf(first).add(note);
      await first.close();
      const exported = await runHere(['export', join(data, 'export'), '--data', join(data, 'data')]);
      expect(exported).toMatchObject({ code: 0, error: '' });
      for (const place of ['data', 'export'])
        expect(await runHere(['check', '--data', join(data, place)])).toMatchObject({ code: 0, error: '' });
      const imported = await runHere(['import', join(data, 'export'), '--data', join(data, 'other')]);
      expect(imported).toMatchObject({ code: 0, error: '' });
      for (const options of [{ fixture: join(data, 'export') }, { data: join(data, 'other') }]) {
        const server = await startOwn(files, options);
        expect(await notesOf(server).ids()).toEqual(['x', '1']);
        await notesOf(server).add({});
        expect(await notesOf(server).ids()).toEqual(['x', '1', '2']);
        await server.close();
      }
    } finally {
      await rm(data, { recursive: true });
    }
    const starting = startOwn({ ...files, 'f.yaml': 'objects:\n  - { title: T, model: Image }\n' }, (folder) => ({
      fixture: join(folder, 'f.yaml'),
    }));
    await expect(starting).rejects.toThrow('f.yaml:2: objects: the server has no repository for them.');
  });

  it('is checked: damage of its records is named', async () => {
    const data = await mkdtemp(join(tmpdir(), 'atoll-kept-records-'));
    try {
      const first = await startOwn(files, { data: join(data, 'data') });
      for (const note of [{ id: 'x' }, { id: 'y' }]) await notesOf(first).add(note);
      await first.close();
      await runHere(['export', join(data, 'export'), '--data', join(data, 'data')]);
      const record = join(data, 'export/collection_record/3.json');
      const text = await readFile(record, 'utf8');
      await writeFile(record, text.replaceAll('"y"', '"x"'));
      const { code, out } = await runHere(['check', '--data', join(data, 'export')]);
      expect([code, out]).toEqual([
        4,
        'fault: collection_record:3: the id in notes is that of collection_record:1 too.\n',
      ]);
    } finally {
      await rm(data, { recursive: true });
    }
  });

  it('is exported and imported', async () => {
    const server = await startOwn(files);
    for (const note of [{ id: 'x' }, {}]) await notesOf(server).add(note);
    const archive = new Uint8Array(await new Response(await server.exportRepository()).arrayBuffer());
    await server.reset();
    expect(await notesOf(server).ids()).toEqual([]);
    await server.importRepository(new Blob([archive]));
    expect(await notesOf(server).ids()).toEqual(['x', '1']);
    await notesOf(server).add({});
    expect(await notesOf(server).ids()).toEqual(['x', '1', '2']);
  });
});

it('A handler that is asked without a socket keeps records in its world, too', async () => {
  const folder = (await startOwn(files)).folder;
  const atoll = await startAtoll({ document: join(folder, 'api.yaml'), handlers: join(folder, 'h'), port: false });
  const add = () =>
    atoll.fetch('/notes', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  expect([(await add()).status, (await add()).status]).toEqual([201, 201]);
  const listed = (await (await atoll.fetch('/notes')).json()) as { total: number };
  expect(listed.total).toBe(2);
  await atoll.close();
});

const overlay = `overlay: 1.0.0
info: { title: T, version: "1" }
actions:
  - target: $.paths
    update:
      /marked:
        post: { operationId: addMarked, description: Adds one., requestBody: { required: true, content: { application/json: { schema: { type: object } } } }, responses: { 201: { description: ok, content: { application/json: { schema: { type: object } } } } } }
        get: { operationId: listMarked, description: Lists all., responses: { 200: { description: ok, content: { application/json: { schema: { type: object } } } } } }
      /marked/{id}:
        parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
        patch: { operationId: editMarked, description: Changes one., requestBody: { required: true, content: { application/json: { schema: { type: object } } } }, responses: { 200: { description: ok, content: { application/json: { schema: { type: object } } } } } }
        delete: { operationId: removeMarked, description: Removes one., responses: { 204: { description: ok } } }
`;
const repositoryHandlers = `
const admin = { uid: 1, name: 'admin', roles: [], permissions: new Set(), mayEverything: true };
const absent = () => Object.assign(new Error('There is none.'), { status: 404 });
const mark = (json) => (collection, record) => {
  const marks = collection('marks');
  marks.put(String(record.id), { title: record.fields.title[0].value, number: marks.nextNumber() });
  if (json.fails === true) throw Object.assign(new Error('It is not wanted.'), { status: 422 });
  if (json.breaks === true) marks.put('broken', undefined);
};
const nodeOf = (json) => ({ type: [{ target_id: 'islandora_object' }], title: [{ value: json.title }], field_model: [{ target_id: 24 }] });
export const addMarked = async (_request, world) => {
  const post = world.repository.create(admin, 'node');
  return async ({ json }) => {
    const { entity } = await post(nodeOf(json), undefined, { alongside: mark(json) });
    return { status: 201, mediaType: 'application/json', body: { id: entity.id } };
  };
};
export const editMarked = async ({ path }, world) => {
  const patch = await world.repository.edit(admin, { type: 'node', id: path.id, absent });
  return async ({ json }) => {
    await patch(nodeOf(json), undefined, { alongside: mark(json) });
    return { status: 200, mediaType: 'application/json', body: {} };
  };
};
export const removeMarked = async ({ path }, world) => {
  const commit = await world.repository.remove(admin, { type: 'node', id: path.id, absent });
  return async () => {
    await commit({ alongside: (collection, record) => collection('marks').delete(String(record.id)) });
    return { status: 204 };
  };
};
export const listMarked = async (_request, world) => async () => {
  const { records } = await world.collection('marks').list();
  const { entities } = await world.store.list('node', { offset: 0, limit: 100 });
  return { status: 200, mediaType: 'application/json', body: { marks: records, titles: entities.map(({ fields }) => fields.title[0].value) } };
};
`;

describe('A handler of an operation of the repository', () => {
  const start = async () => {
    const server = await startOwn({ 'o.yaml': overlay, 'h/marked.mjs': repositoryHandlers }, (folder) => ({
      ...{ site: 'default', fixture: 'empty', overlays: [join(folder, 'o.yaml')] },
    }));
    const ask = async (method: string, path: string, body?: object) => {
      const headers = { 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
      return (await fetch(`${server.url}${path}`, { method, ...sent })).status;
    };
    const listed = async () => await (await fetch(`${server.url}/marked`)).json();
    return { server, ask, listed };
  };

  it('stores a record and those of collections together: 201, 200 and 204', async () => {
    const { ask, listed } = await start();
    expect([await ask('POST', '/marked', { title: 'one' }), await ask('POST', '/marked', { title: 'two' })]).toEqual([
      201, 201,
    ]);
    const two = { id: '2', value: { title: 'two', number: 2 } };
    expect(await listed()).toEqual({
      marks: [{ id: '1', value: { title: 'one', number: 1 } }, two],
      titles: ['one', 'two'],
    });
    expect(await ask('PATCH', '/marked/1', { title: 'new' })).toBe(200);
    expect(await listed()).toEqual({
      marks: [{ id: '1', value: { title: 'new', number: 3 } }, two],
      titles: ['new', 'two'],
    });
    expect(await ask('DELETE', '/marked/1')).toBe(204);
    expect(await listed()).toEqual({ marks: [two], titles: ['two'] });
  });

  it('stores neither where the repository or what is alongside refuses: 422 and 500', async () => {
    const { ask, listed } = await start();
    await ask('POST', '/marked', { title: 'one' });
    const before = await listed();
    expect(await ask('POST', '/marked', { title: 'two', fails: true })).toBe(422);
    expect(await ask('POST', '/marked', { title: 'x'.repeat(300) })).toBe(422);
    expect(await ask('POST', '/marked', { title: 'two', breaks: true })).toBe(500);
    expect(await ask('PATCH', '/marked/1', { title: 'two', fails: true })).toBe(422);
    expect(await listed()).toEqual(before);
  });
});
