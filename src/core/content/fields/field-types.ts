/** Lists the field types by name. Each type reads and stores the items of its fields. */
import type { FieldItem, FieldItems } from '../../model/entity.ts';
import type { FieldTypeName } from '../../model/bundle.ts';
import type { FieldType } from './field-type.ts';
import {
  authorityLinkType,
  commentType,
  geolocationType,
  nameType,
  otherType,
  textWithSummaryType,
  metatagType,
  pathType,
  redirectSourceType,
} from './compound-types.ts';
import {
  booleanType,
  dateType,
  decimalType,
  edtfType,
  floatType,
  formattedTextType,
  integerType,
  languageType,
  linkType,
  listIntegerType,
  listTextType,
  textType,
  timestampType,
  uuidType,
} from './value-types.ts';
import { fileType, imageType, referenceType, trackType, typedRelationType } from './reference-types.ts';

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
  path: pathType,
  metatag: metatagType,
  redirect_source: redirectSourceType,
  text: formattedTextType,
  text_with_summary: textWithSummaryType,
  list_string: listTextType,
  list_integer: listIntegerType,
  email: textType,
  authority_link: authorityLinkType,
  geolocation: geolocationType,
  media_track: trackType,
  comment: commentType,
  name: nameType,
  datetime: dateType,
  decimal: decimalType,
  float: floatType,
  other: otherType,
};

/** Whether an item says nothing. The real site drops such items when it stores the field, and counts them before. */
export const isEmptyItem = (item: FieldItem, type: FieldTypeName): boolean => fieldTypes[type].isEmpty(item);

/** Whether no item says anything. A loop, because each write asks it of each of its fields. */
export const areEmpty = (items: FieldItems, type: FieldTypeName): boolean => {
  const { isEmpty } = fieldTypes[type];
  for (const item of items) if (!isEmpty(item)) return false;
  return true;
};
