/** A fixture that does not fit the site is refused: the starter one with a remedy, at the start, for a new world and after a reload. */
import { repositoryOnDisk } from '../../src/application/application-disk.ts';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '../../src/basics/configuration-error.ts';
import { readExport } from '../../src/storage/storage-export.ts';
import { recordsHash, createFixtures } from '../../src/server/server-application.ts';
import { exportStarter, root, sources } from '../support/atoll.ts';
import { museum, writeSite } from '../support/invented-sites.ts';
import { send, startServer } from '../support/server.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-unfit-'));
});
afterAll(() => rm(folder, { recursive: true }));

const nodeFile = 'bundles/node.islandora_object.yml';
const remedy = /Name another: sample makes content for any site, empty has none\.$/;

/** The default site with a text of one of its files replaced. */
const changes: readonly (readonly [string, string, RegExp, string, RegExp])[] = [
  [
    'another type',
    nodeFile,
    /(field_pid: \{ label: PID, type: )string, cardinality: 1, max_length: 255/,
    '$1integer',
    /field_pid\.0\.value/,
  ],
  [
    'a text where a number was',
    'bundles/media.image.yml',
    /(field_width: \{ label: Width, type: )integer/,
    '$1string',
    /field_width\.0\.value: \d+ is not a value of a field of type string\./,
  ],
  [
    'a shorter text',
    nodeFile,
    /(label: Alternative Title\n {4}type: string\n {4}cardinality: 1\n {4}max_length: )255/,
    '$11',
    /field_alternative_title\.0\.value: Alternative Title: may not be longer than 1 characters\./,
  ],
  [
    'a new required field',
    nodeFile,
    /^fields:/m,
    'fields:\n  field_shelf: { label: Shelf, type: string, cardinality: 1, required: true }',
    /field_shelf: This value should not be null\./,
  ],
  [
    'another vocabulary',
    nodeFile,
    /bundles: \[islandora_models\]/,
    'bundles: [subject]',
    /field_model\.0\.target_id: This entity \(taxonomy_term: \d+\) cannot be referenced\./,
  ],
  [
    'another language',
    'site.yml',
    /langcode: en\nlanguages: .*/,
    'langcode: fr\nlanguages: [fr, und]',
    /langcode\.0: The value you selected is not a valid choice\./,
  ],
  ['no such field', nodeFile, / {2}field_pid: .*\n/, '', /field_pid: the bundle islandora_object has no such field\./],
];

const starting = (site: string, fixture = 'starter') => startServer({ site, fixture, traffic: 0 });

describe('The starter fixture', () => {
  it.each(changes)('is refused by a site with %s', async (what, file, from, to, message) => {
    const site = join(folder, what.replaceAll(' ', '-'));
    await cp(join(root, 'data/site'), site, { recursive: true });
    const text = await readFile(join(site, file), 'utf8');
    expect(text).toMatch(from);
    await writeFile(join(site, file), text.replace(from, to));
    const error: unknown = await starting(site).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigurationError);
    const said = (error as ConfigurationError).message; // see the line above
    expect(said).toMatch(/^The fixture starter does not fit the site: /);
    expect(said).toMatch(message);
    expect(said).toMatch(remedy);
    expect(said).not.toContain(root);
  });

  it('is taken by a site that only adds something', async () => {
    const server = await startServer({
      siteFile: nodeFile,
      changeSite: (yaml) =>
        yaml.replace('fields:', 'fields:\n  field_shelf: { label: Shelf, type: string, cardinality: 1 }'),
      traffic: 0,
    });
    expect((await send(server, 'GET', '/node/5?_format=json')).status).toBe(200);
    await server.stop();
  });
});

describe('A site of its own', () => {
  it('lets worlds begin with a sample or empty, and refuses the starter fixture with 422', async () => {
    const server = await starting(await writeSite(join(folder, 'museum'), museum), 'sample:5');
    const forked = (from: string) => send(server, 'POST', '/_atoll/worlds', { as: null, json: { name: 'w', from } });
    const refused = await forked('starter');
    expect(refused.status).toBe(422);
    expect(refused.message()).toMatch(/^The fixture starter does not fit the site: node:\d+: /);
    expect(refused.message()).toMatch(remedy);
    expect((await forked('sample:0')).status).toBe(422);
    expect((await forked('sample:8')).status).toBe(201);
    expect((await send(server, 'GET', '/~w/node/8?_format=json')).status).toBe(200);
    expect((await send(server, 'GET', '/~w/node/9?_format=json')).status).toBe(404);
    await send(server, 'DELETE', '/~w/node/8');
    expect((await send(server, 'POST', '/~w/_atoll/reset', { as: null, json: {} })).status).toBe(204);
    expect((await send(server, 'GET', '/~w/node/8?_format=json')).status).toBe(200);
    expect(server.errors).toEqual([]);
    await server.stop();
  });

  it('has a sample on disk, too, which stays as it is', async () => {
    const site = await writeSite(join(folder, 'on-disk'), museum);
    const server = await startServer({ site, fixture: 'sample:6', traffic: 0, onDisk: true });
    expect((await send(server, 'GET', '/node/6?_format=json')).status).toBe(200);
    expect(server.isNew).toBe(true);
    const { entities } = await server.world.store.list('file', { offset: 0, limit: 1 });
    expect(entities[0]?.blob?.key).toBeDefined();
    await server.stop();
  });

  it('makes the sample anew for a site that has changed while the server runs', async () => {
    const site = await writeSite(join(folder, 'reloaded'), museum);
    const server = await starting(site, 'sample:6');
    const file = join(site, 'bundles/node.note.yml');
    const changed = (await readFile(file, 'utf8')).replace(
      '"fields":{',
      '"fields":{"field_new":{"label":"New","type":"string","required":true},',
    );
    await writeFile(file, changed);
    expect((await send(server, 'POST', '/_atoll/reload', { as: null })).status).toBe(200);
    expect((await send(server, 'POST', '/_atoll/reset', { as: null, json: {} })).status).toBe(204);
    const { entities } = await server.worlds.main.world.store.list('node', { offset: 0, limit: 100 });
    const notes = entities.filter(({ bundle }) => bundle === 'note');
    expect(notes.map(({ fields }) => 'field_new' in fields)).toEqual(notes.map(() => true));
    await server.stop();
  });
});

it('is not looked for in records that have been checked, and in all others', async () => {
  const { site } = await sources();
  const fixture = join(folder, 'checked');
  await exportStarter(fixture);
  const changeTitle = async (title: unknown): Promise<void> => {
    const file = join(fixture, 'node/1.json');
    const record = JSON.parse(await readFile(file, 'utf8')) as { fields: Record<string, unknown> }; // of the package
    await writeFile(file, JSON.stringify({ ...record, fields: { ...record.fields, title } }));
  };
  await changeTitle([]);
  const checkedRecords = [recordsHash(await readExport(fixture))];
  const read = (checked: readonly string[]) =>
    createFixtures({ application: repositoryOnDisk, site, fixture, checkedRecords: checked }).ownContent();
  await expect(read([])).rejects.toThrow(ConfigurationError);
  await expect(read(checkedRecords)).resolves.toMatchObject({ counters: {} });
  await changeTitle([{ value: 5 }]);
  await expect(read(checkedRecords)).rejects.toThrow(ConfigurationError);
});
