/** Defines the field types that refer to other records: references, typed relations, files and images. */
import { isRecord } from '../../../basics/json.ts';
import { unprocessable } from '../../problem.ts';
import { textOf, type Json } from '../../model/entity.ts';
import {
  isInteger,
  isScalar,
  numberIfDigits,
  quotedInput,
  readBoolean,
  scalarText,
  targetTypeOf,
  type FieldType,
} from './field-type.ts';

/** What PHP calls empty: also a list and an object without members. */
const isPhpEmpty = (value: Json | undefined): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length === 0
    : value === undefined || value === null || value === false || value === 0 || value === '' || value === '0';

/** Resolves a `target_uuid`, which wins over a `target_id`. `target_type` is checked only together with a uuid. */
const readReference: NonNullable<FieldType['read']> = ({ sent, kept, delta }, field, context) => {
  const received = isRecord(sent) ? sent : {};
  const { target_uuid: uuid = null, target_type: receivedType = null } = received as Readonly<Record<string, Json>>; // no list
  if (uuid === null) return kept;
  if (isPhpEmpty(uuid)) throw unprocessable(`If provided "target_uuid" cannot be empty for field "${delta}".`);
  const fieldTarget = field.target?.type ?? '';
  if (!isPhpEmpty(receivedType) && receivedType !== fieldTarget) {
    throw unprocessable(`The field "${field.name}" property "target_type" must be set to "${fieldTarget}" or omitted.`);
  }
  const type = targetTypeOf(field);
  const id = type === undefined ? undefined : context.idOf(type, textOf(uuid).toLowerCase());
  if (id === undefined) {
    throw unprocessable(
      `No "${quotedInput(receivedType ?? '')}" entity found with UUID "${quotedInput(uuid)}" for field "${delta}".`,
    );
  }
  return { ...kept, target_id: id };
};

const numberOrNull = (value: Json | undefined): number | null => (isInteger(value) ? Number(value) : null);
const textOrNull = (value: Json | undefined): string | null => (isScalar(value) ? scalarText(value) : null);

export const referenceType: FieldType = {
  main: 'target_id',
  properties: ['target_id'],
  // The empty text is not a number, so it is a wrong value. 0 refers to nothing.
  isEmpty: ({ target_id: id }) => id === undefined || id === null,
  read: readReference,
  store: ({ target_id: id }) => ({ target_id: numberIfDigits(id) }),
};

export const typedRelationType: FieldType = {
  ...referenceType,
  properties: ['target_id', 'rel_type'],
  isEmpty: (item) => referenceType.isEmpty(item) || isPhpEmpty(item['rel_type']),
  store: (item) => ({ target_id: numberIfDigits(item['target_id']), rel_type: textOrNull(item['rel_type']) }),
};

/** The part after the last dot, in lower case. Empty when there is none. */
export const extensionOf = (name: string): string => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

export const fileType: FieldType = {
  ...referenceType,
  properties: ['target_id', 'display', 'description'],
  store: (item) => ({
    target_id: numberIfDigits(item['target_id']),
    display: readBoolean(item['display']) ?? null,
    description: textOrNull(item['description']),
  }),
};

export const imageType: FieldType = {
  ...referenceType,
  properties: ['target_id', 'alt', 'title', 'width', 'height'],
  store: (item) => ({
    target_id: numberIfDigits(item['target_id']),
    alt: textOrNull(item['alt']),
    title: textOrNull(item['title']),
    width: numberOrNull(item['width']),
    height: numberOrNull(item['height']),
  }),
};

/** A file of subtitles, chapters or the like. */
export const trackType: FieldType = {
  ...referenceType,
  properties: ['target_id', 'label', 'kind', 'srclang', 'default'],
  store: (item) => ({
    target_id: numberIfDigits(item['target_id']),
    label: textOrNull(item['label']),
    kind: textOrNull(item['kind']),
    srclang: textOrNull(item['srclang']),
    default: readBoolean(item['default']) ?? null,
  }),
};
