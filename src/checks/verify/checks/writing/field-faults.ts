/** Lists wrong values of a field. How each is refused comes from the rules that Atoll has of the field's type. */
import { isRecord, type Json } from '../../../../basics/json.ts';
import { fieldTypeOf, isFileType, type FieldDefinition } from '../../../../repository/repository.ts';
import { shown } from '../../answer.ts';
import type { CheckContext } from '../../check.ts';
import { withRole } from './field-samples.ts';
import { type FieldOf, outcomeOf } from './fields-of.ts';
import { fileOfOtherKind, forbiddenTerm } from './known-terms.ts';
import type { Entity, FieldItem } from '../../../../openapi/openapi-records.ts';

export type FieldFault = {
  /** Words with hyphens, unique for the field. */
  readonly name: string;
  /** What is wrong, as the end of "A field … is refused". */
  readonly words: string;
  /** What to send as the field, and what the message must contain. */
  readonly sent: (context: CheckContext) => Promise<{ readonly value: Json; readonly says: string }>;
  /** Whether the refusal has a line for the field, next to those of others. Other faults end the reading of the body. */
  readonly hasLine: boolean;
  /** Where the real service fails with 500 in place of a refusal. */
  readonly isAdvice: boolean;
};

/** A wrong value; `id` is that of nothing, or else of a record that the field does not allow, which `find` finds. */
type Row<V> = readonly [
  name: string,
  words: string,
  value: (id: number) => V,
  find?: ((context: CheckContext, field: FieldDefinition) => Promise<number>) | undefined,
];

const bareText: Row<Json> = ['bare-text', 'that is a text in place of a list', () => 'some text'];
const bareNumber: Row<Json> = ['bare-number', 'that is a number in place of a list', () => 12];
const nullRequired: readonly Row<Json>[] = [
  ['required-null', 'that is required and null', () => null],
  ['required-empty-list', 'that is required and an empty list', () => []],
];

const absentUuid = '00000000-0000-4000-8000-000000000000';

const byId = (id: number): FieldItem => ({ target_id: id });

const targets: readonly Row<FieldItem>[] = [
  ['absent-target', 'that refers to a record that does not exist', byId],
  ['target-word', 'whose target_id is a word', () => ({ target_id: 'nothing' })],
];
const uuids: readonly Row<FieldItem>[] = [
  ['absent-uuid', 'with a target_uuid that no record has', () => ({ target_uuid: absentUuid })],
  ['empty-uuid', 'with an empty target_uuid', () => ({ target_uuid: '' })],
  [
    ...(['uuid-of-other-type', 'with a target_uuid and a target_type that is not that of the field'] as const),
    () => ({ target_uuid: absentUuid, target_type: 'block' }),
  ],
];
const otherVocabulary: Row<FieldItem> = [
  ...(['other-vocabulary', 'that refers to a term of a vocabulary that the field does not allow'] as const),
  byId,
  forbiddenTerm,
];
const otherExtension: Row<FieldItem> = [
  ...(['other-extension', 'that refers to a file whose extension the field does not allow'] as const),
  byId,
  fileOfOtherKind,
];

const referring = (field: FieldDefinition): readonly Row<FieldItem>[] => {
  const { refers } = fieldTypeOf(field);
  if (isFileType(fieldTypeOf(field))) return [...targets, otherExtension];
  if (refers !== 'plainly' && refers !== 'with-role') return [];
  return [...targets, ...uuids, ...(field.target?.bundles === undefined ? [] : [otherVocabulary])];
};

/** What the type of the field tries, and a text that is too long. */
const triedOf = (field: FieldDefinition): readonly Row<FieldItem>[] => {
  const { main, trials } = fieldTypeOf(field);
  const { maxLength } = field;
  const tooLong = maxLength === undefined ? [] : [{ [main]: 'x'.repeat(maxLength + 1) }];
  const tried = [...tooLong, ...(trials?.(field).refused ?? [])];
  return tried.map((item: FieldItem, at) => [`value-${at + 1}`, `with ${shown(item)}`, () => item]);
};

const itemRows = (field: FieldDefinition): readonly Row<Json>[] => [
  ...referring(field).map(([name, words, itemFor, find]): Row<Json> => [
    name,
    words,
    (id) => [withRole(field, itemFor(id))],
    find,
  ]),
  ...triedOf(field).map(([name, words, itemFor]): Row<Json> => [name, words, (id) => [itemFor(id)]]),
];

const faultOf = (of: FieldOf, [name, words, valueFor, find]: Row<Json>): readonly FieldFault[] => {
  const refusalFor = (id: number): string | undefined => {
    const found: Entity = { type: 'node', id, uuid: '', bundle: '', fields: {} }; // no field allows such a record
    const outcome = outcomeOf(of, valueFor(id), find === undefined ? undefined : found);
    return 'refused' in outcome ? outcome.refused : undefined;
  };
  const usual = refusalFor(1);
  if (usual === undefined) return [];
  const items = valueFor(1);
  // The real site answers 500 to a value that is an object.
  const isAdvice =
    Array.isArray(items) &&
    items.some((item) => isRecord(item) && Object.values(item).some((value) => typeof value === 'object'));
  const sent: FieldFault['sent'] = async (context) => {
    const id = (await find?.(context, of.field)) ?? context.subjects.absentId;
    return { value: valueFor(id), says: refusalFor(id) ?? usual };
  };
  return [{ name, words, sent, hasLine: !isAdvice && usual.startsWith(of.field.name), isAdvice }];
};

/** The wrong values of a field, as far as it refuses them. `null` and `[]` are among them for a required one. */
export const faultsOf = (of: FieldOf): readonly FieldFault[] =>
  [
    bareText,
    ...(of.field.configured ? [] : [bareNumber]),
    ...(of.field.required && of.field.configured ? nullRequired : []),
    ...itemRows(of.field),
  ].flatMap((row) => faultOf(of, row));
