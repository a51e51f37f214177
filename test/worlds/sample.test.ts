/** Sample content: valid by the model of any site, the same for the same seed, and with bytes that are what they say. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { imageSize } from 'image-size';
import { fieldTypeNames } from '../../src/core/model/bundle.ts';
import { firstValue, isPublished, keyOf, targetIds, textOf, type Entity } from '../../src/core/model/entity.ts';
import { initialRecords } from '../../src/core/site/initial-records.ts';
import { loadSite } from '../../src/server/sources/disk-site.ts';
import { ConfigurationError } from '../../src/basics/configuration-error.ts';
import type { Site } from '../../src/core/site/site.ts';
import { contentViolations, fixtureViolations } from '../../src/server/worlds/check-fixture.ts';
import { makeSample, type SampleContent } from '../../src/server/worlds/sample-content/make-sample.ts';
import { sampleObjects } from '../../src/server/worlds/sample-content/sample-name.ts';
import { root } from '../support/atoll.ts';
import { museum, press, writeSite } from '../support/invented-sites.ts';

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
const sampleOf = (name: string, objects = 40, seed?: string): Promise<SampleContent> =>
  makeSample(siteOf(name), { objects, seed });
const only = ({ entities }: SampleContent, type: Entity['type']): Entity[] =>
  [...entities].filter((entity) => entity.type === type);

describe.each(['default', 'museum', 'press'])('A sample of the site %s', (name) => {
  it('passes the check of fixtures, also of what its references and required fields demand', async () => {
    const site = siteOf(name);
    const sample = await sampleOf(name);
    expect(await contentViolations(sample, sample.blobs, site)).toEqual([]);
    expect(fixtureViolations(sample, site, { judgesState: true })).toEqual([]);
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
    const { entities } = await makeSample(site, { objects: 20, seed: undefined });
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
    const sample = await makeSample(site, { objects: 12, seed: undefined });
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
    expect(fieldTypeNames.filter((type) => !base.includes(type) && !used.includes(`"type":"${type}"`))).toEqual([]);
  });

  it('is made for a site that has one language alone', async () => {
    const { notes, entities } = await makeSample(
      { ...siteOf('default'), languages: ['en'] },
      { objects: 5, seed: undefined },
    );
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

  it('of a PNG unpack to whole rows', async () => {
    const sample = await sampleOf('press');
    const png = only(sample, 'file').find(
      (file) =>
        firstValue(file, 'filemime') === 'image/png' &&
        /facsimile|media|image/.test(textOf(firstValue(file, 'filename'))),
    );
    const stream = png?.blob && (await sample.blobs.open(png.blob));
    const bytes = stream && (await buffer(stream));
    const at = bytes?.indexOf('IDAT', 0, 'latin1') ?? 0;
    const rows = bytes && inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)));
    const { width = 0, height = 0 } = png?.blob ?? {};
    expect(rows?.length).toBe(height * (1 + Math.ceil(width / 8)));
  });
});

describe('The name of a sample', () => {
  it.each([
    ['sample', 20],
    ['sample:1', 1],
    ['sample:10000', 10_000],
    ['starter', undefined],
    ['samples', undefined],
  ])('%s asks for %s objects', (name, objects) => expect(sampleObjects(name)).toBe(objects));

  it.each(['sample:0', 'sample:', 'sample:10001', 'sample:ten', 'sample:1.5'])('%s is refused', (name) => {
    expect(() => sampleObjects(name)).toThrow(ConfigurationError);
  });
});
