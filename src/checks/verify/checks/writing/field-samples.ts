/** Lists right values of a field, up to its bounds, and what the record shows of them. */
import { fieldTypeOf, type FieldDefinition } from '../../../../repository/repository.ts';
import { CheckSkip, shown } from '../../answer.ts';
import type { CheckContext } from '../../check.ts';
import { type FieldOf, outcomeOf } from './fields-of.ts';
import { targetsOf, uuidOf } from './known-terms.ts';
import { recordPath } from '../reading/seen-records.ts';
import type { JsonRecord } from '../../record-members.ts';
import type { FieldItem } from '../../../../openapi/openapi-records.ts';
import type { JsonObject } from '../../../../basics/json.ts';

/** `shown` are members that the items of the record must have afterwards; the sent ones when it is left out. */
export type FieldSample = {
  readonly name: string;
  readonly words: string;
  readonly items: (context: CheckContext) => Promise<readonly JsonRecord[]>;
  readonly shown?: (context: CheckContext) => Promise<readonly JsonRecord[]>;
};

/** A field that wants a role takes no reference without one. */
export const withRole = <T extends JsonRecord>(field: FieldDefinition, reference: T): T | (T & JsonObject) =>
  fieldTypeOf(field).refers === 'with-role'
    ? { ...reference, rel_type: field.relations?.[0] ?? 'relators:aut' }
    : reference;

/** The UUID of a target of the field. */
const uuidIn = async (context: CheckContext, { target }: FieldDefinition, id: number): Promise<string> => {
  if (target?.type !== 'node' && target?.type !== 'media' && target?.type !== 'taxonomy_term') {
    throw new CheckSkip('The target of the field cannot be read.');
  }
  return uuidOf(context, recordPath(context, target.type, id));
};

type Ids = readonly [number, number];
type Make = (ids: Ids, field: FieldDefinition, context: CheckContext) => readonly JsonRecord[] | Promise<JsonRecord[]>;

/** References to two records that the field may hold. */
const references: readonly (readonly [name: string, words: string, items: Make, shown?: Make])[] = [
  [
    ...(['by-id', 'by target_id and target_type'] as const),
    ([id], { target }) => [{ target_id: id, target_type: target?.type }],
  ],
  [
    ...(['by-id-text', 'by a target_id that is a text of digits'] as const),
    ([id]) => [{ target_id: String(id) }],
    ([id]) => [{ target_id: id }],
  ],
  [
    ...(['by-uuid', 'by target_uuid alone'] as const),
    async ([, id], field, context) => [{ target_uuid: await uuidIn(context, field, id) }],
    ([, id]) => [{ target_id: id }],
  ],
  ['two', 'with two records, in their order', ([first, second]) => [{ target_id: second }, { target_id: first }]],
];

const referring = ({ field }: FieldOf): readonly FieldSample[] =>
  references
    .filter(([name]) => name !== 'two' || field.cardinality > 1)
    .map(([name, words, items, isShownAs]) => {
      const made = (make: Make) => async (context: CheckContext) =>
        make(await targetsOf(context, field), field, context);
      const sent = async (context: CheckContext) => (await made(items)(context)).map((item) => withRole(field, item));
      return { name, words, items: sent, shown: isShownAs === undefined ? sent : made(isShownAs) };
    });

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
  return refers === 'plainly' || refers === 'with-role' ? referring(of) : triedOf(of);
};

/** As many different items as make a list too long. Undefined where a check cannot make them. */
export const manyItems = async (
  context: CheckContext,
  of: FieldOf,
  count: number,
): Promise<readonly JsonRecord[] | undefined> => {
  const [first] = samplesOf(of);
  if (first === undefined) return undefined;
  const [item = {}] = await first.items(context);
  const { isFreeText = false, main } = fieldTypeOf(of.field);
  return Array.from({ length: count }, (_, index) => (isFreeText ? { [main]: `value ${index}` } : item));
};
