/** Judges a whole repository of records at rest: shapes, ids, references. Nothing is repaired, bytes are not looked at. */
import * as v from 'valibot';
import type { Counter } from '../model/entity-store.ts';
import { entityKey, entityTypes, items, keyOf, revisionOf } from '../model/entity.ts';
import type { Entity, EntityKey, FieldName } from '../model/entity.ts';
import { mediaOfWithTerm, indexKeys } from './index-keys.ts';
import type { FieldDefinition, Model } from '../model/bundle.ts';

/** `faults` break a promise of the store; `notes` are states that the interface itself can bring about. */
export type Findings = { readonly faults: readonly string[]; readonly notes: readonly string[] };

const json = v.looseObject({});
const recordShape = v.strictObject({
  type: v.picklist(entityTypes),
  id: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  uuid: v.pipe(v.string(), v.uuid()),
  bundle: v.string(),
  fields: v.record(v.string(), v.pipe(v.array(json), v.minLength(1))),
  blob: v.optional(
    v.strictObject({
      key: v.string(),
      size: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
      sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
      width: v.optional(v.number()),
      height: v.optional(v.number()),
    }),
  ),
  password: v.optional(v.string()),
});

/** The records by the site's model, V5 of the counters, and what they refer to. In the order of the records. */
export const checkRecords = (
  entities: readonly Entity[],
  counters: Readonly<Partial<Record<Counter, number>>>,
  model: Model,
): Findings => {
  const misshapen: string[] = [];
  const whole = entities.filter((entity) => {
    const reasons = shapeFaults(entity, model);
    misshapen.push(...reasons);
    return reasons.length === 0;
  });
  const keys = new Set(whole.map(keyOf));
  return {
    faults: [...misshapen, ...identityFaults(whole), ...whole.flatMap((entity) => counterFaults(entity, counters))],
    notes: [...whole.flatMap((entity) => dangling(entity, model, keys)), ...sharedPairs(whole)],
  };
};

const shapeFaults = (entity: Entity, model: Model): string[] => {
  const parsed = v.safeParse(recordShape, entity);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    return [`${keyOf(entity)}: ${v.getDotPath(issue) ?? 'the record'}: ${issue.message}`];
  }
  const bundle = model.bundle(entity.type, entity.bundle);
  if (bundle === undefined) return [`${keyOf(entity)}: the site has no ${entity.type} bundle "${entity.bundle}".`];
  return Object.entries(entity.fields).flatMap(([name, sent]) => {
    const field = bundle.fields.get(name);
    if (field === undefined) return [`${keyOf(entity)}: ${name}: the bundle ${entity.bundle} has no such field.`];
    if (sent.length > field.cardinality)
      return [`${keyOf(entity)}: ${name}: ${sent.length} items, ${field.cardinality} allowed.`];
    const required = valueMember(field);
    const wrong = required === undefined ? -1 : sent.findIndex((item) => !(required in item));
    return wrong < 0 ? [] : [`${keyOf(entity)}: ${name}.${wrong}: "${required}" is missing.`];
  });
};

/** The member that no item of a field can do without. */
const valueMember = ({ type }: FieldDefinition): string | undefined =>
  ['entity_reference', 'typed_relation', 'file', 'image'].includes(type)
    ? 'target_id'
    : type === 'link'
      ? 'uri'
      : 'value';

const identityFaults = (entities: readonly Entity[]): string[] => {
  const first = new Map<string, EntityKey>();
  return entities.flatMap((entity) => {
    const key = keyOf(entity);
    return [key, `${entity.type} ${entity.uuid}`].flatMap((name) => {
      const other = first.get(name);
      first.set(name, other ?? key);
      return other === undefined ? [] : [`${key}: ${name === key ? 'the id' : 'the uuid'} is that of ${other} too.`];
    });
  });
};

const counterFaults = (entity: Entity, counters: Readonly<Partial<Record<Counter, number>>>): string[] => {
  const used: readonly (readonly [Counter, number])[] = [
    [entity.type, entity.id],
    [`${entity.type}_revision`, revisionOf(entity)],
  ];
  return used
    .filter(([counter, value]) => value > (counters[counter] ?? 0))
    .map(
      ([counter, value]) => `${keyOf(entity)}: ${value} is above the counter ${counter}, ${counters[counter] ?? 0}.`,
    );
};

const dangling = (entity: Entity, model: Model, keys: ReadonlySet<EntityKey>): string[] => {
  const fields = model.bundle(entity.type, entity.bundle)?.fields ?? new Map<FieldName, FieldDefinition>();
  return [...fields.values()].flatMap((field) => {
    const type = entityTypes.find((each) => each === (field.target?.type ?? fileType(field)));
    if (type === undefined) return [];
    return items(entity, field.name)
      .map((item) => item['target_id'])
      .filter((id) => typeof id === 'number')
      .filter((id) => !(type === 'user' && id === 0) && !keys.has(entityKey(type, id)))
      .map((id) => `${keyOf(entity)}: ${field.name} refers to ${type} ${id}, which is not there.`);
  });
};

const fileType = ({ type }: FieldDefinition): 'file' | undefined =>
  type === 'file' || type === 'image' ? 'file' : undefined;

/** Node and term with several media: an upload takes the lowest (decisions: Upload details). */
const sharedPairs = (entities: readonly Entity[]): string[] => {
  const pairs = new Map<string, number[]>();
  for (const media of entities.filter(({ type }) => type === 'media')) {
    for (const index of indexKeys(media).filter((name) => pairPattern.test(name))) {
      pairs.set(index, [...(pairs.get(index) ?? []), media.id]);
    }
  }
  return [...pairs]
    .filter(([, media]) => media.length > 1)
    .map(([index, media]) => {
      const [, node, term] = pairPattern.exec(index) ?? [];
      return `node:${node ?? ''} and taxonomy_term:${term ?? ''}: media ${media.join(', ')}; an upload replaces one of them.`;
    });
};

const pairPattern = new RegExp(`^${mediaOfWithTerm(0, 0).replaceAll('0', '(\\d+)')}$`);
