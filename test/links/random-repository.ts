/** Repositories by chance: small enough to be walked through, with everything that a link may stumble over. */
import fc from 'fast-check';
import { record, refer } from './records.ts';
import type { BlobReference, Entity } from '../../src/openapi/openapi-records.ts';

/** Every kind of text that a title can be: what breaks headers, what is not ASCII, what writes from right to left. */
export const anyTitle: fc.Arbitrary<string> = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.string({
    unit: fc.constantFrom('"', '\\', ',', ';', '<', '>', '\r\n', '\t', 'é', '✓', '😀', '%', 'ا'),
    minLength: 1,
  }),
);

const owner = fc.constantFrom(1, 2, 3, 6);
/** Terms of the site beside generated ones, which may be unpublished, and one that nobody made. */
const subjects = fc.subarray([11, 24, 101, 102, 103, 999]);
const uses = fc.constantFrom([], [16], [101], [102], [999]);
const externalUri = fc.constantFrom(
  undefined,
  'http://example.org/a b',
  'https://example.org/é?x="y"',
  'javascript:alert(1)',
  '/relative',
);

const node = (id: number): fc.Arbitrary<Entity> =>
  fc
    .record({ title: anyTitle, published: fc.boolean(), owner, parents: fc.subarray([1, 2, 3, 4]), subjects })
    .map(({ title, published, owner: uid, parents, subjects: terms }) =>
      record('node', id, 'islandora_object', {
        title: [{ value: title }],
        status: [{ value: published }],
        uid: refer([uid]),
        field_member_of: refer(parents),
        field_model: refer(terms.slice(0, 1)),
        field_subject: refer(terms),
      }),
    );

const term = (id: number): fc.Arbitrary<Entity> =>
  fc.record({ name: anyTitle, published: fc.boolean(), uri: externalUri }).map(({ name, published, uri }) =>
    record('taxonomy_term', id, 'islandora_media_use', {
      name: [{ value: name }],
      status: [{ value: published }],
      ...(uri === undefined ? {} : { field_external_uri: [{ uri }] }),
    }),
  );

const media = (id: number): fc.Arbitrary<Entity> =>
  fc
    .record({
      published: fc.boolean(),
      owner,
      node: fc.constantFrom(1, 2, 3, 4),
      uses,
      file: fc.constantFrom(1, 2, 3, 4),
    })
    .map(({ published, owner: uid, node: of, uses: terms, file: source }) =>
      record('media', id, 'image', {
        name: [{ value: `Media ${id}` }],
        status: [{ value: published }],
        uid: refer([uid]),
        field_media_of: refer([of]),
        field_media_use: refer(terms),
        field_media_image: [{ target_id: source, alt: '', title: '', width: 1, height: 1 }],
      }),
    );

const file = (id: number, picture: BlobReference): fc.Arbitrary<Entity> =>
  fc
    .record({
      scheme: fc.constantFrom('public', 'fedora'),
      name: fc.constantFrom('a b', 'é', '%25'),
      owner,
      kept: fc.boolean(),
    })
    .map(({ scheme, name, owner: uid, kept }) => ({
      ...record('file', id, 'file', {
        filename: [{ value: `${name}.png` }],
        uri: [{ value: `${scheme}://${id}/${name}.png` }],
        filemime: [{ value: 'image/png' }],
        filesize: [{ value: picture.size }],
        status: [{ value: true }],
        uid: refer([uid]),
      }),
      ...(kept ? { blob: picture } : {}),
    }));

/** Three nodes, three terms, four media, three files; the fourth of nodes and files is referred to and is not there. */
export const anyRepository = (picture: BlobReference): fc.Arbitrary<readonly Entity[]> =>
  fc.tuple(
    ...[1, 2, 3].map(node),
    ...[101, 102, 103].map(term),
    ...[1, 2, 3, 4].map(media),
    ...[1, 2, 3].map((id) => file(id, picture)),
  );
