/** Says what a site does with values of a field, by the rules that Atoll has of its type: what it shows of them, or how it refuses them. */
import { readFields } from '../../../../core/content/fields/denormalise.ts';
import { violationsOf } from '../../../../core/content/fields/field-violations.ts';
import { fieldTypeOf } from '../../../../core/fields/field-types.ts';
import type { Entity, FieldItem, Json, JsonObject } from '../../../../core/model/entity.ts';
import { Problem } from '../../../../core/problem.ts';
import type { FieldOf } from './fields-of.ts';

/** `shown` has the members that were sent. `refused` is the message, or the first line of it. */
type Outcome = { readonly shown: readonly JsonObject[] } | { readonly refused: string };

/** Values that lead to no records need none. */
const records = { get: () => undefined, lookup: () => [], later: () => undefined };

/** `found` is what a reference leads to; nothing when it is left out. */
export const outcomeOf = ({ kind: { bundle, site }, field }: FieldOf, sent: Json, found?: Entity): Outcome => {
  const context = {
    ...{ find: () => found, mayReference: () => true, mayView: () => true },
    ...{ languages: site.languages, textFormats: site.textFormats },
  };
  try {
    const read = readFields({ [field.name]: sent }, bundle, { idOf: () => undefined, now: 0 }).get(field.name) ?? [];
    const [first] = violationsOf(bundle, new Set([field.name]), () => read, context);
    if (first !== undefined) return { refused: `${first.path}: ${first.message}` };
    return { shown: read.map((item, at) => shownOf(item, { site, field, sent: sentItem(sent, at) })) };
  } catch (error) {
    if (error instanceof Problem) return { refused: error.message };
    throw error;
  }
};

const sentItem = (sent: Json, at: number): object => {
  const item: unknown = Array.isArray(sent) ? sent[at] : undefined;
  return typeof item === 'object' && item !== null ? item : {};
};

type Shown = Pick<FieldOf, 'field'> & { readonly site: FieldOf['kind']['site']; readonly sent: object };

const shownOf = (item: FieldItem, { site, field, sent }: Shown): JsonObject => {
  const { store, json = (kept: FieldItem) => kept } = fieldTypeOf(field);
  const whole = json(store(item), { site, baseUrl: '', basePath: '', records }, field);
  return Object.fromEntries(Object.entries(whole).filter(([name]) => name in sent));
};
