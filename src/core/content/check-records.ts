/** Judges stored records, for `atoll check`, each import, fixtures, and a server whose site has changed. Nothing else does. */
import { recordModel } from '../model/record-model.ts';
import * as v from 'valibot';
import type { Bundle, Model } from '../model/bundle.ts';
import { collectionBounds, Problem } from '../../openapi/openapi-terms.ts';
import { entityTypes } from '../model/entity.ts';
import { roleOf } from '../site/permissions.ts';
import { initialRecords } from '../site-files/initial-records.ts';
import { isAffordable } from '../site/password-hash.ts';
import type { Site } from '../site/site.ts';
import { targetTypeOf } from '../fields/values.ts';
import { fieldTypeOf } from '../fields/field-types.ts';
import { isOfUpload, type RecordCheck, valueViolations } from './check-values.ts';
import { indexKeys, mediaOfWithTerm } from '../model/index-keys.ts';
import { readContentLocation } from './uploads/content-location.ts';
import {
  collectionRecord,
  idInCollection,
  type Counters,
  type Entity,
  entityKey,
  type EntityKey,
  type FieldItem,
  type Fields,
  firstValue,
  items,
  keyOf,
  textOf,
} from '../../openapi/openapi-records.ts';

/** `violations` are damage. `notes` are states that clients can bring about through the interface. */
export type CheckResult = { readonly violations: readonly string[]; readonly notes: readonly string[] };

const json = v.looseObject({});
const recordFields = v.record(v.string(), v.array(json));
const recordShape = v.strictObject({
  type: v.picklist(entityTypes),
  id: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  uuid: v.pipe(v.string(), v.uuid()),
  bundle: v.string(),
  fields: recordFields,
  translations: v.optional(v.record(v.pipe(v.string(), v.regex(/^[a-z]{2,3}(-[a-z0-9]+)*$/)), recordFields)),
  blob: v.optional(
    v.strictObject({
      key: v.string(),
      size: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
      sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
      width: v.optional(v.number()),
      height: v.optional(v.number()),
      // Earlier servers left them in the records of generic icons.
      hashes: v.optional(v.record(v.string(), v.string())),
    }),
  ),
  password: v.optional(
    v.pipe(v.string(), v.check(isAffordable, 'is not scrypt$N$r$p$salt$hash that a login can pay for')),
  ),
});

/** A record of a collection. Its value may be any JSON. */
const collectionShape = v.strictObject({
  type: v.literal('collection_record'),
  id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  uuid: v.literal(''),
  bundle: v.string(),
  fields: v.strictObject({
    id: v.tuple([v.strictObject({ value: v.string() })]),
    value: v.tuple([v.strictObject({ value: v.unknown() })]),
  }),
});

type Records = { readonly entities: Iterable<Entity>; readonly counters: Counters };

/** Checks records against the site, the counters and each other, in their order. With `judgesState` they must fit as a whole. */
export const checkRecords = (
  { entities, counters }: Records,
  site: Site,
  { judgesState = false }: { readonly judgesState?: boolean } = {},
): CheckResult => {
  const records = [...entities];
  const misshapen = new Map(records.map((record) => [record, shapeViolations(record, site.model)]));
  const wellFormed = records.filter((record) => misshapen.get(record)?.length === 0);
  const keys = new Set(wellFormed.map(keyOf));
  // A fixture comes without the terms and accounts of its site.
  const known = new Map([...initialRecords(site), ...wellFormed].map((record) => [keyOf(record), record]));
  const check: RecordCheck = { site, find: (key) => known.get(key), judgesState };
  return {
    violations: [
      ...records.flatMap((record) => misshapen.get(record) ?? []),
      ...identityViolations(wellFormed),
      ...wellFormed.flatMap((entity) => counterViolations(entity, counters)),
      ...wellFormed.flatMap((record) => contentViolations(record, check)),
    ],
    notes: [...wellFormed.flatMap((entity) => deadReferences(entity, site.model, keys)), ...sharedPairs(wellFormed)],
  };
};

/** What of one stored record the site refuses: its shape or, where that is right, what it holds. */
export const recordViolations = (record: Entity, check: RecordCheck): string[] => {
  const misshapen = shapeViolations(record, check.site.model);
  return misshapen.length > 0 ? misshapen : contentViolations(record, check);
};

/** The violations of a record whose shape is right. */
const contentViolations = (record: Entity, check: RecordCheck): string[] => {
  const uri = record.type === 'file' ? uriViolation(record, check.site) : undefined;
  return [...(uri === undefined ? [] : [uri]), ...valueViolations(record, check)];
};

const shapeViolations = (entity: Entity, model: Model): string[] => {
  const parsed = v.safeParse(entity.type === 'collection_record' ? collectionShape : recordShape, entity);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    return [`${keyOf(entity)}: ${v.getDotPath(issue) ?? 'the record'}: ${issue.message}`];
  }
  if (entity.type === 'collection_record') {
    return isTooLong(entity)
      ? [`${keyOf(entity)}: as JSON it has more than ${collectionBounds.recordBytes} bytes.`]
      : [];
  }
  const bundle = model.bundle(entity.type, entity.bundle);
  if (bundle === undefined) return [`${keyOf(entity)}: the site has no ${entity.type} bundle "${entity.bundle}".`];
  const translations = Object.entries(entity.translations ?? {});
  return [
    ...fieldViolations(entity, bundle, entity.fields),
    ...translations.flatMap(([language, fields]) => fieldViolations(entity, bundle, fields, `${language}: `)),
  ];
};

const fieldViolations = (entity: Entity, bundle: Bundle, fields: Fields, at = ''): string[] =>
  Object.entries(fields).flatMap(([name, stored]) => {
    const place = `${keyOf(entity)}: ${at}${name}`;
    const field = bundle.fields.get(name);
    if (field === undefined && isHidden(entity, name)) return [];
    if (field === undefined) return [`${place}: the bundle ${entity.bundle} has no such field.`];
    if (stored.length > field.cardinality) return [`${place}: ${stored.length} items, ${field.cardinality} allowed.`];
    const { main: required, hasAnyMember, added = [] } = fieldTypeOf(field);
    const isRole = field.target?.type === 'user_role';
    const isWhole = (item: FieldItem): boolean =>
      isRole ? roleOf(item) !== undefined : required in item || added.some((member) => member in item);
    const wrong = hasAnyMember === true ? -1 : stored.findIndex((item) => !isWhole(item));
    return wrong < 0 ? [] : [`${place}.${wrong}: "${required}" is missing.`];
  });

/** Its value as JSON in UTF-8. */
const isTooLong = (entity: Entity): boolean =>
  Buffer.byteLength(JSON.stringify(firstValue(entity, 'value'))) > collectionBounds.recordBytes;

/** The next upload finds its media also where the type lacks these fields. Earlier servers noted when an alias was changed. */
const isHidden = (entity: Entity, name: string): boolean =>
  isOfUpload(entity, name) || (name === 'changed' && (entity.type === 'path_alias' || entity.type === 'redirect'));

const identityViolations = (entities: readonly Entity[]): string[] => {
  const first = new Map<string, EntityKey>();
  return entities.flatMap((entity) => {
    const key = keyOf(entity);
    const named = entity.type === 'collection_record' ? idInCollection(entity) : entity.uuid;
    const unique =
      entity.type === 'collection_record' ? collectionRecord(entity.bundle, named) : `${entity.type} ${named}`;
    return [key, unique].flatMap((name) => {
      const other = first.get(name);
      first.set(name, other ?? key);
      if (other === undefined) return [];
      const what =
        name === key ? 'the id' : entity.type === 'collection_record' ? `the id in ${entity.bundle}` : 'the uuid';
      return [`${key}: ${what} is that of ${other} too.`];
    });
  });
};

const counterViolations = (entity: Entity, counters: Counters): string[] => {
  const known: Readonly<Record<string, number>> = counters;
  return Object.entries(recordModel.countersOf(entity))
    .filter(([counter, value]) => value > (known[counter] ?? 0))
    .map(([counter, value]) => `${keyOf(entity)}: ${value} is above the counter ${counter}, ${known[counter] ?? 0}.`);
};

const deadReferences = (entity: Entity, model: Model, keys: ReadonlySet<EntityKey>): string[] => {
  const fields = model.bundle(entity.type, entity.bundle)?.fields.values() ?? [];
  return [...fields].flatMap((field) => {
    const type = targetTypeOf(field);
    if (type === undefined) return [];
    return items(entity, field.name)
      .map((item) => item['target_id'])
      .filter((id) => typeof id === 'number')
      .filter((id) => !(type === 'user' && id === 0) && !keys.has(entityKey(type, id)))
      .map((id) => `${keyOf(entity)}: ${field.name} refers to ${type} ${id}, which is not there.`);
  });
};

/** Pairs of a node and a term with several media. An upload replaces the lowest media that the principal may edit. */
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

/** What is wrong with the uri, in one line. Undefined when an upload could have made it. */
const uriViolation = (file: Entity, site: Site): string | undefined => {
  const schemes = site.storages.map(({ scheme }) => scheme);
  const uri = textOf(firstValue(file, 'uri'));
  const [, scheme] = /^([a-z][a-z0-9_+.-]*):\/\//.exec(uri) ?? [];
  if (scheme !== undefined && !schemes.includes(scheme)) {
    return `${keyOf(file)}: uri: the site has no storage "${scheme}", only ${schemes.join(', ')}. Add it to its site.yml.`;
  }
  try {
    readContentLocation(Buffer.from(uri).toString('latin1'), schemes);
    return undefined;
  } catch (error) {
    if (error instanceof Problem)
      return `${keyOf(file)}: uri: ${JSON.stringify(uri.slice(0, 200))} is not a place for a file.`;
    throw error;
  }
};
