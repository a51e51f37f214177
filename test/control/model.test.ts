/** What forms are told of a site's bundles and fields, and that a record made from it is one that the site accepts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { components } from '../../src/client/generated/control.ts';
import { loadSite } from '../support/site-sources.ts';
import type { Site } from '../../src/repository/repository.ts';
import { createTestAtoll, root, type TestAtoll } from '../support/atoll.ts';
import { museum, press, writeSite } from '../support/invented-sites.ts';

type Bundle = components['schemas']['ModelBundle'];
type Field = components['schemas']['ModelField'];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-model-'));
});
afterAll(() => rm(folder, { recursive: true }));

const modelOf = async (atoll: TestAtoll): Promise<readonly Bundle[]> => {
  const response = await atoll.send('GET', '/_atoll/model');
  expect(response.status).toBe(200);
  return (response.body as { bundles: Bundle[] }).bundles; // held to the document
};

const bundleIn = (bundles: readonly Bundle[], type: string, id: string): Bundle => {
  const found = bundles.find(({ type: each, bundle }) => each === type && bundle === id);
  if (found === undefined) throw new Error(`There is no ${type} ${id}.`);
  return found;
};
const fieldIn = ({ fields }: Bundle, name: string): Field => {
  const found = fields.find((field) => field.name === name);
  if (found === undefined) throw new Error(`There is no field ${name}.`);
  return found;
};
const names = ({ fields }: Bundle, has: (field: Field) => boolean): string[] =>
  fields.filter(has).map(({ name }) => name);

describe('GET /_atoll/model', () => {
  let atoll: TestAtoll;
  let bundles: readonly Bundle[];
  beforeAll(async () => {
    atoll = await createTestAtoll();
    bundles = await modelOf(atoll);
  });

  it('has every bundle of the site with the number of its records', async () => {
    for (const { type, bundle, count, label } of bundles) {
      const page = await atoll.send('GET', `/_atoll/entities?type=${type}&bundle=${bundle}`);
      expect([bundle, count]).toEqual([bundle, (page.body as { total: number }).total]);
      expect(label).toBe(atoll.site.model.bundle(type, bundle)?.label);
    }
    const wanted = (['node', 'media', 'file', 'taxonomy_term', 'user'] as const).flatMap((type) =>
      atoll.site.model.bundles(type).map(({ id }) => `${type} ${id}`),
    );
    expect(bundles.map(({ type, bundle }) => `${type} ${bundle}`)).toEqual(wanted);
  });

  it('says of each field what a form needs', () => {
    const node = bundleIn(bundles, 'node', 'islandora_object');
    expect(node).toMatchObject({ createPath: '/node?_format=json', idField: 'nid', bundleField: 'type' });
    expect(fieldIn(node, 'field_member_of')).toMatchObject({
      ...{ label: 'Member of', type: 'entity_reference', main: 'target_id', required: false, cardinality: null },
      ...{ readOnly: false, createOnly: false, inForm: true, configured: true, target: { type: 'node' } },
    });
    expect(fieldIn(node, 'field_model')).toMatchObject({ cardinality: 1, target: { bundles: ['islandora_models'] } });
    expect(fieldIn(node, 'field_extent').default).toEqual([{ value: '1 item' }]);
    expect(fieldIn(node, 'langcode').allowedValues).toContainEqual({ value: 'fr', label: 'French' });
    const agents = fieldIn(node, 'field_linked_agent');
    expect([agents.type, agents.properties]).toEqual(['typed_relation', ['target_id', 'rel_type']]);
    expect(agents.parts).toEqual([
      { property: 'rel_type', label: 'Relation', choicesIn: 'relations' },
      { property: 'target_id', label: 'Refers to', as: 'number', input: 'reference' },
    ]);
  });

  it('says which fields nobody can set, and which only in a new record', () => {
    const node = bundleIn(bundles, 'node', 'islandora_object');
    expect(names(node, ({ readOnly }) => readOnly)).toEqual(['nid', 'revision_timestamp', 'revision_uid', 'changed']);
    expect(names(node, ({ createOnly }) => createOnly)).toEqual(['uuid', 'vid', 'type']);
    for (const [type, id] of [
      ['file', 'file'],
      ['user', 'user'],
    ] as const) {
      const bundle = bundleIn(bundles, type, id);
      expect(bundle).not.toHaveProperty('createPath');
      expect(bundle.fields.every(({ readOnly }) => readOnly)).toBe(true);
    }
  });

  it('says where a media has its file, where it is uploaded, and what the file fills', async () => {
    const image = bundleIn(bundles, 'media', 'image');
    expect(image.source).toEqual({ field: 'field_media_image', kind: 'image', maxBytes: atoll.site.maxUploadBytes });
    const { uploadPath = '', extensions } = fieldIn(image, 'field_media_image');
    expect(extensions).toContain('png');
    const uploaded = await atoll
      .send('POST', uploadPath, 'admin')
      .set({ 'Content-Type': 'application/octet-stream', 'Content-Disposition': 'file; filename="a.png"' })
      .send(Buffer.from('no picture, but bytes'));
    expect(uploaded.status).toBe(201);
    const filled = names(image, (field) => field.filled);
    expect(filled).toEqual(expect.arrayContaining(['name', 'thumbnail', 'field_width', 'field_mime_type', 'status']));
    expect(filled).not.toContain('field_media_of');
    expect(fieldIn(image, 'thumbnail')).not.toHaveProperty('uploadPath');
  });

  it('tells by required and filled what a new record needs: nothing else is missed, and all of that is', async () => {
    const node = bundleIn(bundles, 'node', 'islandora_object');
    const needed = names(node, ({ required, filled, readOnly }) => required && !filled && !readOnly);
    expect(needed.sort()).toEqual(['field_model', 'title', 'type']);
    const [model] = atoll.site.terms.filter(({ vocabulary }) => vocabulary === 'islandora_models');
    const body: Record<string, unknown> = {
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: 'Made by a form' }],
      field_model: [{ target_id: model?.tid }],
    };
    const create = (sent: object) => atoll.send('POST', node.createPath ?? '', 'admin').send(sent);
    expect((await create(body)).status).toBe(201);
    for (const name of needed) {
      const others = Object.fromEntries(Object.entries(body).filter(([each]) => each !== name));
      expect([name, (await create(others)).status]).toEqual([name, 422]);
    }
  });
});

describe('The model of a site of one’s own', () => {
  const siteWith = async (name: string, invented: typeof museum): Promise<TestAtoll> => {
    const site = await loadSite(await writeSite(join(folder, name), invented));
    return createTestAtoll({ fixture: 'sample:12', site: () => site });
  };

  it('has its bundles, labels and choices, and no bundle of the default site', async () => {
    const bundles = await modelOf(await siteWith('museum', museum));
    expect(bundles.filter(({ type }) => type === 'node').map(({ bundle, label }) => [bundle, label])).toEqual([
      ['artwork', 'The artwork'],
      ['exhibit', 'The exhibit'],
      ['note', 'The note'],
    ]);
    const artwork = bundleIn(bundles, 'node', 'artwork');
    expect(fieldIn(artwork, 'field_technique')).toMatchObject({
      cardinality: 2,
      required: true,
      target: { bundles: ['technique'] },
    });
    expect(fieldIn(artwork, 'field_hand').relations).toContainEqual({ value: 'relators:art', label: 'relators:art' });
    expect(fieldIn(artwork, 'field_story').formats).toEqual(['plain_text']);
    expect(fieldIn(artwork, 'field_portrait')).toMatchObject({
      ...{ extensions: ['gif', 'jpg'], uploadPath: '/file/upload/node/artwork/field_portrait?_format=json' },
    });
    const note = bundleIn(bundles, 'node', 'note');
    expect(fieldIn(note, 'field_the_list_string').allowedValues).toEqual([
      { value: 'oil', label: 'Oil' },
      { value: 'ink', label: 'Ink' },
    ]);
    expect(fieldIn(note, 'field_the_authority_link').sources).toContainEqual({ value: 'viaf', label: 'VIAF' });
    expect(fieldIn(note, 'field_the_decimal')).toMatchObject({ precision: 4, scale: 2, min: 5, max: 50 });
  });

  it('marks what modules add and nobody keeps as read only', async () => {
    const bundles = await modelOf(await siteWith('press', press));
    const issue = bundleIn(bundles, 'node', 'issue');
    expect(fieldIn(issue, 'metatag')).toMatchObject({ readOnly: true, parts: [] });
    expect(fieldIn(issue, 'status').readOnly).toBe(true);
    expect(fieldIn(bundleIn(bundles, 'node', 'sheet'), 'moderation_state').readOnly).toBe(true);
    expect(fieldIn(bundleIn(bundles, 'node', 'sheet'), 'status').readOnly).toBe(false);
    expect(fieldIn(issue, 'path')).toMatchObject({ type: 'path', main: 'alias', readOnly: false });
  });

  it('offers the states of a workflow, with the one of a new record', async () => {
    const issue = bundleIn(await modelOf(await siteWith('press', press)), 'node', 'issue');
    expect(fieldIn(issue, 'moderation_state')).toMatchObject({
      ...{ readOnly: false, required: true, filled: true, default: [{ value: 'draft' }] },
      allowedValues: [
        { value: 'draft', label: 'Draft' },
        { value: 'published', label: 'Published' },
        { value: 'archived', label: 'Archived' },
      ],
    });
  });

  it.each(['starter-site'])('is there for the packaged site %s', async (name) => {
    const site: Site = await loadSite(join(root, 'data/sites', name));
    const bundles = await modelOf(await createTestAtoll({ fixture: 'sample:5', site: () => site }));
    const item = bundleIn(bundles, 'node', 'islandora_object');
    expect(item.label).toBe(site.model.bundle('node', 'islandora_object')?.label);
    expect(fieldIn(item, 'field_linked_agent').relations?.length).toBeGreaterThan(20);
    expect(bundles.find(({ source }) => source?.kind === 'oembed')?.source).not.toHaveProperty('maxBytes');
  });
});
