/** The site that the recordings of `contract/recordings/living/` come from: its records, made here one by one, and the recordings themselves. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from '../../src/repository/repository.ts';
import { createTestAtoll, root, type TestAtoll } from '../support/atoll.ts';
import { starterSite } from './starter-site.ts';
import type { Entity, Fields } from '../../src/openapi/openapi-records.ts';

export type Recorded = {
  readonly note: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly as: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
  };
};

export const recordingsOf = (name: string): readonly Recorded[] => {
  const file = join(root, 'test/contract/recordings/living', `${name}.json`);
  const { exchanges } = JSON.parse(readFileSync(file, 'utf8')) as { readonly exchanges: readonly Recorded[] }; // as it was recorded
  return exchanges;
};

/** The starter site without content, with what the recordings need besides. */
export const createStarter = async (living?: (before: Site['living']) => Site['living']): Promise<TestAtoll> => {
  const starter = await starterSite();
  const site: Site = {
    ...starter,
    standaloneMedia: true,
    storages: [...starter.storages, { scheme: 'private', prefix: '/system/files', access: 'guarded' }],
    living: living?.(starter.living) ?? starter.living,
  };
  return createTestAtoll({ fixture: 'empty', site: () => site });
};

const seconds = (iso: string): number => Date.parse(iso) / 1000;

export const put = (atoll: TestAtoll, entities: readonly Entity[]): Promise<unknown> =>
  atoll.world().store.transact([], () => ({ changes: entities.map((each) => ({ put: each })), result: undefined }));

const uuidOf = (type: string, id: number): string =>
  `00000000-0000-4000-8${type.length.toString(16).padStart(3, '0')}-${String(id).padStart(12, '0')}`;

const made = (type: Entity['type'], id: number, bundle: string, fields: Fields): Entity => ({
  ...{ type, id, uuid: uuidOf(type, id), bundle },
  fields: {
    ...(type === 'file' ? {} : { langcode: [{ value: 'en' }] }),
    status: [{ value: true }],
    ...(type === 'taxonomy_term' ? {} : { uid: [{ target_id: 1 }] }),
    ...fields,
  },
});

/** Times as a request shows them. A record that was never changed has changed when it was made. */
type Times = { readonly created?: string; readonly changed?: string };

export const nodeOf = (
  id: number,
  title: string,
  fields: Fields = {},
  { created = '2026-11-23T15:51:13Z', changed = created }: Times = {},
): Entity =>
  made('node', id, 'islandora_object', {
    title: [{ value: title }],
    created: [{ value: seconds(created) }],
    changed: [{ value: seconds(changed) }],
    ...fields,
  });

export const termOf = (id: number, vocabulary: string, name: string, fields: Fields = {}): Entity =>
  made('taxonomy_term', id, vocabulary, { name: [{ value: name }], ...fields });

export const target = (...ids: readonly number[]) => ids.map((id) => ({ target_id: id }));

/** A file of a size, at an address, with bytes that nobody reads. */
export const fileOf = (id: number, uri: string, mime: string, size?: readonly [number, number]): Entity => ({
  ...made('file', id, 'file', {
    filename: [{ value: uri.split('/').at(-1) ?? '' }],
    uri: [{ value: uri }],
    filemime: [{ value: mime }],
  }),
  blob: {
    ...{ key: `file-${id}`, size: 1, sha256: '0'.repeat(64) },
    ...(size === undefined ? {} : { width: size[0], height: size[1] }),
  },
});

/** A media of a node with a use and one file. */
export const mediaOf = (
  id: number,
  node: number,
  use: number,
  file: Entity,
  size?: readonly [number, number],
): Entity => {
  const isImage = size !== undefined;
  const item = { target_id: file.id, ...(isImage ? { alt: '', width: size[0], height: size[1] } : {}) };
  return made('media', id, isImage ? 'image' : 'file', {
    name: [{ value: file.fields['filename']?.[0]?.['value'] ?? '' }],
    field_media_of: target(node),
    field_media_use: target(use),
    [isImage ? 'field_media_image' : 'field_media_file']: [item],
  });
};
