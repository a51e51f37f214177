/** Sample content: valid by the model of any site, the same for the same seed, and with bytes that are what they say. */
import { judgedBy } from '../support/judged-by.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { imageSize } from 'image-size';
import { decode } from 'tiff';
import { checkRecords } from '../../src/repository/repository-content.ts';
import { fieldTypes, isPublished, targetIds, type Site } from '../../src/repository/repository.ts';
import { initialRecords } from '../../src/repository/repository-sites.ts';
import { loadSite } from '../support/site-sources.ts';
import { ConfigurationError } from '../../src/basics/configuration-error.ts';
import { contentFaults } from '../../src/server/server-worlds.ts';
import { repositoryOnDisk } from '../../src/application/application-disk.ts';
import { sampleObjects } from '../../src/server/worlds/sample-name.ts';
import { root } from '../support/atoll.ts';
import { museum, press, writeSite } from '../support/invented-sites.ts';
import { firstValue, keyOf, textOf, type Entity } from '../../src/openapi/openapi-records.ts';

let folder: string;
const sites = new Map<string, Site>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-sample-'));
  sites.set('default', await loadSite(join(root, 'data/site')));
  for (const [name, invented] of Object.entries({ museum, press })) {
    sites.set(name, await loadSite(await writeSite(join(folder, name), invented)));
  }
});
afterAll(() => rm(folder, { recursive: true }));

const siteOf = (name: string): Site => {
  const site = sites.get(name);
  if (site === undefined) throw new Error(`There is no site ${name}.`);
  return site;
};
const { makeSample = () => Promise.reject(new Error('The repository makes samples.')) } = repositoryOnDisk;
type SampleContent = Awaited<ReturnType<typeof makeSample>>;

const sampleOf = (name: string, objects = 40, seed?: string): Promise<SampleContent> =>
  makeSample(siteOf(name), { objects, seed, root });
const only = ({ entities }: SampleContent, type: Entity['type']): Entity[] =>
  [...entities].filter((entity) => entity.type === type);

describe.each(['default', 'museum', 'press'])('A sample of the site %s', (name) => {
  it('passes the check of fixtures, also of what its references and required fields demand', async () => {
    const site = siteOf(name);
    const sample = await sampleOf(name);
    expect(await contentFaults(sample, sample.blobs, judgedBy(site))).toEqual([]);
    expect(checkRecords(sample, site, { judgesState: true }).faults).toEqual([]);
    expect(sample.notes).toEqual([]);
  });

  it('is the same for the same seed, and another for another', async () => {
    const [one, same, other] = [
      await sampleOf(name, 12, 'a'),
      await sampleOf(name, 12, 'a'),
      await sampleOf(name, 12, 'b'),
    ];
    expect([...same.entities]).toEqual([...one.entities]);
    expect(same.counters).toEqual(one.counters);
    const uuids = new Set([...one.entities].map(({ uuid }) => uuid));
    expect([...other.entities].filter(({ uuid }) => uuids.has(uuid))).toEqual([]);
  });

  it('has every bundle, with each field filled somewhere, and published and unpublished records', async () => {
    const sample = await sampleOf(name);
    const filled = new Set(
      [...sample.entities].flatMap(({ bundle, fields }) => Object.keys(fields).map((field) => `${bundle} ${field}`)),
    );
    const expected = (['node', 'media'] as const).flatMap((type) =>
      siteOf(name)
        .model.bundles(type)
        .flatMap(({ id, fields }) =>
          [...fields.values()].filter(({ configured }) => configured).map((field) => `${id} ${field.name}`),
        ),
    );
    // Films and sounds have no width and no height.
    expect(expected.filter((field) => !filled.has(field) && !/_(width|height)$/.test(field))).toEqual([]);
    expect(new Set(only(sample, 'node').map(isPublished))).toEqual(new Set([true, false]));
  });
});

describe('A sample', () => {
  it('has so many objects, and those of them that belong to a collection', async () => {
    for (const objects of [1, 7, 30]) expect(only(await sampleOf('default', objects), 'node')).toHaveLength(objects);
    const nodes = only(await sampleOf('default', 30), 'node');
    const members = nodes.filter((node) => targetIds(node, 'field_member_of').length > 0);
    expect(members.length).toBeGreaterThan(8);
    for (const node of members) for (const id of targetIds(node, 'field_member_of')) expect(id).toBeLessThan(node.id);
  });

  it('makes terms where a required reference finds none, and keeps to the vocabulary', async () => {
    const sample = await sampleOf('museum');
    const terms = only(sample, 'taxonomy_term');
    expect(new Set(terms.map(({ bundle }) => bundle))).toEqual(new Set(['technique', 'maker']));
    expect(
      terms
        .filter(({ bundle }) => bundle === 'technique')
        .every((term) => firstValue(term, 'field_tool') !== undefined),
    ).toBe(true);
  });

  it('changes no other field when a field comes to the site', async () => {
    const { field_last_cleaned: cleaned, ...fields } = (
      museum['bundles/node.artwork.yml'] as { fields: object } & (typeof museum)[string]
    ).fields as Record<string, unknown>;
    expect(cleaned).toBeDefined();
    const changed = { ...museum, 'bundles/node.artwork.yml': { ...museum['bundles/node.artwork.yml'], fields } };
    const site = await loadSite(await writeSite(join(folder, 'changed'), changed));
    const { entities } = await makeSample(site, { objects: 20, seed: undefined, root });
    const without = [...(await sampleOf('museum', 20)).entities].map((entity) => ({
      ...entity,
      fields: Object.fromEntries(Object.entries(entity.fields).filter(([field]) => field !== 'field_last_cleaned')),
    }));
    expect([...entities]).toEqual(without);
  });

  it('says what the model does not let it have, and makes the rest', async () => {
    const fields = {
      field_self: { label: 'Self', type: 'entity_reference', target: 'node', bundles: ['loop'], required: true },
    };
    const loop = {
      ...museum['bundles/node.note.yml'],
      id: 'loop',
      uuid: '11111111-2222-4333-8444-555555555555',
      fields,
    };
    const site = await loadSite(await writeSite(join(folder, 'loop'), { ...museum, 'bundles/node.loop.yml': loop }));
    const sample = await makeSample(site, { objects: 12, seed: undefined, root });
    expect(sample.notes).toEqual([
      expect.stringMatching(
        /^The sample has no node of the bundle loop: .*field_self: This value should not be null\./s,
      ),
    ]);
    expect(new Set(only(sample, 'node').map(({ bundle }) => bundle))).toEqual(new Set(['artwork', 'exhibit', 'note']));
  });

  it('knows a value for each type that a site can give a field', () => {
    const used = [museum, press, ...[siteOf('default')]].flatMap(
      (site) =>
        JSON.stringify(site, (_key, value: unknown) =>
          value instanceof Map ? [...(value as Map<unknown, unknown>)] : value,
        ).match(/"type":"\w+"/g) ?? [],
    );
    const base = ['uuid', 'changed', 'file_uri', 'language', 'path', 'metatag', 'redirect_source'];
    expect(
      fieldTypes.map(({ name }) => name).filter((type) => !base.includes(type) && !used.includes(`"type":"${type}"`)),
    ).toEqual([]);
  });

  it('is made for a site that has one language alone', async () => {
    const site: Site = { ...siteOf('default'), languages: ['en'] };
    const { notes, entities } = await makeSample(site, { objects: 5, seed: undefined, root });
    expect(notes).toEqual([]);
    expect([...entities].length).toBeGreaterThan(10);
  });

  it('begins all records of a site after those that it has', async () => {
    const own = new Set(initialRecords(siteOf('press')).map(keyOf));
    expect([...(await sampleOf('press')).entities].filter((entity) => own.has(keyOf(entity)))).toEqual([]);
  });
});

describe('The bytes of a sample', () => {
  const starts: readonly (readonly [string, RegExp])[] = [
    ['png', /^\x89PNG\r\n\x1a\n/],
    ['jpg', /^\xff\xd8\xff\xe0..JFIF/s],
    ['gif', /^GIF89a/],
    ['wav', /^RIFF....WAVEfmt /s],
    ['mp3', /^\xff\xfb/],
    ['mp4', /^....ftypisom/s],
    ['webm', /^\x1aE\xdf\xa3.*webm/s],
    ['pdf', /^%PDF-1\.4\n.*%%EOF\n$/s],
    ['tif', /^II\*\0/],
    ['vtt', /^WEBVTT\n/],
  ];

  it('begin as their formats do, are of the size of their records, and images of their dimensions', async () => {
    const found = new Set<string>();
    for (const name of sites.keys()) {
      const sample = await sampleOf(name, 60);
      for (const file of only(sample, 'file')) {
        const extension = /\.(\w+)$/.exec(textOf(firstValue(file, 'filename')))?.[1] ?? '';
        const stream = file.blob && (await sample.blobs.open(file.blob));
        const bytes = stream && (await buffer(stream));
        const start = starts.find(([known]) => known === extension)?.[1];
        if (bytes === undefined) throw new Error(`${keyOf(file)} has no bytes`);
        if (start !== undefined) expect(bytes.toString('latin1')).toMatch(start);
        found.add(extension);
        if (!['png', 'jpg', 'gif'].includes(extension)) continue;
        const { width, height } = imageSize(bytes);
        expect([file.blob?.width, file.blob?.height]).toEqual([width, height]);
      }
    }
    expect(starts.map(([extension]) => extension).filter((extension) => !found.has(extension))).toEqual([]);
  });
});

describe('A sample shows the archive of Saltmarsh Quay', () => {
  const titlesOf = (sample: SampleContent): unknown[] => only(sample, 'node').map((node) => firstValue(node, 'title'));
  const starterSite = () => loadSite(join(root, 'data/sites/starter-site'));

  it('on the starter site: each object with its model, its people and places, its collections and its files by their uses', async () => {
    const site = await starterSite();
    const sample = await makeSample(site, { objects: 34, seed: undefined, root });
    const records = new Map([...initialRecords(site), ...sample.entities].map((entity) => [keyOf(entity), entity]));
    const named = (type: Entity['type'], id: number): unknown => {
      const record = records.get(`${type}:${id}`);
      return record && firstValue(record, type === 'node' ? 'title' : 'name');
    };
    const [fleet] = only(sample, 'node').filter(({ id }) => id === 5);
    if (fleet === undefined) throw new Error('There is no node 5.');
    const termsIn = (field: string): unknown[] => targetIds(fleet, field).map((id) => named('taxonomy_term', id));
    expect(fleet.bundle).toBe('islandora_object');
    expect(firstValue(fleet, 'title')).toBe('Fishing fleet at anchor off Gannet Point');
    expect(firstValue(fleet, 'field_alt_title')).toBe('Luggers at dusk');
    expect(termsIn('field_model')).toEqual(['Image']);
    expect(termsIn('field_viewer_override')).toEqual(['OpenSeadragon']);
    expect(termsIn('field_subject')).toEqual(['Fishing boats', 'Harbours']);
    expect(termsIn('field_geographic_subject')).toEqual(['Gannet Point']);
    expect(termsIn('field_linked_agent')).toEqual([
      'Quellan, Maren, 1871-1948',
      'Quellan & Daughters, Photographers',
      'Saltmarsh Quay Historical Society',
    ]);
    expect(targetIds(fleet, 'field_member_of').map((id) => named('node', id))).toEqual(['Quellan Glass Plates']);
    const media = only(sample, 'media').filter((each) => targetIds(each, 'field_media_of').includes(5));
    const uses = media.map((each) => [
      each.bundle,
      ...targetIds(each, 'field_media_use').map((id) => named('taxonomy_term', id)),
    ]);
    expect(uses.slice(0, 3)).toEqual([
      ['image', 'Original File'],
      ['image', 'Service File'],
      ['image', 'Thumbnail Image'],
    ]);
    const places = media.slice(0, 3).map((each) => {
      const file = records.get(`file:${targetIds(each, 'field_media_image')[0] ?? 0}`);
      return file && textOf(firstValue(file, 'uri')).replace(/\d{4}-\d{2}/, 'MONTH');
    });
    expect(places).toEqual([
      'fedora://MONTH/fleet-at-anchor.png',
      'public://MONTH/5-Service File.jpg',
      'public://MONTH/5-Thumbnail Image.jpg',
    ]);
  });

  it('on the starter site: a book with four pages, each with its scan, its pictures, its text, and the place of each word', async () => {
    const sample = await makeSample(await starterSite(), { objects: 41, seed: undefined, root });
    const titled = (title: string) => only(sample, 'node').find((node) => firstValue(node, 'title') === title);
    const book = titled('Minute book of the Harbour Board, 1903');
    const pages = only(sample, 'node').filter((node) => targetIds(node, 'field_member_of').includes(book?.id ?? -1));
    expect(pages.map((page) => [firstValue(page, 'title'), firstValue(page, 'field_weight')])).toEqual(
      [1, 2, 3, 4].map((number) => [`Minute book of the Harbour Board, 1903, page ${number}`, number]),
    );
    const site = await starterSite();
    const nameOf = (id: number | undefined) =>
      initialRecords(site)
        .filter(({ type }) => type === 'taxonomy_term')
        .find((term) => term.id === id)?.fields['name'];
    const models = [book, ...pages].map((node) => node && nameOf(targetIds(node, 'field_model')[0]));
    expect(models).toEqual(['Paged Content', 'Page', 'Page', 'Page', 'Page'].map((value) => [{ value }]));
    for (const page of pages) {
      const media = only(sample, 'media').filter((each) => targetIds(each, 'field_media_of').includes(page.id));
      const fileOf = (each: Entity) =>
        only(sample, 'file').find(
          ({ id }) => id === (targetIds(each, 'field_media_image')[0] ?? targetIds(each, 'field_media_file')[0]),
        );
      const files = media.map(fileOf).filter((file) => file !== undefined);
      expect(files.map((file) => [firstValue(file, 'filemime'), file.blob?.width, file.blob?.height])).toEqual([
        ['image/tiff', 1200, 1600],
        ['image/png', 1200, 1600],
        ['image/png', 150, 200],
        ['text/plain', undefined, undefined],
        ['text/vnd.hocr+html', undefined, undefined],
      ]);
      const bytes = await Promise.all(
        files.map(async ({ blob }) => buffer((blob && (await sample.blobs.open(blob))) ?? new ReadableStream())),
      );
      const [scan] = decode(bytes[0] ?? Buffer.of());
      expect([scan?.width, scan?.height, scan?.bitsPerSample, scan?.compression]).toEqual([1200, 1600, 1, 8]);
      const [, , , text = '', hocr = ''] = bytes.map(String);
      const words = [...hocr.matchAll(/class="ocrx_word"[^>]*bbox (\d+) (\d+) (\d+) (\d+);[^>]*>([^<]*)</g)];
      expect(words.map((word) => word[5]?.replace('&amp;', '&').replaceAll('&quot;', '"'))).toEqual(
        text.split(/\s+/).slice(0, -1),
      );
      for (const [, left, top, right, bottom] of words) {
        expect([
          Number(left) < Number(right),
          Number(top) < Number(bottom),
          Number(right) <= 1200,
          Number(bottom) <= 1600,
        ]).toEqual([true, true, true, true]);
      }
    }
  });

  it('on a site without terms for pages: as a document and pictures', async () => {
    const nodes = only(await sampleOf('default', 35), 'node').slice(30);
    const site = siteOf('default');
    const terms = initialRecords(site).filter(({ type }) => type === 'taxonomy_term');
    expect(
      nodes.map((node) => terms.find(({ id }) => id === targetIds(node, 'field_model')[0])?.fields['name']),
    ).toEqual(['Digital Document', 'Image', 'Image', 'Image', 'Image'].map((value) => [{ value }]));
  });

  it('as far as the number goes, with other content types at the end and copies beyond', async () => {
    const archive = only(await sampleOf('default', 30), 'node').map((node) => firstValue(node, 'title'));
    expect(titlesOf(await sampleOf('default', 7))).toEqual(archive.slice(0, 7));
    expect(titlesOf(await sampleOf('default', 37)).slice(35)).toEqual([
      'Fishing fleet at anchor off Gannet Point, plate 2',
      'The "Léonie" entering harbour, plate 2',
    ]);
    const sample = await makeSample(await starterSite(), { objects: 34, seed: undefined, root });
    expect(titlesOf(sample).slice(0, 30)).toEqual(archive);
    expect(
      only(sample, 'node')
        .map(({ bundle }) => bundle)
        .slice(30),
    ).toEqual(['article', 'page', 'article', 'page']);
  });

  it('without a value that the site refuses, and with all others', async () => {
    const site = siteOf('default');
    const bundle = site.model.bundle('node', 'islandora_object');
    const date = bundle?.fields.get('field_edtf_date_created');
    if (bundle === undefined || date === undefined) throw new Error('The default site has other fields.');
    const fields = new Map([...bundle.fields, [date.name, { ...date, maxLength: 4 }]]);
    const changed = { ...bundle, fields };
    const model = {
      bundle: (type: Entity['type'], id: string) =>
        type === 'node' && id === bundle.id ? changed : site.model.bundle(type, id),
      bundles: (type: Entity['type']) => (type === 'node' ? [changed] : site.model.bundles(type)),
    };
    const stricter: Site = { ...site, model };
    const sample = await makeSample(stricter, { objects: 6, seed: undefined, root });
    const [fleet] = only(sample, 'node').filter(({ id }) => id === 5);
    expect(fleet && [firstValue(fleet, 'field_edtf_date_created'), firstValue(fleet, 'field_edtf_date')]).toEqual([
      undefined,
      '1908',
    ]);
  });
});

describe('The name of a sample', () => {
  it.each([
    ['sample', 41],
    ['sample:1', 1],
    ['sample:10000', 10_000],
    ['starter', undefined],
    ['samples', undefined],
  ])('%s asks for %s objects', (name, objects) => expect(sampleObjects(name)).toBe(objects));

  it.each(['sample:0', 'sample:', 'sample:10001', 'sample:ten', 'sample:1.5'])('%s is refused', (name) => {
    expect(() => sampleObjects(name)).toThrow(ConfigurationError);
  });
});
