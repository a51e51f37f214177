/** Records made by hand, and worlds that hold them. */
import {
  recordModel,
  newFields,
  storedTypes,
  type RepositoryType,
  type World,
} from '../../src/repository/repository.ts';
import { Readable } from 'node:stream';
import { Repository } from '../../src/repository/repository-content.ts';
import { initialRecords } from '../../src/repository/repository-sites.ts';
import { createMemoryEntityStore } from '../../src/storage/storage.ts';
import { site } from '../representations/recorded.ts';
import { pngBytes } from '../support/png.ts';
import type { BlobReference, Entity, Fields } from '../../src/openapi/openapi-records.ts';

/** The same world with other records; accounts, sessions and bytes stay. */
export const withRecords = (world: World, entities: readonly Entity[]): World => {
  const store = createMemoryEntityStore({
    model: recordModel,
    initialRecords: { entities: [...initialRecords(world.site), ...entities], counters: {} },
  });
  return { ...world, store, repository: new Repository({ ...world.repository.parts, store }) };
};

/** Stores one picture, for generated files to share. */
export const storePicture = async (world: World): Promise<BlobReference> => {
  const bytes = pngBytes();
  const received = await world.blobs.get('public')?.receive(Readable.from([bytes]), { maxBytes: bytes.length });
  if (received === undefined) throw new Error('The site has no public storage.');
  return received.keep();
};

/** References by id. */
export const refer = (ids: readonly number[]) => ids.map((id) => ({ target_id: id }));
/** With everything that a new record has, so that its representation fits the document. */
export const record = (type: RepositoryType, id: number, name: string, fields: Fields): Entity => {
  const bundle = site.model.bundle(type, name);
  if (bundle === undefined) throw new Error(`The site has no ${type} "${name}".`);
  const defaults = newFields({ bundle, langcode: 'en', uid: 1, now: site.seedTime, revision: id });
  const position = storedTypes.indexOf(type);
  const uuid = `00000000-0000-4000-800${position}-${String(id).padStart(12, '0')}`;
  return { type, id, uuid, bundle: name, fields: { ...defaults, ...fields } };
};

/** A node of this id with what is said of it; published, owned by the admin, with the title `Node 7`. */
export const nodeRecord = (id: number, fields: Fields = {}): Entity =>
  record('node', id, 'islandora_object', {
    title: [{ value: `Node ${id}` }],
    status: [{ value: true }],
    field_model: refer([24]),
    ...fields,
  });

/** A media of a node, an original file by default. */
export const mediaRecord = (id: number, node: number, fields: Fields = {}): Entity =>
  record('media', id, 'image', {
    name: [{ value: `Media ${id}` }],
    status: [{ value: true }],
    field_media_of: refer([node]),
    field_media_use: refer([16]),
    ...fields,
  });

/** A published term of a vocabulary. */
export const termRecord = (id: number, vocabulary: string, name: string, fields: Fields = {}): Entity =>
  record('taxonomy_term', id, vocabulary, { name: [{ value: name }], status: [{ value: true }], ...fields });

/** A file with bytes, owned by the admin. */
export const fileRecord = (id: number, uri: string, blob: BlobReference, fields: Fields = {}): Entity => ({
  ...record('file', id, 'file', {
    filename: [{ value: uri.slice(uri.lastIndexOf('/') + 1) }],
    uri: [{ value: uri }],
    filemime: [{ value: 'image/png' }],
    filesize: [{ value: blob.size }],
    status: [{ value: true }],
    ...fields,
  }),
  blob,
});

/** What an image media says of its file. */
export const imageOf = (file: number): Fields => ({
  field_media_image: [{ target_id: file, alt: '', title: '', width: 1, height: 1 }],
});
