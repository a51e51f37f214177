/** Has the schemas of field types that the default site does not use, and those of its own fields that a site needs. */
import { scalarText } from '../content/fields/field-type.ts';
import type { FieldDefinition } from '../model/bundle.ts';
import type { EntityType } from '../model/entity.ts';
import type { Part } from './document-tree.ts';

const object = (description: string, required: readonly string[], properties: Part): Part => ({
  description,
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

const id = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
const uuid = { type: 'string', format: 'uuid' };
const number = { type: 'number' };
const options = { $ref: '#/components/schemas/LinkOptions' };

const uri = { type: 'string', maxLength: 2048, examples: ['http://id.loc.gov/authorities/names/n79021164'] };
const link = { uri, title: textOrNull, options, source: { type: ['string', 'null'], examples: ['lcnaf'] } };
const summary = { value: textOrNull, format: textOrNull, processed: text, summary: textOrNull };

const place = {
  ...{ lat: { type: 'number', examples: [48.2] }, lng: { type: 'number', examples: [16.37] } },
  ...{ lat_sin: number, lat_cos: number, lng_rad: number },
  data: { $ref: '#/components/schemas/GeolocationData' },
  value: { type: 'string', examples: ['48.2, 16.37'] },
};

const track = {
  label: textOrNull,
  kind: { type: ['string', 'null'], examples: ['captions'] },
  srclang: { type: ['string', 'null'], examples: ['en'] },
  default: { type: ['boolean', 'null'] },
};

const comments = {
  status: { description: 'Whether people may comment: 0 hidden, 1 closed, 2 open.', type: 'integer', examples: [2] },
  ...{ cid: { type: 'integer' }, last_comment_timestamp: { type: 'integer' }, last_comment_name: textOrNull },
  ...{ last_comment_uid: { type: 'integer' }, comment_count: { type: 'integer' } },
};

const person = {
  ...{ title: textOrNull, given: { type: ['string', 'null'], examples: ['Ada'] }, middle: textOrNull },
  ...{
    family: { type: ['string', 'null'], examples: ['Lovelace'] },
    generational: textOrNull,
    credentials: textOrNull,
  },
};

const moment = { type: 'string', format: 'date-time' };
const day = { type: 'string', format: 'date' };
const decimal = { type: 'string', pattern: '^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)$', examples: ['1.50'] };

/** The schemas by name. What is sent may leave out what is computed. */
const schemas: Readonly<Record<string, Part>> = {
  AuthorityLinkItem: object('An address in an authority file, with the authority.', Object.keys(link), link),
  AuthorityLinkInput: object(
    'An address in an authority file; title, options and authority may be left out.',
    ['uri'],
    link,
  ),
  TextWithSummaryItem: object(
    'Text with its format, what becomes of it on a page, and a summary.',
    Object.keys(summary),
    summary,
  ),
  TextWithSummaryInput: object(
    'Text with its format and a summary. One of the two texts may be left out.',
    [],
    summary,
  ),
  EmailItem: object('An address of e-mail.', ['value'], {
    value: { type: 'string', maxLength: 254, examples: ['somebody@example.org'] },
  }),
  GeolocationItem: object(
    'A place, in degrees, with the sine and cosine of its latitude and its longitude in radians.',
    ['lat', 'lng', 'lat_sin', 'lat_cos', 'lng_rad', 'value'],
    place,
  ),
  GeolocationInput: object('A place, in degrees. What the server computes may be left out.', ['lat', 'lng'], place),
  GeolocationData: {
    description: 'What else was sent with a place.',
    type: ['array', 'object'],
    items: true,
    additionalProperties: true,
  },
  TrackReference: object(
    'A file of subtitles or the like. `url` is the address of its bytes. Of a deleted one the last three members are gone.',
    ['target_id', ...Object.keys(track)],
    {
      target_id: id,
      ...track,
      target_type: { type: 'string', enum: ['file'] },
      target_uuid: uuid,
      url: { type: 'string', format: 'uri' },
    },
  ),
  TrackReferenceInput: {
    description: 'A reference to a file of subtitles or the like, by id or by UUID.',
    oneOf: [{ $ref: '#/components/schemas/TrackReferenceById' }, { $ref: '#/components/schemas/TrackReferenceByUuid' }],
  },
  TrackReferenceById: object('A file of subtitles or the like, by id.', ['target_id'], {
    ...{ target_id: id, ...track, target_type: text, target_uuid: { type: 'string', minLength: 1 }, url: text },
  }),
  TrackReferenceByUuid: object('A file of subtitles or the like, by UUID.', ['target_uuid'], {
    ...{ target_uuid: { type: 'string', minLength: 1 }, ...track, target_type: text, url: text },
  }),
  CommentItem: object('Whether people may comment, and what the last comment is.', Object.keys(comments), comments),
  CommentInput: object('Whether people may comment. The server computes the rest.', ['status'], comments),
  PersonNameItem: object('The name of a person, in its parts.', Object.keys(person), person),
  PersonNameInput: object('The name of a person. Any part may be left out.', [], person),
  MomentItem: object('A day and a time, with its offset.', ['value'], { value: moment }),
  DayItem: object('A day.', ['value'], { value: day }),
  DecimalItem: object('A decimal number, as text.', ['value'], { value: decimal }),
  DecimalInput: object('A decimal number, as text or as a number.', ['value'], {
    value: { type: ['string', 'number'], examples: ['1.50'] },
  }),
  FloatItem: object('A number.', ['value'], { value: number }),
  OtherItem: {
    description:
      'A value of a type that this server does not know. It keeps texts, numbers and booleans as they are sent.',
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  },
};

/** A copy: a document in which two schemas share a list cannot be compiled. */
export const fieldSchema = (name: string): Part | undefined => {
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  return schema && (JSON.parse(JSON.stringify(schema)) as Part); // a schema is JSON
};

const typeNames: Readonly<Partial<Record<EntityType, string>>> = {
  node: 'Node',
  media: 'Media',
  taxonomy_term: 'Term',
};

/** `NodeFieldRightsChoice`. `Or` stands between the names of several shapes, so it is written in another way. */
export const choiceName = (type: EntityType, field: FieldDefinition): string => {
  const words = field.name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${typeNames[type] ?? ''}${words.map((word) => (word === 'Or' ? 'OR' : word)).join('')}Choice`;
};

/** The most values that a description explains. */
const maxExplained = 50;

/** Keys with their labels, as far as a description can hold them. */
export const explained = (labels: Readonly<Record<string, string>>): string => {
  const entries = Object.entries(labels);
  const told = entries
    .slice(0, maxExplained)
    .map(([key, label]) => (label === key ? `\`${key}\`` : `\`${key}\` (${label})`));
  return [...told, ...(entries.length > told.length ? [`and ${entries.length - told.length} more`] : [])].join(', ');
};

/** The schema of the values to choose from: those of the field in every bundle. A default may be none of them. */
export const choiceSchema = (fields: readonly FieldDefinition[]): Part => {
  const labels = Object.fromEntries(fields.flatMap(({ allowedValues = {} }) => Object.entries(allowedValues)));
  const defaults = fields.flatMap((field) => (field.default ?? []).map(({ value }) => scalarText(value)));
  const keys = [...new Set([...Object.keys(labels), ...defaults])];
  const isNumber = fields.every(({ type }) => type === 'list_integer');
  const value = isNumber ? { type: 'integer', enum: keys.map(Number) } : { type: 'string', enum: keys };
  return object(`One of ${explained(labels)}.`, ['value'], { value: keys.length === 0 ? { type: value.type } : value });
};
