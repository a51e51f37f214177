/** The fixtures of the package: coherent, true to the model of the default site, and each media true to its bytes. */
import { judgedBy } from '../support/judged-by.ts';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { imageSize } from 'image-size';
import { identityOf, isPublished, labelOf, targetIds, fieldTypeOf } from '../../src/repository/repository.ts';
import { checkRecords, violationsOf } from '../../src/repository/repository-content.ts';
import { contentFaults } from '../../src/server/server-worlds.ts';
import { recordsHash } from '../../src/server/server-application.ts';
import { repositoryOnDisk } from '../../src/application/application-disk.ts';
import { readFixture } from '../support/atoll.ts';
import { loadSite } from '../support/site-sources.ts';
import {
  entityKey,
  firstValue,
  keyOf,
  textOf,
  type Entity,
  type EntityKey,
} from '../../src/openapi/openapi-records.ts';

const projectDirectory = fileURLToPath(new URL('../..', import.meta.url));
const starterDirectory = join(projectDirectory, 'data/fixtures/starter');
const site = await loadSite(join(projectDirectory, 'data/site'));

/** Expanded here, and not by an earlier run. */
const { readFixture: readDirectly = readFixture } = await repositoryOnDisk.fixturesOf(
  { root: projectDirectory, site: undefined, fixture: 'starter' },
  { site },
);
const [starter, empty] = await Promise.all([
  readDirectly(starterDirectory),
  readDirectly(join(projectDirectory, 'data/fixtures/empty')),
]);
const content = [...starter.entities];
const ofType = (type: Entity['type']): Entity[] => content.filter((entity) => entity.type === type);
const [nodes, media, files] = [ofType('node'), ofType('media'), ofType('file')];

const fromSite: Entity[] = [
  ...site.terms.map((term): Entity => ({
    type: 'taxonomy_term',
    id: term.tid,
    uuid: term.uuid,
    bundle: term.vocabulary,
    fields: term.fields,
  })),
  ...site.accounts.map((account): Entity => ({
    type: 'user',
    id: account.uid,
    uuid: account.uuid,
    bundle: 'user',
    fields: { name: [{ value: account.name }] },
  })),
];
const known = new Map<EntityKey, Entity>([...content, ...fromSite].map((entity) => [keyOf(entity), entity]));

const revisionOf = (entity: Entity): number => Number(firstValue(entity, identityOf(entity.type).revision ?? ''));

const bytesOf = (file: Entity): Buffer => readFileSync(join(starterDirectory, 'blobs', file.blob?.key ?? ''));
const fileOf = (one: Entity): Entity => {
  const source = site.model.bundle('media', one.bundle)?.source?.field ?? '';
  const file = known.get(entityKey('file', targetIds(one, source)[0] ?? 0));
  if (file === undefined) throw new Error(`${keyOf(one)} has no file`);
  return file;
};
const mimeOf = (file: Entity): unknown => firstValue(file, 'filemime');

describe('the fixtures', () => {
  it('fit the site, with their bytes', async () => {
    for (const { blobs, ...records } of [starter, empty]) {
      expect(checkRecords(records, site, { judgesState: true }).faults).toEqual([]);
      expect(await contentFaults(records, blobs, judgedBy(site))).toEqual([]);
    }
  });

  it('know the terms and accounts that the site brings along', () => {
    for (const { counters } of [empty, starter]) {
      expect(counters['taxonomy_term']).toBe(Math.max(...site.terms.map((term) => term.tid)));
      expect(counters['taxonomy_term_revision']).toBe(counters['taxonomy_term']);
      expect(counters['user']).toBe(Math.max(...site.accounts.map((account) => account.uid)));
    }
    expect(readdirSync(join(projectDirectory, 'data/fixtures/empty'))).toEqual(['export.json']);
  });
});

describe('the starter fixture', () => {
  it('is the same in the file that the build expands it to, also byte for byte', async () => {
    const built = await readFixture(starterDirectory);
    expect(JSON.stringify([...built.entities])).toBe(JSON.stringify(content));
    expect(built.counters).toEqual(starter.counters);
  });

  it('has the records that tests, recordings and users know', () => {
    // A change of the repository may not change them without notice: they are what a new repository answers with.
    const known = '132051c064519f53bc1115345832a032ecd5dbabdd54ab1dbe40fe0fd809ec53';
    expect(recordsHash({ entities: content, counters: {} })).toBe(known);
  });

  it('has counters that cover every id and revision', () => {
    const { counters } = starter;
    for (const [type, records] of [
      ['node', nodes],
      ['media', media],
      ['file', files],
    ] as const) {
      expect(counters[type]).toBe(Math.max(...records.map((record) => record.id)));
    }
    expect(counters['node_revision']).toBe(Math.max(...nodes.map(revisionOf)));
    expect(counters['media_revision']).toBe(Math.max(...media.map(revisionOf)));
  });

  it('gives ids, revisions and uuids once', () => {
    const uuids = content.map((entity) => entity.uuid);
    expect(new Set(uuids).size).toBe(uuids.length);
    expect(new Set(nodes.map(revisionOf)).size).toBe(nodes.length);
    expect(new Set(media.map(revisionOf)).size).toBe(media.length);
    expect(new Set(files.map((file) => firstValue(file, 'uri'))).size).toBe(files.length);
  });

  it.each(content.map((entity) => [keyOf(entity), entity] as const))('holds %s as the model asks', (_key, entity) => {
    const bundle = site.model.bundle(entity.type, entity.bundle);
    if (bundle === undefined) throw new Error(`no bundle ${entity.bundle}`);
    const names = Object.keys(entity.fields);
    expect(names.filter((name) => !bundle.fields.has(name))).toEqual([]);
    const context = {
      find: (key: EntityKey) => known.get(key),
      mayReference: () => true,
      mayView: () => true,
      languages: [...site.languages],
      textFormats: site.textFormats,
    };
    const required = [...bundle.fields.values()].filter((field) => field.configured && field.required);
    const judged = new Set([...names, ...required.map((field) => field.name)]);
    expect(violationsOf(bundle, judged, (name) => entity.fields[name] ?? [], context)).toEqual([]);
    for (const [name, items] of Object.entries(entity.fields)) {
      const type = bundle.fields.get(name)?.type;
      expect(items.length).toBeGreaterThan(0);
      expect(items.map((item) => (type === undefined ? undefined : fieldTypeOf({ type }).store(item)))).toEqual(items);
    }
  });

  it('names for each file bytes of its size and hash, and no others', () => {
    for (const file of files) {
      const bytes = bytesOf(file);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(file.blob).toMatchObject({ size: bytes.length, sha256 });
      expect(firstValue(file, 'filesize')).toBe(bytes.length);
    }
    expect(readdirSync(join(starterDirectory, 'blobs')).sort()).toEqual(files.map((file) => file.blob?.key).sort());
  });

  it('stays under 3 MiB', () => {
    const size = files.reduce((sum, file) => sum + (file.blob?.size ?? 0), 0);
    expect(size).toBeLessThan(3 * 1024 * 1024);
  });

  it('repeats on each media what its file says, and shows the source or the generic icon as thumbnail', () => {
    for (const one of media) {
      const file = fileOf(one);
      expect(firstValue(one, 'field_mime_type')).toBe(mimeOf(file));
      expect(firstValue(one, 'field_file_size')).toBe(file.blob?.size);
      expect(labelOf(one)).toBe(labelOf(file));
      const thumbnail = known.get(entityKey('file', targetIds(one, 'thumbnail')[0] ?? 0));
      const icon = site.model.bundle('media', one.bundle)?.source?.icon ?? '';
      const expected = one.bundle === 'image' ? firstValue(file, 'uri') : `public://media-icons/generic/${icon}`;
      expect(thumbnail && firstValue(thumbnail, 'uri')).toBe(expected);
    }
  });

  it('has images whose pixels are those of record, blob and bytes', () => {
    for (const one of media.filter((candidate) => candidate.bundle === 'image')) {
      const file = fileOf(one);
      const { width, height, type } = imageSize(bytesOf(file));
      expect([file.blob?.width, file.blob?.height]).toEqual([width, height]);
      expect([firstValue(one, 'field_width'), firstValue(one, 'field_height')]).toEqual([width, height]);
      expect(one.fields['field_media_image']?.[0]).toMatchObject({ width, height });
      expect(mimeOf(file)).toBe(type === 'jpg' ? 'image/jpeg' : 'image/png');
    }
  });

  it('has PNG files whose image data unpack to whole rows', () => {
    for (const file of files.filter((candidate) => mimeOf(candidate) === 'image/png')) {
      const bytes = bytesOf(file);
      const start = bytes.indexOf('IDAT', 0, 'latin1');
      const data = inflateSync(bytes.subarray(start + 4, start + 4 + bytes.readUInt32BE(start - 4)));
      const { width = 0, height = 0 } = file.blob ?? {};
      const [bits, colours] = [bytes.readUInt8(24), bytes.readUInt8(25)];
      expect([2, 3]).toContain(colours); // red, green and blue; or a palette
      expect(data.length).toBe(height * (1 + Math.ceil((width * bits * (colours === 2 ? 3 : 1)) / 8)));
    }
  });

  it('has recordings whose header tells the number of bytes that follow', () => {
    for (const file of files.filter((candidate) => mimeOf(candidate) === 'audio/x-wav')) {
      const bytes = bytesOf(file);
      expect(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
      expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
      expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44);
    }
  });

  it('has films whose sample table points at one JPEG image after another', () => {
    for (const file of files.filter((candidate) => mimeOf(candidate) === 'video/mp4')) {
      const bytes = bytesOf(file);
      const sizes = bytes.indexOf('stsz', 0, 'latin1') + 12;
      const count = bytes.readUInt32BE(sizes);
      let offset = bytes.readUInt32BE(bytes.indexOf('stco', 0, 'latin1') + 12);
      expect(count).toBe(12);
      for (let frame = 0; frame < count; frame += 1) {
        const size = bytes.readUInt32BE(sizes + 4 + frame * 4);
        expect(imageSize(bytes.subarray(offset, offset + size)).type).toBe('jpg');
        expect(bytes.readUInt16BE(offset + size - 2)).toBe(0xffd9);
        offset += size;
      }
      expect(offset).toBe(bytes.length);
    }
  });

  it('has PDF files whose cross-reference table points at their objects', () => {
    for (const file of files.filter((candidate) => mimeOf(candidate) === 'application/pdf')) {
      const text = bytesOf(file).toString('latin1');
      const offsets = [...text.matchAll(/^(\d{10}) 00000 n $/gm)].map((match) => Number(match[1]));
      expect(offsets.length).toBeGreaterThan(4);
      offsets.forEach((offset, index) => expect(text.slice(offset)).toMatch(new RegExp(`^${index + 1} 0 obj\\n`)));
      expect(text.slice(Number(/startxref\n(\d+)/.exec(text)?.[1]))).toMatch(/^xref\n/);
    }
  });

  it('covers every model, media type and storage, nesting and unpublished content', () => {
    const models = (record: Entity): number => targetIds(record, 'field_model')[0] ?? 0;
    expect(new Set(nodes.map(models))).toEqual(new Set([21, 22, 23, 24, 25, 26]));
    expect(nodes.filter((node) => models(node) !== 23).length).toBeGreaterThanOrEqual(20);
    expect(nodes.filter((node) => models(node) === 23).length).toBeGreaterThanOrEqual(3);
    expect(new Set(media.map((one) => one.bundle))).toEqual(new Set(['image', 'audio', 'video', 'file']));
    expect(new Set(files.map((file) => textOf(firstValue(file, 'uri')).split(':')[0]))).toEqual(
      new Set(['public', 'fedora']),
    );
    expect(new Set(nodes.filter((node) => !isPublished(node)).flatMap((node) => targetIds(node, 'uid')))).toEqual(
      new Set([1, 2, 6]),
    );
    expect(media.filter((one) => !isPublished(one)).map((one) => targetIds(one, 'uid'))).toEqual([[6]]);
    const first = known.get('node:1');
    expect(first && [isPublished(first), models(first)]).toEqual([true, 23]);
  });

  it('shows node 5 as an image with original, service and thumbnail media', () => {
    const own = media.filter((one) => targetIds(one, 'field_media_of').includes(5)).sort((a, b) => a.id - b.id);
    expect(
      own.map((one) => [
        one.id,
        targetIds(one, 'field_media_use')[0],
        textOf(firstValue(fileOf(one), 'uri')).split(':')[0],
      ]),
    ).toEqual([
      [1, 16, 'fedora'],
      [2, 18, 'public'],
      [3, 19, 'public'],
    ]);
  });
});
