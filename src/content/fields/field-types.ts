/** Lists the field types by name. Each type reads and stores the items of its fields. */
import type { FieldItem } from '../../model/entity.ts';
import type { FieldTypeName } from '../../model/bundle.ts';
import type { FieldType } from './field-type.ts';
import { fileType, imageType, referenceType, typedRelationType } from './reference-types.ts';
import {
  booleanType,
  formattedTextType,
  integerType,
  languageType,
  linkType,
  textType,
  timestampType,
  uuidType,
} from './value-types.ts';

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
  edtf: textType,
};

/** Whether an item says nothing. The real site drops such items when it stores the field, and counts them before. */
export const isEmptyItem = (item: FieldItem, type: FieldTypeName): boolean => fieldTypes[type].isEmpty(item);
