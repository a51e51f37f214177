/** Lists the field types by name. Each type reads, validates and stores the items of its fields. */
import type { FieldItem } from '../../model/entity.ts';
import type { FieldTypeName } from '../../model/bundle.ts';
import type { FieldType } from './field-type.ts';
import { fileType, imageType, referenceType, typedRelationType } from './reference-types.ts';
import {
  booleanType,
  edtfType,
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
  edtf: edtfType,
};

/** The main property is missing or empty. The real site drops such items. */
export const isEmptyItem = (item: FieldItem, type: FieldTypeName): boolean => {
  const value = item[fieldTypes[type].main];
  return value === undefined || value === null || value === '';
};
