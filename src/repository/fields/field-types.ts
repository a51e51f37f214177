/** Lists the field types. Every room asks this table for what it must know of a type. */
import type { FieldDefinition } from '../model/bundle.ts';
import type { FieldType } from './field-type.ts';
import { metatag, path, redirectSource } from './types/addresses.ts';
import { boolean } from './types/boolean.ts';
import { comment } from './types/comment.ts';
import { daterange } from './types/daterange.ts';
import { datetime } from './types/datetime.ts';
import { edtf } from './types/edtf.ts';
import { email } from './types/email.ts';
import { entityReferenceRevisions } from './types/entity-reference-revisions.ts';
import { entityReference } from './types/entity-reference.ts';
import { file, fileUri, image, mediaTrack } from './types/files.ts';
import { formattedLine, textLong, textWithSummary } from './types/formatted-text.ts';
import { geolocation } from './types/geolocation.ts';
import { language } from './types/language.ts';
import { authorityLink, link } from './types/link.ts';
import { listInteger, listString } from './types/list.ts';
import { name } from './types/name.ts';
import { decimal, float, integer } from './types/numbers.ts';
import { other } from './types/other.ts';
import { string, stringLong } from './types/string.ts';
import { telephone } from './types/telephone.ts';
import { changed, timestamp } from './types/timestamp.ts';
import { typedRelation } from './types/typed-relation.ts';
import { uuid } from './types/uuid.ts';
import { weight } from './types/weight.ts';
import type { FieldItems } from '../../openapi/openapi-records.ts';

export const fieldTypes: readonly FieldType[] = [
  ...[boolean, integer, decimal, float, weight, string, stringLong, formattedLine, textLong, textWithSummary],
  ...[listString, listInteger, email, telephone, uuid, language, timestamp, changed, datetime, daterange, edtf],
  ...[entityReference, entityReferenceRevisions, typedRelation, file, image, mediaTrack, fileUri, link, authorityLink],
  ...[geolocation, comment, name, path, metatag, redirectSource, other],
];

/** Types whose items look alike, by their names: the later ones of a row take less, which no schema says of texts with a grammar. */
export const alikeTypes: readonly (readonly string[])[] = [
  [stringLong, string, email, listString, edtf],
  [textLong, formattedLine],
  [float, integer, listInteger],
].map((types) => types.map(({ name: typeName }) => typeName));

const byName: ReadonlyMap<string, FieldType> = new Map(fieldTypes.map((type) => [type.name, type]));

/** The type of a field. The files of a site name no type that is not in the table. */
export const fieldTypeOf = ({ type }: Pick<FieldDefinition, 'type'>): FieldType => byName.get(type) ?? other;

/** Whether it leads to files, and has neither another target nor a plain reference's rules. */
export const isFileType = ({ refers }: FieldType): boolean => refers?.startsWith('to-') === true;

/**
 * Whether no item says anything. The real site drops items that say nothing when it stores the field, and counts them before.
 * A loop, because each write asks it of each of its fields.
 */
export const areEmpty = (items: FieldItems, field: Pick<FieldDefinition, 'type'>): boolean => {
  const { isEmpty } = fieldTypeOf(field);
  for (const item of items) if (!isEmpty(item)) return false;
  return true;
};
