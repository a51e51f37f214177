/** Says why the real site does not store a part of a body as it was sent: by field, by property, by type of field. */
import { isRecord, type Json } from '../../basics/json.ts';
import type { ChangedProperty } from '../fields/field-type.ts';
import type { Bundle, FieldDefinition } from '../model/bundle.ts';
import { fieldTypeOf } from '../fields/field-types.ts';

/** A member of a received item whose value is not the stored one. */
type ChangedMember = Omit<ChangedProperty, 'isAssigned'>;

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
  const { main, reasonOfDrop } = fieldTypeOf(field);
  if (Array.isArray(sent)) return 'A list in place of an item is dropped.';
  const reason = reasonOfDrop?.(sent);
  if (reason !== undefined) return reason;
  const value = isRecord(sent) ? sent[main] : sent;
  if (value === undefined || value === null || value === '') return `An item without "${main}" is dropped.`;
  return byField(field, bundle) ?? 'The real site drops this item.';
};

/** Why one member of an item is not stored as it was sent. */
export const reasonOfMember = (member: ChangedMember): string => {
  const { field, bundle, property, sent, stored } = member;
  if (!fieldTypeOf(field).properties.includes(property)) return reasonOfOther(member);
  return (
    fieldTypeOf(field).reasonOfChange?.({ ...member, isAssigned: byField(field, bundle) !== undefined }) ??
    reasonOfText(member) ??
    byField(field, bundle) ??
    (sent === '' && (stored ?? null) === null ? 'An empty text is stored as no value.' : unknownReason)
  );
};

/** For a member that the field type does not keep. */
const reasonOfOther = ({ field, property, sent, stored }: ChangedMember): string => {
  if (property === 'target_uuid' && isSameText(sent, stored)) return 'A UUID is stored in lower case.';
  const { hasAnyMember, computed = [], ignored = [] } = fieldTypeOf(field);
  if (hasAnyMember === true) {
    return 'The server does not know this type of field. It keeps texts, numbers and booleans, and at most 50 of them.';
  }
  // A client that sends a record back sends what the record shows, too.
  if ([...computed, ...ignored].includes(property)) {
    return 'The server computes this member. A value that is sent here is ignored.';
  }
  return 'Fields of this type have no such property.';
};

const isSameText = (sent: Json, stored: Json | undefined): boolean =>
  typeof sent === 'string' && typeof stored === 'string' && sent.toLowerCase() === stored.toLowerCase();

const reasonOfText = ({ sent, stored }: ChangedMember): string | undefined => {
  if (typeof stored !== 'string') return undefined;
  if (typeof sent === 'boolean') return 'Text holds no boolean: true is stored as "1", false as the empty text.';
  return typeof sent === 'number' ? 'Text holds no number: its digits are stored.' : undefined;
};
