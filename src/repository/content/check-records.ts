/** Judges stored records, for `atoll check`, each import, fixtures, and a server whose site has changed. Nothing else does. */
import * as v from 'valibot';
import { faultAt, fieldFault, shapeFault, type StoredRecordFault } from '../../basics/records/record-faults.ts';
import { recordShape } from '../../basics/records/record-form.ts';
import type { Bundle, Model } from '../model/bundle.ts';
import { Problem } from '../../openapi/openapi-terms.ts';
import {
  counterFaults,
  formFaultsOfCollection,
  identityFaults,
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
  collectionRecordType,
} from '../../openapi/openapi-records.ts';
import { entityTypes } from '../model/entity.ts';
import { roleOf } from '../site/permissions.ts';
import { initialRecords } from '../site-files/initial-records.ts';
import { isAffordable } from '../site/password-hash.ts';
import type { Site } from '../site/site.ts';
import { targetTypeOf } from '../fields/values.ts';
import { fieldTypeOf } from '../fields/field-types.ts';
import { isOfUpload, type RecordCheck, valueFaults } from './check-values.ts';
import { indexKeys, mediaOfWithTerm } from '../model/index-keys.ts';
import { readContentLocation } from './uploads/content-location.ts';
import { recordModel } from '../model/record-model.ts';

/** `faults` are damage. `notes` are states that clients can bring about through the interface. */
export type CheckResult = { readonly faults: readonly StoredRecordFault[]; readonly notes: readonly string[] };

const contentShape = recordShape(
  entityTypes,
  v.pipe(v.string(), v.check(isAffordable, 'is not scrypt$N$r$p$salt$hash that a login can pay for')),
);

type Records = { readonly entities: Iterable<Entity>; readonly counters: Counters };

/** Checks records against the site, the counters and each other, in their order. With `judgesState` they must fit as a whole. */
export const checkRecords = (
  { entities, counters }: Records,
  site: Site,
  { judgesState = false }: { readonly judgesState?: boolean } = {},
): CheckResult => {
  const records = [...entities];
  const misshapen = new Map(records.map((record) => [record, formFaults(record, site.model)]));
  const wellFormed = records.filter((record) => misshapen.get(record)?.length === 0);
  const keys = new Set(wellFormed.map(keyOf));
  // A fixture comes without the terms and accounts of its site.
  const known = new Map([...initialRecords(site), ...wellFormed].map((record) => [keyOf(record), record]));
  const check: RecordCheck = { site, find: (key) => known.get(key), judgesState };
  return {
    faults: [
      ...records.flatMap((record) => misshapen.get(record) ?? []),
      ...identityFaults(wellFormed),
      ...wellFormed.flatMap((entity) => counterFaults(entity, counters, recordModel.countersOf)),
      ...wellFormed.flatMap((record) => contentFaults(record, check)),
    ],
    notes: [...wellFormed.flatMap((entity) => deadReferences(entity, site.model, keys)), ...sharedPairs(wellFormed)],
  };
};

/** What of one stored record the site refuses: its form or, where that is right, what it holds. */
export const recordFaults = (record: Entity, check: RecordCheck): readonly StoredRecordFault[] => {
  const misshapen = formFaults(record, check.site.model);
  return misshapen.length > 0 ? misshapen : contentFaults(record, check);
};

/** The faults of a record whose form is right. */
const contentFaults = (record: Entity, check: RecordCheck): StoredRecordFault[] => {
  const uri = record.type === 'file' ? uriFault(record, check.site) : undefined;
  return [...(uri === undefined ? [] : [fieldFault(record, 'uri', uri)]), ...valueFaults(record, check)];
};

const formFaults = (entity: Entity, model: Model): StoredRecordFault[] => {
  if (entity.type === collectionRecordType) return formFaultsOfCollection(entity);
  const misshapen = shapeFault(entity, contentShape);
  if (misshapen !== undefined) return [misshapen];
  const bundle = model.bundle(entity.type, entity.bundle);
  if (bundle === undefined)
    return [faultAt(entity, ['bundle'], `the site has no ${entity.type} bundle "${entity.bundle}".`)];
  const translations = Object.entries(entity.translations ?? {});
  return [
    ...fieldFaults(entity, bundle, entity.fields),
    ...translations.flatMap(([language, fields]) => fieldFaults(entity, bundle, fields, language)),
  ];
};

const fieldFaults = (entity: Entity, bundle: Bundle, fields: Fields, language?: string): StoredRecordFault[] =>
  Object.entries(fields).flatMap(([name, stored]) => {
    const fault = (path: string, message: string) => [fieldFault(entity, path, message, language)];
    const field = bundle.fields.get(name);
    if (field === undefined && isHidden(entity, name)) return [];
    if (field === undefined) return fault(name, `the bundle ${entity.bundle} has no such field.`);
    if (stored.length > field.cardinality) return fault(name, `${stored.length} items, ${field.cardinality} allowed.`);
    const { main: required, hasAnyMember, added = [] } = fieldTypeOf(field);
    const isRole = field.target?.type === 'user_role';
    const isWhole = (item: FieldItem): boolean =>
      isRole ? roleOf(item) !== undefined : required in item || added.some((member) => member in item);
    const wrong = hasAnyMember === true ? -1 : stored.findIndex((item) => !isWhole(item));
    return wrong < 0 ? [] : fault(`${name}.${wrong}`, `"${required}" is missing.`);
  });

/** The next upload finds its media also where the type lacks these fields. Earlier servers noted when an alias was changed. */
const isHidden = (entity: Entity, name: string): boolean =>
  isOfUpload(entity, name) || (name === 'changed' && (entity.type === 'path_alias' || entity.type === 'redirect'));

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
const uriFault = (file: Entity, site: Site): string | undefined => {
  const schemes = site.storages.map(({ scheme }) => scheme);
  const uri = textOf(firstValue(file, 'uri'));
  const [, scheme] = /^([a-z][a-z0-9_+.-]*):\/\//.exec(uri) ?? [];
  if (scheme !== undefined && !schemes.includes(scheme)) {
    return `the site has no storage "${scheme}", only ${schemes.join(', ')}. Add it to its site.yml.`;
  }
  try {
    readContentLocation(Buffer.from(uri).toString('latin1'), schemes);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return `${JSON.stringify(uri.slice(0, 200))} is not a place for a file.`;
    throw error;
  }
};
