/** What each field type accepts and keeps: reading an item, judging it, storing it compactly. One entry per type. */
import { unprocessable } from '../../problem.ts';
import { isEdtf } from './edtf-dates.ts';
import {
  entityKey,
  entityTypes,
  firstValue,
  textOf,
  type Entity,
  type EntityKey,
  type EntityType,
} from '../../model/entity.ts';
import type { FieldItem, Json, JsonObject } from '../../model/entity.ts';
import type { FieldDefinition, FieldTypeName } from '../../model/bundle.ts';
import { parseTimestamp } from './timestamps.ts';

/** What reading may ask: who has a uuid. */
export type ReadContext = { idOf(type: EntityType, uuid: string): number | undefined };

/** What judging may ask: other records, what may be referred to, the site's languages. */
export type JudgeContext = {
  find(key: EntityKey): Entity | undefined;
  mayReference(target: Entity): boolean;
  /** Asked of files: to use one is to make it visible to whoever may see the user. */
  mayView(target: Entity): boolean;
  readonly languages: readonly string[];
};

/** A fault of an item: the property after the delta (none for the item as a whole) and the message. */
export type ItemFault = { readonly property?: string; readonly message: string };

export type FieldType = {
  /** The property that a bare scalar means (R 1.12), and whose emptiness makes the item empty. */
  readonly main: string;
  /** What is kept of an incoming item; other members are dropped (R 1.12). */
  readonly properties: readonly string[];
  /** Reads an incoming item. Throws a 422 of the first family (R 1.9 a). */
  readonly read?: (item: FieldItem, field: FieldDefinition, sent: JsonObject, context: ReadContext) => FieldItem;
  /** Every rule that the item breaks (R 1.9 b). */
  readonly judge: (item: FieldItem, field: FieldDefinition, context: JudgeContext) => readonly ItemFault[];
  /** The compact form of an item. What `judge` would refuse stays as it came, so that it never equals what is stored. */
  readonly store: (item: FieldItem) => FieldItem;
};

const wrongPrimitive = 'This value should be of the correct primitive type.';
const wrong = (property: string): ItemFault => ({ property, message: wrongPrimitive });

const isInteger = (value: Json | undefined): boolean =>
  (typeof value === 'number' && Number.isSafeInteger(value)) ||
  (typeof value === 'string' && /^-?(0|[1-9]\d{0,14})$/.test(value));

/** Counted as the reference counts: characters, not UTF-16 units. */
const lengthFault = (
  value: Json | undefined,
  property: string,
  field: FieldDefinition,
  most: number | undefined,
): ItemFault[] =>
  most !== undefined && Array.from(textOf(value)).length > most
    ? [{ property, message: `${field.label}: may not be longer than ${most} characters.` }]
    : [];

/** Digits become a number. */
const integerOr = (value: Json | undefined): Json => (isInteger(value) ? Number(value) : (value ?? null));

/** What a message repeats of the input is bounded. */
const shown = (value: Json | undefined): string => textOf(value).slice(0, 200);

const isText = (value: Json | undefined): boolean => typeof value === 'string' || typeof value === 'number';

const textType: FieldType = {
  main: 'value',
  properties: ['value'],
  judge: ({ value }, field) => (isText(value) ? lengthFault(value, 'value', field, field.maxLength) : [wrong('value')]),
  store: ({ value }) => ({ value: textOf(value) }),
};

const integerType: FieldType = {
  main: 'value',
  properties: ['value'],
  judge: ({ value }) => (isInteger(value) ? [] : [wrong('value')]),
  store: ({ value }) => ({ value: integerOr(value) }),
};

const trueValues: readonly Json[] = [true, 1, '1'];
const falseValues: readonly Json[] = [false, 0, '0'];
const booleanType: FieldType = {
  main: 'value',
  properties: ['value'],
  // The words "true" and "false" are refused: the reference stores both as true (cases I42).
  judge: ({ value = null }) => (trueValues.includes(value) || falseValues.includes(value) ? [] : [wrong('value')]),
  store: ({ value = null }) => ({
    value: trueValues.includes(value) ? true : falseValues.includes(value) ? false : value,
  }),
};

const timestampType: FieldType = {
  main: 'value',
  properties: ['value'],
  read: (item) => {
    const seconds = parseTimestamp(item['value']);
    if (seconds !== undefined) return { value: seconds };
    throw unprocessable(
      `The specified date "${shown(item['value'])}" is not in an accepted format: "U" (UNIX timestamp), ` +
        '"Y-m-d\\TH:i:sO" (ISO 8601), "Y-m-d\\TH:i:sP" (RFC 3339).',
    );
  },
  judge: () => [],
  store: (item) => item,
};

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const uuidType: FieldType = {
  main: 'value',
  properties: ['value'],
  judge: ({ value }, field) => {
    if (typeof value !== 'string') return [wrong('value')];
    const tooLong = lengthFault(value, 'value', field, field.maxLength);
    if (tooLong.length > 0) return tooLong;
    // The contract's table says "string UUID"; the reference would take any text.
    return uuidPattern.test(value) ? [] : [{ property: 'value', message: 'This value is not a valid UUID.' }];
  },
  store: ({ value }) => ({ value: textOf(value).toLowerCase() }),
};

const languageType: FieldType = {
  main: 'value',
  properties: ['value'],
  judge: ({ value }, _field, context) =>
    typeof value === 'string' && context.languages.includes(value)
      ? []
      : [{ message: 'The value you selected is not a valid choice.' }],
  store: (item) => item,
};

const edtfType: FieldType = {
  main: 'value',
  properties: ['value'],
  judge: ({ value }, field) => {
    if (!isText(value)) return [wrong('value')];
    const tooLong = lengthFault(value, 'value', field, field.maxLength);
    if (tooLong.length > 0) return tooLong;
    const text = textOf(value);
    return isEdtf(text) ? [] : [{ message: `${text} is not valid EDTF: Could not parse the date '${text}'.` }];
  },
  store: ({ value }) => ({ value: textOf(value) }),
};

const linkType: FieldType = {
  main: 'uri',
  properties: ['uri', 'title', 'options'],
  judge: ({ uri, title }, field) => [
    ...(typeof uri === 'string' && isAbsolute(uri)
      ? lengthFault(uri, 'uri', field, 2048)
      : [{ property: 'uri', message: `The path '${shown(uri)}' is invalid.` }]),
    ...(title === undefined || title === null || typeof title === 'string' ? [] : [wrong('title')]),
  ],
  store: ({ uri, title, options }) => ({
    uri: textOf(uri),
    title: title ?? null,
    options: typeof options === 'object' && options !== null ? options : [],
  }),
};

const isAbsolute = (uri: string): boolean => {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(uri)) return false;
  return URL.canParse(uri);
};

const formattedTextType: FieldType = {
  main: 'value',
  properties: ['value', 'format'],
  judge: ({ value, format }) => [
    ...(isText(value) ? [] : [wrong('value')]),
    ...(format === undefined || format === null || typeof format === 'string' ? [] : [wrong('format')]),
  ],
  store: ({ value, format }) => ({ value: textOf(value), format: format ?? null }),
};

/** A uuid decides over an id; `target_type` counts only beside a uuid (R 1.9 a, decisions: References on input). */
const readReference: NonNullable<FieldType['read']> = (item, field, sent, context) => {
  const uuid = sent['target_uuid'];
  if (uuid === undefined || uuid === null) return item;
  if (uuid === '') throw unprocessable('If provided "target_uuid" cannot be empty for field "0".');
  const wanted = field.target?.type ?? '';
  const said = sent['target_type'];
  if (said !== undefined && said !== null && said !== '' && said !== wanted) {
    throw unprocessable(`The field "${field.name}" property "target_type" must be set to "${wanted}" or omitted.`);
  }
  const type = entityTypes.find((name) => name === wanted);
  const id = type === undefined ? undefined : context.idOf(type, textOf(uuid).toLowerCase());
  if (id === undefined) {
    throw unprocessable(`No "${shown(said ?? '')}" entity found with UUID "${shown(uuid)}" for field "0".`);
  }
  return { ...item, target_id: id };
};

const judgeReference: FieldType['judge'] = ({ target_id: id }, field, context) => {
  const type = entityTypes.find((name) => name === field.target?.type);
  if (type === undefined) return [];
  const numeric = isInteger(id);
  const target = numeric ? context.find(entityKey(type, Number(id))) : undefined;
  if (target === undefined) {
    const message = `The referenced entity (${type}: ${shown(id)}) does not exist.`;
    return [{ property: 'target_id', message }, ...(numeric ? [] : [wrong('target_id')])];
  }
  const bundles = field.target?.bundles;
  const fits = bundles === undefined || bundles.includes(target.bundle);
  if (!fits || !context.mayReference(target)) {
    return [{ property: 'target_id', message: `This entity (${type}: ${target.id}) cannot be referenced.` }];
  }
  if (type !== 'file' || context.mayView(target)) return [];
  // R 1.9 b. Otherwise a media of one's own would open a guarded file, to read and to overwrite.
  return [
    { property: 'target_id', message: `You do not have access to the referenced entity (${type}: ${target.id}).` },
  ];
};

const numberOrNull = (value: Json | undefined): number | null => (isInteger(value) ? Number(value) : null);
const textOrNull = (value: Json | undefined): string | null => (isText(value) ? textOf(value) : null);

const referenceType: FieldType = {
  main: 'target_id',
  properties: ['target_id'],
  read: readReference,
  judge: judgeReference,
  store: ({ target_id: id }) => ({ target_id: integerOr(id) }),
};

const typedRelationType: FieldType = {
  ...referenceType,
  properties: ['target_id', 'rel_type'],
  judge: (item, field, context) => [
    ...judgeReference(item, field, context),
    ...(item['rel_type'] === undefined || typeof item['rel_type'] === 'string' ? [] : [wrong('rel_type')]),
    ...(field.relations !== undefined && !field.relations.includes(textOf(item['rel_type']))
      ? [{ property: 'rel_type', message: 'The value you selected is not a valid choice.' }]
      : []),
  ],
  store: (item) => ({ target_id: integerOr(item['target_id']), rel_type: textOrNull(item['rel_type']) }),
};

const judgeFile: FieldType['judge'] = (item, field, context) => {
  const faults = judgeReference(item, field, context);
  if (faults.length > 0 || field.extensions === undefined) return faults;
  const file = context.find(entityKey('file', Number(item['target_id'])));
  const name = file === undefined ? '' : textOf(firstValue(file, 'filename'));
  return field.extensions.includes(extensionOf(name))
    ? []
    : [{ message: `Only files with the following extensions are allowed: ${field.extensions.join(' ')}.` }];
};

/** The part after the last dot, in lower case; empty when there is none. */
export const extensionOf = (name: string): string => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

const fileType: FieldType = {
  ...referenceType,
  properties: ['target_id', 'display', 'description'],
  judge: judgeFile,
  store: (item) => ({
    target_id: integerOr(item['target_id']),
    display: typeof item['display'] === 'boolean' ? item['display'] : null,
    description: textOrNull(item['description']),
  }),
};

const imageType: FieldType = {
  ...referenceType,
  properties: ['target_id', 'alt', 'title', 'width', 'height'],
  judge: (item, field, context) => [
    ...judgeFile(item, field, context),
    ...(['alt', 'title'] as const).flatMap((property) => judgeCaption(item[property], property, field)),
    ...(['width', 'height'] as const).flatMap((property) =>
      item[property] === undefined || item[property] === null || isInteger(item[property]) ? [] : [wrong(property)],
    ),
  ],
  store: (item) => ({
    target_id: integerOr(item['target_id']),
    alt: textOrNull(item['alt']),
    title: textOrNull(item['title']),
    width: numberOrNull(item['width']),
    height: numberOrNull(item['height']),
  }),
};

const judgeCaption = (
  value: Json | undefined,
  property: 'alt' | 'title',
  field: FieldDefinition,
): readonly ItemFault[] => {
  if (value === undefined || value === null) return [];
  return isText(value) ? lengthFault(value, property, field, property === 'alt' ? 512 : 1024) : [wrong(property)];
};

export const fieldTypes: { readonly [T in FieldTypeName]: FieldType } = {
  boolean: booleanType,
  integer: integerType,
  string: textType,
  string_long: textType,
  text_long: formattedTextType,
  uuid: uuidType,
  language: languageType,
  timestamp: timestampType,
  changed: timestampType,
  entity_reference: referenceType,
  typed_relation: typedRelationType,
  file: fileType,
  image: imageType,
  file_uri: textType,
  link: linkType,
  edtf: edtfType,
};

/** An item that says nothing: no main property, or an empty one. Such items are dropped (recording: "POST title empty"). */
export const isEmptyItem = (item: FieldItem, type: FieldTypeName): boolean => {
  const value = item[fieldTypes[type].main];
  return value === undefined || value === null || value === '';
};
