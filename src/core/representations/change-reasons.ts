/** Says why the real site does not store a part of a body as it was sent: by field, by property, by type of field. */
import { isRecord } from '../../basics/json.ts';
import type { Bundle, FieldDefinition, FieldTypeName } from '../model/bundle.ts';
import type { Json } from '../model/entity.ts';
import { fieldTypes } from '../content/fields/field-types.ts';
import { parseTimestamp } from '../content/fields/value-types.ts';

/** A member of a received item whose value is not the stored one. */
type ChangedMember = {
  readonly field: FieldDefinition;
  readonly bundle: Bundle;
  readonly property: string;
  readonly sent: Json;
  readonly stored: Json | undefined;
};

const assigned = 'The server assigns this number.';
const revised = 'The server records who made a revision, and when.';

/** Fields that the server sets whatever is sent. */
const reasonsByField: Readonly<Record<string, string>> = {
  nid: assigned,
  mid: assigned,
  tid: assigned,
  vid: assigned,
  revision_id: assigned,
  type: 'A record keeps its bundle.',
  bundle: 'A record keeps its bundle.',
  changed: 'The server sets the time of the last change.',
  revision_timestamp: revised,
  revision_created: revised,
  revision_uid: revised,
  revision_user: revised,
  default_langcode: 'A record with one language is always its default translation.',
  langcode: 'A record always has a language.',
  uid: 'A record always has an owner.',
};

const fromFile = 'The media takes this from its file.';

/** Fields of a media that a save can fill from the file. */
const fileFields: ReadonlySet<string> = new Set([
  ...['name', 'thumbnail', 'field_mime_type', 'field_file_size', 'field_width', 'field_height'],
]);

const byField = (field: FieldDefinition, bundle: Bundle): string | undefined => {
  if (bundle.entityType === 'taxonomy_term' && field.name === 'vid') return 'A record keeps its bundle.';
  if (bundle.source !== undefined && fileFields.has(field.name)) return fromFile;
  return reasonsByField[field.name];
};

const unknownReason = 'The real site stores another value.';

/** Why the whole value of a field is not stored. */
export const reasonOfField = (field: FieldDefinition | undefined, bundle: Bundle, sent: Json): string => {
  if (field === undefined) return 'The bundle has no such field.';
  if (sent === false || sent === 0 || sent === '0') return 'Such a value in place of a list empties the field.';
  return byField(field, bundle) ?? 'The real site keeps a value here.';
};

/** Why an item is not stored at all. */
export const reasonOfItem = (field: FieldDefinition, bundle: Bundle, sent: Json): string => {
  const { main } = fieldTypes[field.type];
  const value = isRecord(sent) ? sent[main] : sent;
  if (Array.isArray(sent)) return 'A list in place of an item is dropped.';
  if (field.type === 'name' || field.type === 'other') return 'An item without any value is dropped.';
  if (value === undefined || value === null || value === '') return `An item without "${main}" is dropped.`;
  if (field.type === 'typed_relation') {
    const relation = isRecord(sent) ? sent['rel_type'] : undefined;
    if (relation === '0' || relation === 0) return 'A "rel_type" of 0 counts as empty, so the relation is dropped.';
    if (!isText(relation)) return 'A relation without "rel_type" is dropped.';
  }
  return byField(field, bundle) ?? 'The real site drops this item.';
};

const isText = (value: Json | undefined): boolean => typeof value === 'string' && value !== '';

/** Members that a record shows besides the stored ones. A client that sends a record back sends them, too. */
const computed: ReadonlySet<string> = new Set([
  ...['processed', 'url', 'target_type', 'target_uuid'],
  ...['lat_sin', 'lat_cos', 'lng_rad'],
  ...['cid', 'last_comment_name', 'last_comment_uid', 'comment_count'],
]);

/** Why one member of an item is not stored as it was sent. */
export const reasonOfMember = (member: ChangedMember): string => {
  const { field, bundle, property, sent, stored } = member;
  if (!fieldTypes[field.type].properties.includes(property)) return reasonOfOther(member);
  return (
    reasonsOfValues[field.type]?.(member) ??
    reasonOfText(member) ??
    byField(field, bundle) ??
    (sent === '' && (stored ?? null) === null ? 'An empty text is stored as no value.' : unknownReason)
  );
};

/** For a member that the field type does not keep. */
const reasonOfOther = ({ field, property, sent, stored }: ChangedMember): string => {
  if (property === 'target_uuid' && isSameText(sent, stored)) return 'A UUID is stored in lower case.';
  if (fieldTypes[field.type].hasAnyMember === true) {
    return 'The server does not know this type of field. It keeps texts, numbers and booleans, and at most 50 of them.';
  }
  const isTime = field.type === 'timestamp' || field.type === 'changed';
  if (
    computed.has(property) ||
    (field.type === 'geolocation' && property === 'value') ||
    (isTime && property === 'format')
  ) {
    return 'The server computes this member. A value that is sent here is ignored.';
  }
  return 'Fields of this type have no such property.';
};

const isSameText = (sent: Json, stored: Json | undefined): boolean =>
  typeof sent === 'string' && typeof stored === 'string' && sent.toLowerCase() === stored.toLowerCase();

type ReasonOfValue = (member: ChangedMember) => string | undefined;

const reasonOfText: ReasonOfValue = ({ sent, stored }) => {
  if (typeof stored !== 'string') return undefined;
  if (typeof sent === 'boolean') return 'Text holds no boolean: true is stored as "1", false as the empty text.';
  return typeof sent === 'number' ? 'Text holds no number: its digits are stored.' : undefined;
};

const ofNumber: ReasonOfValue = ({ sent, stored }) =>
  typeof sent !== 'number' && typeof stored === 'number' ? 'The value is stored as a number.' : undefined;

const ofTime: ReasonOfValue = ({ sent, stored }) =>
  parseTimestamp(sent) !== undefined && parseTimestamp(sent) === parseTimestamp(stored)
    ? 'A time is stored in whole seconds and shown in UTC.'
    : undefined;

const ofReference: ReasonOfValue = (member) => {
  if (member.property !== 'target_id') {
    return ['width', 'height'].includes(member.property) ? 'The server reads the size from the image.' : undefined;
  }
  return ofNumber(member) ?? ofNothing(member) ?? (member.field.target === undefined ? undefined : byUuid(member));
};

const ofNothing: ReasonOfValue = ({ sent, stored }) =>
  Number(sent) === 0 && (stored ?? null) === null ? 'The id 0 refers to nothing. It is shown as null.' : undefined;

/** A `target_id` can only differ from the stored one because of a `target_uuid`, unless the server sets the field. */
const byUuid: ReasonOfValue = ({ field, bundle }) =>
  byField(field, bundle) === undefined ? 'A "target_uuid" wins over the "target_id" next to it.' : undefined;

const reasonsOfValues: { readonly [T in FieldTypeName]?: ReasonOfValue } = {
  boolean: ({ stored }) => (typeof stored === 'boolean' ? 'A boolean is stored as true or false.' : undefined),
  integer: ofNumber,
  list_integer: ofNumber,
  float: ofNumber,
  geolocation: ofNumber,
  comment: ofNumber,
  decimal: ({ stored }) =>
    typeof stored === 'string'
      ? 'A decimal is stored as text, with the digits after the point that the field has.'
      : undefined,
  datetime: ofTime,
  media_track: ofReference,
  uuid: () => 'A UUID is stored in lower case.',
  timestamp: ofTime,
  changed: ofTime,
  entity_reference: ofReference,
  typed_relation: ofReference,
  file: ofReference,
  image: ofReference,
};
