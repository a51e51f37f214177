/** Has the schemas of field types that the default site does not use, and those of its own fields that a site needs. */
import { scalarText } from '../fields/values.ts';
import { fieldTypeOf } from '../fields/field-types.ts';
import type { FieldDefinition } from '../model/bundle.ts';
import type { Part } from '../../openapi/openapi-terms.ts';

const object = (description: string, required: readonly string[], properties: Part): Part => ({
  description,
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

/** A part of an item, with what it is. */
const text = (description: string): Part => ({ description, type: 'string' });
const textOrNull = (description: string): Part => ({ description, type: ['string', 'null'] });
const integer = (description: string): Part => ({ description, type: 'integer' });
const number = (description: string): Part => ({ description, type: 'number' });

const options = { $ref: '#/components/schemas/LinkOptions' };

const link = {
  uri: { ...text('The address.'), maxLength: 2048, examples: ['http://id.loc.gov/authorities/names/n79021164'] },
  ...{ title: textOrNull('The text of the link; null for none.'), options },
  source: { ...textOrNull('The authority, by its key in the field.'), examples: ['lcnaf'] },
};
const summary = {
  ...{ value: textOrNull('The text.'), format: textOrNull('The machine name of the text format.') },
  processed: text('The HTML that the format makes of the text.'),
  summary: textOrNull('The summary.'),
};

const place = {
  lat: { ...number('The latitude.'), examples: [48.2] },
  lng: { ...number('The longitude.'), examples: [16.37] },
  data: { $ref: '#/components/schemas/GeolocationData' },
  value: { ...text('Latitude and longitude.'), examples: ['48.2, 16.37'] },
};

const track = {
  label: textOrNull('What people choose the track by.'),
  kind: { ...textOrNull('What the track is for.'), examples: ['captions'] },
  srclang: { ...textOrNull('The language of the track.'), examples: ['en'] },
  default: { description: 'Whether a player begins with it.', type: ['boolean', 'null'] },
};

const targetId = { ...integer('The id of the file.'), minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const targetUuid = { ...text('The UUID of the file.'), minLength: 1 };
const sentTarget = {
  target_type: text('It must be right where a UUID is given too.'),
  url: text('Not looked at.'),
};

const revision = {
  target_id: { ...targetId, type: ['integer', 'null'], description: 'The id of the record.' },
  target_revision_id: { ...integer('The id of its revision.'), type: ['integer', 'null'], examples: [7] },
  target_type: text('The type of what it refers to.'),
  target_uuid: text('The UUID of the record.'),
  url: text('The path of what it refers to.'),
};

const comments = {
  status: { ...integer('Whether people may comment: 0 hidden, 1 closed, 2 open.'), examples: [2] },
  cid: integer('The id of the last comment.'),
  last_comment_timestamp: integer('When the last comment was made, in seconds since 1970.'),
  last_comment_name: textOrNull('The name that the last comment gives.'),
  last_comment_uid: integer('The id of the account that made the last comment.'),
  comment_count: integer('How many comments there are.'),
};

const person = {
  title: textOrNull('The words before the name, such as `Dr.`.'),
  given: { ...textOrNull('The given name.'), examples: ['Ada'] },
  middle: textOrNull('The names between.'),
  family: { ...textOrNull('The family name.'), examples: ['Lovelace'] },
  generational: textOrNull('What tells generations apart, such as `Jr.`.'),
  credentials: textOrNull('The words after the name, such as `PhD`.'),
};

const decimal = {
  ...text('The number.'),
  ...{ pattern: '^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)$', examples: ['1.50'] },
};

/** The schemas by name. A request may leave out computed members. */
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
    'Text with its format and a summary. A summary needs its text, which may be empty.',
    [],
    summary,
  ),
  EmailItem: object('An address of e-mail.', ['value'], {
    value: { ...text('The address.'), maxLength: 254, examples: ['somebody@example.org'] },
  }),
  TelephoneItem: object('A telephone number.', ['value'], {
    value: { ...text('The number.'), maxLength: 256, examples: ['+1 202 555 0123'] },
  }),
  GeolocationItem: object('A place, in degrees.', ['lat', 'lng', 'data', 'value'], place),
  GeolocationInput: object('A place, in degrees. What the server computes may be left out.', ['lat', 'lng'], place),
  GeolocationData: {
    description: 'What else was sent with a place.',
    type: ['array', 'object'],
    items: true,
    additionalProperties: true,
  },
  TrackReference: object(
    'A file of subtitles or the like. `url` is the address of its bytes. If it was deleted, the last three members are missing.',
    ['target_id', ...Object.keys(track)],
    {
      ...{ target_id: targetId, ...track },
      target_type: { ...text('The type of what it refers to.'), enum: ['file'] },
      target_uuid: { ...text('The UUID of the file.'), format: 'uuid' },
      url: { ...text('The address of its bytes.'), format: 'uri' },
    },
  ),
  TrackReferenceInput: {
    description: 'A reference to a file of subtitles or the like, by id or by UUID.',
    oneOf: [{ $ref: '#/components/schemas/TrackReferenceById' }, { $ref: '#/components/schemas/TrackReferenceByUuid' }],
  },
  TrackReferenceById: object('A file of subtitles or the like, by id.', ['target_id'], {
    ...{ target_id: targetId, ...track, target_uuid: targetUuid, ...sentTarget },
  }),
  TrackReferenceByUuid: object('A file of subtitles or the like, by UUID.', ['target_uuid'], {
    ...{ target_uuid: targetUuid, ...track, ...sentTarget },
  }),
  RevisionReference: object(
    'A revision of a record, such as a paragraph. What the server does not know of it is missing.',
    ['target_id', 'target_revision_id'],
    revision,
  ),
  RevisionReferenceInput: object(
    'A revision of a record; the id or the UUID says which.',
    ['target_revision_id'],
    revision,
  ),
  CommentItem: object('Whether people may comment, and what the last comment is.', Object.keys(comments), comments),
  CommentInput: object('Whether people may comment. The server computes the rest.', ['status'], comments),
  PersonNameItem: object('The name of a person, in its parts.', Object.keys(person), person),
  PersonNameInput: object('The name of a person. Any part may be left out.', [], person),
  MomentItem: object('A day and a time, with its offset.', ['value'], {
    value: { ...text('The day and the time.'), format: 'date-time' },
  }),
  MomentRangeItem: object('The start and the end of a range of time, each with its offset.', ['value', 'end_value'], {
    value: { ...text('The start.'), format: 'date-time' },
    end_value: { ...text('The end.'), format: 'date-time' },
  }),
  DayRangeItem: object('The first and the last day of a range.', ['value', 'end_value'], {
    value: { ...text('The first day.'), format: 'date' },
    end_value: { ...text('The last day.'), format: 'date' },
  }),
  DayItem: object('A day.', ['value'], { value: { ...text('The day.'), format: 'date' } }),
  DecimalItem: object('A decimal number, as text.', ['value'], { value: decimal }),
  DecimalInput: object('A decimal number, as text or as a number.', ['value'], {
    value: { description: 'The number.', type: ['string', 'number'], examples: ['1.50'] },
  }),
  FloatItem: object('A number.', ['value'], { value: number('The number.') }),
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

/** How the names of the schemas of a type begin. */
export const typeNames = { node: 'Node', media: 'Media', taxonomy_term: 'Term' } as const;

/** A machine name as a part of a name: `FieldRights`. `Or` joins the names of several shapes, so it is written in another way. */
export const inPascalCase = (name: string): string => {
  const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return words.map((word) => (word === 'Or' ? 'OR' : word)).join('');
};

const prefixes: Readonly<Partial<Record<string, string>>> = typeNames;

/** `NodeFieldRightsChoice`. */
export const choiceName = (type: string, field: FieldDefinition): string =>
  `${prefixes[type] ?? ''}${inPascalCase(field.name)}Choice`;

/** The most values that a description explains. */
const maxExplained = 50;

/** Keys with their labels, as far as a description can hold them. */
export const explained = (labels: Readonly<Record<string, string>>): string => {
  const entries = Object.entries(labels);
  const shown = entries
    .slice(0, maxExplained)
    .map(([key, label]) => (label === key ? `\`${key}\`` : `\`${key}\` (${label})`));
  return [...shown, ...(entries.length > shown.length ? [`and ${entries.length - shown.length} more`] : [])].join(', ');
};

/** The schema of the values to choose from: those of the field in every bundle. A default may be none of them. */
export const choiceSchema = (fields: readonly FieldDefinition[]): Part => {
  const labels = Object.fromEntries(fields.flatMap(({ allowedValues = {} }) => Object.entries(allowedValues)));
  const defaults = fields.flatMap((field) => (field.default ?? []).map(({ value }) => scalarText(value)));
  const keys = [...new Set([...Object.keys(labels), ...defaults])];
  const isNumber = fields.every((field) => fieldTypeOf(field).schema(field).sent === 'IntegerItem');
  const value = isNumber ? integer('The choice.') : text('The choice.');
  const choices = keys.length === 0 ? {} : { enum: isNumber ? keys.map(Number) : keys };
  return object(`One of ${explained(labels)}.`, ['value'], { value: { ...value, ...choices } });
};
