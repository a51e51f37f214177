/** What each recorded file presumes: the records that were there, and the requests between that were not recorded. */
import { newFields, type Site } from '../../../src/repository/repository.ts';
import type { ObservedFile } from './exchanges.ts';
import { dayOfRecording, type Given, type Step } from './replay.ts';
import type { Entity, Fields } from '../../../src/openapi/openapi-records.ts';

const admin = 1;
const editor = 2;

const seconds = (time: string): number => Date.parse(dayOfRecording(time)) / 1000;

type NodeFacts = {
  readonly title: string;
  readonly uid?: number;
  readonly created?: string;
  readonly changed?: string;
  readonly fields?: Fields;
};

const reference = (...ids: readonly number[]): Fields[string] => ids.map((id) => ({ target_id: id }));

/** An image, unless `fields` says otherwise. */
const node = (site: Site, id: number, facts: NodeFacts): Entity => {
  const { title, uid = admin, created = '22:20:00', changed = created, fields = {} } = facts;
  const bundle = site.model.bundle('node', 'islandora_object');
  if (bundle === undefined) throw new Error('the site has no islandora_object');
  const revision = id === 1 ? 1 : id + 68;
  return {
    type: 'node',
    id,
    uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
    bundle: bundle.id,
    fields: {
      ...newFields({ bundle, langcode: 'en', uid, now: seconds(created), revision }),
      changed: [{ value: seconds(changed) }],
      title: [{ value: title }],
      field_model: reference(24),
      ...fields,
    },
  };
};

const file = (site: Site, id: number, uri: string, uid = editor): Entity => {
  const bundle = site.model.bundle('file', 'file');
  if (bundle === undefined) throw new Error('the site has no files');
  return {
    type: 'file',
    id,
    uuid: `00000000-0000-4000-9000-${String(id).padStart(12, '0')}`,
    bundle: 'file',
    fields: {
      ...newFields({ bundle, langcode: 'en', uid, now: seconds('22:05:00'), revision: 0 }),
      filename: [{ value: uri.slice(uri.lastIndexOf('/') + 1) }],
      uri: [{ value: uri }],
      filemime: [{ value: 'image/png' }],
      filesize: [{ value: 94 }],
      status: [{ value: true }],
    },
  };
};

const collection = (site: Site): Entity =>
  node(site, 1, {
    title: 'Created a collection with POST',
    created: '22:03:25',
    fields: { field_model: reference(23) },
  });

type UploadFacts = { readonly at: string; readonly bytes?: number };

/** A picture for a node and a term, by the upload endpoint. */
const upload = (nodeId: number, term: number, location: string, { at, bytes = 225 }: UploadFacts): Step => ({
  method: 'PUT',
  path: `/node/${nodeId}/media/image/${term}`,
  as: 'editor',
  headers: { 'Content-Type': 'image/png', 'Content-Location': location },
  body: `(${bytes} bytes)`,
  at,
});

const patch = (path: string, as: string, fields: object, at?: string): Step => ({
  method: 'PATCH',
  path: `${path}?_format=json`,
  as,
  headers: { 'Content-Type': 'application/json' },
  body: { ...(path.startsWith('/node') ? { type: 'islandora_object' } : { bundle: 'image' }), ...fields },
  ...(at === undefined ? {} : { at }),
});

const linksNode = (site: Site, changed: string): Entity =>
  node(site, 65, {
    title: 'Links node',
    uid: editor,
    created: '22:24:44',
    changed,
    fields: {
      field_display_hints: reference(1),
      field_member_of: reference(1),
      field_resource_type: reference(11),
    },
  });

/** Media 25 to 29 of node 65; the last became a second Preservation Master File by PATCH. */
const linksMedia: readonly Step[] = [
  ...[16, 17, 18, 19].map((term) => upload(65, term, `public://links/65-${term}.png`, { at: '22:24:44' })),
  upload(65, 21, 'public://links/65-21.png', { at: '22:24:44' }),
  patch('/media/29', 'editor', { field_media_use: [{ target_id: 17 }] }, '22:24:44'),
];
const beforeLinksMedia = { media: 24, media_revision: 24, file: 29 };

const nodePatch: Given = {
  start: '22:24:57',
  entities: (site) => [collection(site), node(site, 79, { title: 'Old', created: '22:24:56' })],
  before: {
    15: { steps: [patch('/node/79', 'admin', { created: [{ value: '2019-01-01T00:00:00+00:00' }] })] },
    19: { steps: [patch('/node/79', 'editor', { title: [{ value: 'By editor' }] }, '22:25:04')] },
    24: { steps: [patch('/node/79', 'admin', { field_model: [{ target_id: 22 }] }, '22:25:05')] },
    26: { steps: [patch('/node/79', 'admin', { field_extent: [] }, '22:25:06')] },
    30: {
      steps: [patch('/node/79', 'admin', { title: [{ value: 'nofmt' }], status: [{ value: false }] }, '22:25:07')],
    },
  },
  at: { 2: '22:24:59' },
};

const mediaAndFile: Given = {
  start: '22:24:44',
  entities: (site) => [collection(site), linksNode(site, '22:24:44'), file(site, 1, 'public://x/pic.png')],
  before: {
    1: { usedUp: beforeLinksMedia, steps: linksMedia },
    15: { steps: [patch('/media/25', 'editor', { revision_created: [{ value: '2001-01-01T00:00:00+00:00' }] })] },
    16: { steps: [patch('/media/25', 'editor', { uid: [{ target_id: 1 }] }, '22:25:16')] },
    18: { steps: [patch('/media/25', 'editor', { field_file_size: [{ value: 1 }] })] },
    22: { steps: [patch('/media/25', 'editor', { field_width: [{ value: 5 }] }, '22:25:17')] },
  },
  at: { 22: '22:25:18', 23: '22:25:19' },
};

const uploadEndpoint: Given = {
  start: '22:25:30',
  entities: (site) => [
    ...[81, 82, 84, 86, 87, 89, 91, 92, 94, 96, 97, 98].map((id) => node(site, id, { title: `Target ${id}` })),
    file(site, 12, 'public://media-icons/generic/generic.png'),
    file(site, 18, 'public://media-icons/generic/audio.png'),
  ],
  before: {
    3: { usedUp: { file: 31 } },
    12: {
      usedUp: { media: 38, media_revision: 38, file: 41 },
      steps: [upload(98, 16, 'public://2024-01/pic.png', { at: '22:25:36' })],
    },
    15: { steps: [upload(98, 16, 'public://2024-01/pic.png', { at: '22:25:39', bytes: 354 })] },
    18: { steps: [upload(98, 16, 'public://2024-01/pic.png', { at: '22:25:41', bytes: 0 })] },
  },
  at: { 16: '22:25:39', 17: '22:25:40', 31: '22:25:45' },
};

const failedLogin: Step = {
  method: 'POST',
  path: '/user/login?_format=json',
  headers: { 'Content-Type': 'application/json' },
  body: { name: 'plain', pass: 'wrong' },
};

/** The term had been deleted before. */
const childFields = { field_member_of: reference(99), field_resource_type: reference(31) };

const deletes: Given = {
  start: '22:25:54',
  gone: ['taxonomy_term:31'],
  entities: (site) => [
    node(site, 99, { title: 'Collection', fields: { field_model: reference(23) } }),
    node(site, 100, { title: 'Child', created: '22:25:54', fields: childFields }),
    node(site, 101, { title: 'Other' }),
    node(site, 102, { title: 'U', created: '22:25:57', fields: { status: [{ value: false }] } }),
    node(site, 103, { title: 'refs unpub', created: '22:25:58', fields: { field_member_of: reference(102) } }),
  ],
  before: {
    1: {
      usedUp: { media: 42, media_revision: 42, file: 49 },
      steps: [upload(100, 16, 'public://d/100.png', { at: '22:25:54', bytes: 94 })],
    },
    6: { steps: [{ method: 'DELETE', path: '/node/100?_format=json', as: 'admin' }] },
    11: { steps: [upload(101, 16, 'public://d/101.png', { at: '22:25:57', bytes: 94 })] },
    20: { steps: Array.from({ length: 5 }, () => failedLogin) },
  },
  at: { 5: '22:25:56' },
};

const linkHeaders: Given = {
  start: '22:24:44',
  entities: (site) => [collection(site), linksNode(site, '22:25:08')],
  before: { 1: { usedUp: beforeLinksMedia, steps: linksMedia } },
};

/** A standard upload of three bytes. */
const standardUpload: Step = {
  method: 'POST',
  path: '/file/upload/media/image/field_media_image?_format=json',
  as: 'editor',
  headers: { 'Content-Type': 'application/octet-stream', 'Content-Disposition': 'file; filename="a.png"' },
  body: '(3 bytes)',
  at: '22:25:53',
};

const termsAndSessions: Given = {
  start: '22:12:54',
  entities: (site) => [
    node(site, 29, { title: 'Collection', fields: { field_model: reference(23) } }),
    node(site, 56, {
      title: 'by cookie',
      uid: editor,
      created: '22:12:53',
      changed: '22:18:06',
      fields: {
        field_display_hints: reference(1),
        field_member_of: reference(29),
        field_resource_type: reference(11),
      },
    }),
    ...['a', 'a_0', 'a_1', 'a_2', 'a_3'].map((name, at) => file(site, at + 1, `public://2026-11/${name}.png`)),
  ],
  before: {
    1: {
      usedUp: { media: 13, media_revision: 13 },
      steps: [
        ...[16, 17, 18].map((term) => upload(56, term, `public://56-${term}.png`, { at: '22:12:55' })),
        upload(56, 19, 'public://2024-01/pic.png', { at: '22:12:57', bytes: 354 }),
        upload(56, 21, 'public://56-21.png', { at: '22:12:58' }),
        patch('/media/18', 'editor', { field_media_use: [{ target_id: 17 }] }),
        upload(56, 22, 'public://56-22.png', { at: '22:12:59' }),
        { method: 'DELETE', path: '/media/19?_format=json', as: 'editor' },
        upload(56, 20, 'public://56-20.png', { at: '22:13:00' }),
      ],
    },
    26: {
      steps: [
        {
          method: 'POST',
          path: '/user/logout?_format=json&token=<logout_token>',
          headers: { Cookie: '<session>' },
        },
      ],
    },
    33: { usedUp: { file: 46 } },
    34: { steps: [standardUpload] },
  },
};

/** The state for each recorded file. */
export const given: { readonly [F in ObservedFile]: Given } = {
  // Exchange 41 sends the revision id of node 9.
  'node-read-and-create': {
    start: '22:24:40',
    entities: (site) => [collection(site), node(site, 9, { title: 'Other' })],
  },
  'node-patch-and-delete': nodePatch,
  'media-and-file': mediaAndFile,
  'upload-endpoint': uploadEndpoint,
  'deletes-dangling-unpublished': deletes,
  'link-headers': linkHeaders,
  'terms-login-cookie-fileupload': termsAndSessions,
};
