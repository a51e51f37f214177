/** The fields of a kind of record that checks send values for, and what a site does with values of them, by Atoll's rules of their types. */
import { readFields, violationsOf } from '../../../../repository/repository-content.ts';
import { fieldTypeOf, type FieldDefinition } from '../../../../repository/repository.ts';
import { CheckSkip } from '../../answer.ts';
import type { JsonRecord } from '../../record-members.ts';
import type { RecordKind } from './record-kinds.ts';
import type { Entity, FieldItem } from '../../../../openapi/openapi-records.ts';
import { Problem } from '../../../../openapi/openapi-terms.ts';
import type { Json, JsonObject } from '../../../../basics/json.ts';

export type FieldOf = { readonly kind: RecordKind; readonly field: FieldDefinition };

/** Only those who wrote a site's model know who may set a field with permissions of its own. */
const isOpen = ({ access = 'public', configured, type }: FieldDefinition): boolean =>
  access === 'public' && configured && type !== 'other' && type !== 'comment' && type !== 'metatag';

/** A minimal record shows a field that its file fills; its values are the subject of other checks. */
export const fieldsOf = (kind: RecordKind): readonly FieldOf[] =>
  [...kind.bundle.fields.values()].filter(isOpen).map((field) => ({ kind, field }));

export const placeOf = ({ kind, field }: FieldOf): string => `${kind.word}.${kind.bundle.id}.${field.name}`;
export const sentenceOf = ({ kind, field }: FieldOf): string =>
  `"${field.label}" (${field.name}) of ${kind.bundle.id} ${kind.word}`;

/** A value for each field of a kind, where there is one; a check cannot make all of them. */
export const valuesFor = async (kind: RecordKind, valueOf: (of: FieldOf) => unknown): Promise<JsonRecord> => {
  const values: Record<string, unknown> = {};
  for (const of of fieldsOf(kind)) {
    try {
      const value = await valueOf(of);
      if (value !== undefined) values[of.field.name] = value;
    } catch (error) {
      if (!(error instanceof CheckSkip)) throw error;
    }
  }
  return values;
};

/** `shown` has the members that were sent. `refused` is the message, or the first line of it. */
type Outcome = { readonly shown: readonly JsonObject[] } | { readonly refused: string };

/** Values that lead to no records need none. */
const records = { get: () => undefined, lookup: () => [], later: () => undefined };

/**
 * What a site shows of values, or how it refuses them, by the rules that Atoll has of the type. `found` is what a reference leads to; nothing when it is
 * left out.
 */
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
