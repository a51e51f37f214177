/** Lists right values of a field, up to its bounds, and what the record shows of them. */
import { fieldTypeOf } from '../../../../core/fields/field-types.ts';
import type { FieldDefinition } from '../../../../core/model/bundle.ts';
import type { FieldItem } from '../../../../core/model/entity.ts';
import { CheckSkip, shown } from '../../answer.ts';
import type { CheckContext } from '../../check.ts';
import { outcomeOf } from './field-oracle.ts';
import type { FieldOf } from './fields-of.ts';
import { targetsOf, uuidOf } from './known-terms.ts';
import { recordPath } from '../reading/seen-records.ts';
import type { JsonRecord } from '../../record-members.ts';

/** `shown` are members that the items of the record must have afterwards; the sent ones when it is left out. */
export type FieldSample = {
  readonly name: string;
  readonly words: string;
  readonly items: (context: CheckContext, field: FieldDefinition) => Promise<readonly JsonRecord[]>;
  readonly shown?: (context: CheckContext, field: FieldDefinition) => Promise<readonly JsonRecord[]>;
};

/** A field that wants a role takes no reference without one. */
export const withRole = (field: FieldDefinition, reference: JsonRecord): JsonRecord =>
  fieldTypeOf(field).refers === 'with-role'
    ? { ...reference, rel_type: field.relations?.[0] ?? 'relators:aut' }
    : reference;

/** Where a target of the field is. */
const targetPath = (context: CheckContext, { target }: FieldDefinition, id: number): string => {
  if (target?.type !== 'node' && target?.type !== 'media' && target?.type !== 'taxonomy_term') {
    throw new CheckSkip('The target of the field cannot be read.');
  }
  return recordPath(context, target.type, id);
};

const references: readonly FieldSample[] = [
  {
    ...{ name: 'by-id', words: 'by target_id and target_type' },
    items: async (context, field) => {
      const [id] = await targetsOf(context, field);
      return [withRole(field, { target_id: id, target_type: field.target?.type })];
    },
  },
  {
    ...{ name: 'by-id-text', words: 'by a target_id that is a text of digits' },
    items: async (context, field) => {
      const [id] = await targetsOf(context, field);
      return [withRole(field, { target_id: String(id) })];
    },
    shown: async (context, field) => [{ target_id: (await targetsOf(context, field))[0] }],
  },
  {
    ...{ name: 'by-uuid', words: 'by target_uuid alone' },
    items: async (context, field) => {
      const [, id] = await targetsOf(context, field);
      return [withRole(field, { target_uuid: await uuidOf(context, targetPath(context, field, id)) })];
    },
    shown: async (context, field) => [{ target_id: (await targetsOf(context, field))[1] }],
  },
];

const twoReferences: FieldSample = {
  ...{ name: 'two', words: 'with two records, in their order' },
  items: async (context, field) => {
    const [first, second] = await targetsOf(context, field);
    return [withRole(field, { target_id: second }), withRole(field, { target_id: first })];
  },
};

/** What the type of the field tries, as far as the field takes it. */
const triedOf = (of: FieldOf): readonly FieldSample[] =>
  (fieldTypeOf(of.field).trials?.(of.field).taken ?? []).flatMap((item: FieldItem, at) => {
    const outcome = outcomeOf(of, [item]);
    if (!('shown' in outcome)) return [];
    const sample = { name: `value-${at + 1}`, words: `with ${shown(item)}` };
    return [{ ...sample, items: () => Promise.resolve([item]), shown: () => Promise.resolve(outcome.shown) }];
  });

/** The right values of a field. Fields whose values a check cannot make have none. */
export const samplesOf = (of: FieldOf): readonly FieldSample[] => {
  const { refers } = fieldTypeOf(of.field);
  return refers === 'plainly' || refers === 'with-role'
    ? [...references, ...(of.field.cardinality > 1 ? [twoReferences] : [])]
    : triedOf(of);
};

/** As many different items as make a list too long. Undefined where a check cannot make them. */
export const manyItems = async (
  context: CheckContext,
  of: FieldOf,
  count: number,
): Promise<readonly JsonRecord[] | undefined> => {
  const [first] = samplesOf(of);
  if (first === undefined) return undefined;
  const [item = {}] = await first.items(context, of.field);
  const { isFreeText = false, main } = fieldTypeOf(of.field);
  return Array.from({ length: count }, (_, index) => (isFreeText ? { [main]: `value ${index}` } : item));
};
