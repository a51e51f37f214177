/** The pairs of the third lab: what a real site was asked and answered, and on what each presumes. */
import { readFileSync } from 'node:fs';
import type { FieldDefinition, Site } from '../../../../src/repository/repository.ts';
import { wholeBody } from '../../../../src/exchange/exchange-target.ts';
import type { HeaderLine, WireExchange } from '../../../../src/exchange/exchange.ts';
import { withFields } from '../../../content/other-sites.ts';
import { asBody, entityOf, seededTerm, targetsOfBody } from '../../../representations/recorded.ts';
import { redPicture } from '../second-lab/groups.ts';
import type { Entity } from '../../../../src/openapi/openapi-records.ts';

type Recorded = {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly credentials: string;
    readonly headers: readonly HeaderLine[] | Readonly<Record<string, string>>;
    readonly body: unknown;
  };
  readonly real: { readonly status: number; readonly headers?: readonly HeaderLine[]; readonly body?: unknown };
};

/** A file, without `.json`, and what was there when it was recorded. */
export type Pair = {
  readonly file: string;
  readonly site?: (site: Site) => Site;
  readonly records?: (bodies: readonly unknown[]) => readonly Entity[];
  /** The places that differ because the site here is not that of the lab. No row of the data can have such a cause. */
  readonly known?: readonly string[];
};

const field = (name: string, type: string, traits: Partial<FieldDefinition> = {}): FieldDefinition => ({
  ...{ name, type, label: name, cardinality: 1, required: false, configured: true, translatable: true },
  ...traits,
});

/** The other fields of the second database of the lab. No pair sends one. */
const unsentFields = [
  'auth',
  'date',
  'datetime',
  'edtf_strict',
  'file',
  'float',
  'int',
  'ints',
  'link',
  'linkext',
].concat(...['listint', 'mail', 'node', 'str3', 'strlong', 'text', 'textlong', 'ts']);

/** It had a field of nearly every type. */
const labFields: readonly FieldDefinition[] = [
  ...unsentFields.map((name) => field(`field_${name}`, 'other')),
  field('field_bool', 'boolean', { default: [{ value: true }] }),
  field('field_liststr', 'list_string', { allowedValues: { a: 'A' }, default: [{ value: 'a' }] }),
  field('field_body', 'text_with_summary'),
  field('field_dec', 'decimal', { min: -5, max: 12, precision: 10, scale: 2 }),
  field('field_geo', 'geolocation'),
  field('field_image', 'image', { target: { type: 'file' } }),
  field('field_media', 'entity_reference', { target: { type: 'media' } }),
  field('field_range', 'daterange', { dateOnly: true }),
  field('field_rel', 'typed_relation', { target: { type: 'taxonomy_term' }, relations: ['relators:aut'] }),
  field('field_tel', 'telephone'),
  field('field_user', 'entity_reference', { target: { type: 'user' } }),
];
const withLabFields = (site: Site): Site => withFields(site, 'node', 'islandora_object', labFields);

const dates: readonly FieldDefinition[] = ['field_cat_date_begin', 'field_cat_date_end'].map((name) =>
  field(name, 'edtf', { maxLength: 60 }),
);
const ofPersons = [field('field_authority_link', 'authority_link'), field('field_relationships', 'other')];
const withDates = (site: Site): Site => {
  const dated = withFields(site, 'taxonomy_term', 'person', [...ofPersons, ...dates]);
  const mapped = new Map([
    ...[['name', ['http://schema.org/name']] as const],
    ...[['field_cat_date_begin', ['http://schema.org/birthDate']] as const],
    ...[['field_cat_date_end', ['http://schema.org/deathDate']] as const],
  ]);
  const rdf = {
    types: ['http://schema.org/Person'],
    fields: mapped,
    asWritten: new Set(dates.map(({ name }) => name)),
  };
  const bundleOf: Site['model']['bundle'] = (type, id) => {
    const bundle = dated.model.bundle(type, id);
    return bundle !== undefined && id === 'person' ? { ...bundle, rdf } : bundle;
  };
  return { ...dated, model: { ...dated.model, bundle: bundleOf } };
};

const linksPcdm = (site: Site): Site => ({ ...site, mediaLinks: 'pcdm_use' });

/** The records that an answer shows, as they were before, and those that they refer to. */
const shownIn = (body: unknown, change: (entity: Entity) => Entity = (entity) => entity): readonly Entity[] => {
  const record = asBody(body);
  const targets = targetsOfBody(record).filter(
    ({ type, id }) => type === 'node' || (type === 'taxonomy_term' && id > 45),
  );
  const published = targets.map((each) => ({ ...each, fields: { ...each.fields, status: [{ value: true }] } }));
  return [change(entityOf(record)), ...published];
};

const term = (
  id: number,
  { parent, name = 'T' }: { readonly parent?: number; readonly name?: string } = {},
): Entity => ({
  ...seededTerm(27, `00000000-0000-4000-8000-0000000000${id}`),
  id,
  fields: {
    ...seededTerm(27).fields,
    name: [{ value: name }],
    status: [{ value: true }],
    ...(parent === undefined ? {} : { parent: [{ target_id: parent }] }),
  },
});

const collection: Entity = {
  ...{ type: 'node', id: 1, uuid: '00000000-0000-4000-8000-000000000001', bundle: 'islandora_object' },
  fields: { title: [{ value: 'c1' }], status: [{ value: true }], uid: [{ target_id: 1 }] },
};

const unpublishedMedia: Entity = {
  ...{ type: 'media', id: 4, uuid: '00000000-0000-4000-8000-000000000004', bundle: 'image' },
  fields: { name: [{ value: 'u' }], status: [{ value: false }], uid: [{ target_id: 1 }] },
};

const picture = (id: number): Entity => ({
  ...{ type: 'file', id, uuid: `00000000-0000-4000-9000-00000000000${id}`, bundle: 'file' },
  blob: { key: 'bytes', size: 75, sha256: '00', width: 8, height: 6 },
  fields: {
    ...{
      filename: [{ value: 'a.png' }],
      uri: [{ value: 'fedora://2026-01/a.png' }],
      filemime: [{ value: 'image/png' }],
    },
    ...{ status: [{ value: true }], uid: [{ target_id: 2 }], filesize: [{ value: 75 }] },
  },
});

const withSize = (media: Entity): Entity => {
  const sized = (name: string) => media.fields[name]?.map((item) => ({ ...item, width: 8, height: 6 })) ?? [];
  return { ...media, fields: { ...media.fields, field_media_image: sized('field_media_image') } };
};

export const pairs: readonly Pair[] = [
  { file: 'created-offset-25' },
  { file: 'import-config-links', known: ['/body/description', '/body/new_revision'] },
  { file: 'import-daterange', site: withLabFields },
  { file: 'import-decimal-text', site: withLabFields },
  { file: 'import-decimal', site: withLabFields },
  { file: 'import-geolocation-answer', site: withLabFields },
  { file: 'import-handler-settings', known: ['/body/description'] },
  { file: 'import-image-size', site: withLabFields, records: () => [picture(7)], known: ['/body/field_image/0/url'] },
  { file: 'import-jsonld-edtf-without-converter', site: withDates },
  { file: 'import-node-type', known: ['/body/description', '/body/new_revision'] },
  { file: 'import-reference-blocked-user', site: withLabFields },
  { file: 'import-reference-unviewable-media', site: withLabFields, records: () => [unpublishedMedia] },
  { file: 'import-summary-only', site: withLabFields },
  { file: 'import-telephone', site: withLabFields },
  { file: 'import-typed-relation-outside-list', site: withLabFields },
  { file: 'jsonld-same-reference-twice', records: () => [collection] },
  { file: 'jsonld-unknown-relation' },
  {
    file: 'link-of-media-without-pcdm-use',
    site: linksPcdm,
    records: (bodies) => [...shownIn(bodies[2]), term(46), term(47), term(48, { parent: 46 })],
  },
  { file: 'source-replaced-by-no-image', records: (bodies) => [...shownIn(bodies[1], withSize), picture(1)] },
  {
    file: 'term-deletion-takes-children',
    records: (bodies) => [...shownIn(bodies[1]), term(46), term(47, { name: 'Gone' }), term(48, { parent: 46 })],
  },
  { file: 'term-write-without-format', records: () => [term(46)] },
];

/** The exchanges of a pair. One line of a file is a note. */
export const recordedPair = (file: string): readonly Recorded[] =>
  (JSON.parse(readFileSync(new URL(`${file}.json`, import.meta.url), 'utf8')) as readonly Recorded[]).filter(
    (one) => (one as Partial<Recorded>).request !== undefined,
  );

export const thirdLabTarget = 'http://real';

export const wireExchange = ({ request, real }: Recorded, at: number): WireExchange => ({
  ...{ at, durationMs: 0, account: request.credentials },
  request: {
    method: request.method,
    path: request.path.replace('{own new term of subject}', '46'),
    headers: [...linesOf(request.headers), basicLine(request.credentials)],
    body: wholeBody(sentBytes(request.body)),
  },
  reply: {
    ...{ status: real.status, reason: '', trailers: [] },
    headers: real.headers ?? [['Content-Type', String((real as Record<string, unknown>)['content-type'])]],
    body: wholeBody(Buffer.from(typeof real.body === 'string' ? real.body : JSON.stringify(real.body ?? 'a page'))),
  },
});

const linesOf = (headers: Recorded['request']['headers']): readonly HeaderLine[] =>
  Array.isArray(headers) ? (headers as readonly HeaderLine[]) : Object.entries(headers);

const basicLine = (name: string): HeaderLine => [
  'Authorization',
  `Basic ${Buffer.from(`${name}:${name}`).toString('base64')}`,
];

/** The picture was written down as text. */
const sentBytes = (body: unknown): Uint8Array => {
  if (body === null) return new Uint8Array();
  if (typeof body !== 'string') return Buffer.from(JSON.stringify(body));
  return body.includes('PNG') ? Buffer.from(redPicture, 'base64') : Buffer.from(body);
};
