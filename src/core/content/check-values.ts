/** Checks whether the values of records are ones that a client of this site could have sent. `check-records.ts` checks shapes. */
import { areEqual } from '../../basics/equal-values.ts';
import { entityKey, identityFields, keyOf } from '../model/entity.ts';
import type { Entity, EntityKey, FieldItem, FieldItems } from '../model/entity.ts';
import type { FieldDefinition } from '../model/bundle.ts';
import type { Site } from '../site/site.ts';
import { targetTypeOf } from '../fields/values.ts';
import type { ValidationContext } from '../fields/rule.ts';
import { fieldTypeOf } from '../fields/field-types.ts';
import { violationsOf } from './fields/field-violations.ts';

type ValueCheck = {
  readonly site: Site;
  /** Finds what a reference leads to. */
  readonly find: (key: EntityKey) => Entity | undefined;
  /**
   * Whether also the state of a record is judged, which changes of others can bring about in a living repository: a
   * reference to what is gone, a required field without a value; or of these the fields alone.
   */
  readonly judgesState: boolean | 'required';
};

/** One line for each value that the site's model refuses, in the order of the records. */
export const valueViolations = (records: readonly Entity[], check: ValueCheck): string[] => {
  const { site, find } = check;
  const context: ValidationContext = {
    find,
    mayReference: () => true,
    mayView: () => true,
    languages: site.languages,
    textFormats: site.textFormats,
  };
  return records.flatMap((record) => recordViolations(record, check, context));
};

/** What of stored records another site than the one that took them would refuse: bundles that it lacks, and values. */
export const unfitRecords = (records: readonly Entity[], site: Site, find: ValueCheck['find']): string[] =>
  records.flatMap((record) =>
    site.model.bundle(record.type, record.bundle) === undefined
      ? [`${keyOf(record)}: the site has no ${record.type} bundle "${record.bundle}".`]
      : valueViolations([record], { site, find, judgesState: 'required' }),
  );

const recordViolations = (record: Entity, check: ValueCheck, context: ValidationContext): string[] => {
  const { site, find, judgesState } = check;
  const bundle = site.model.bundle(record.type, record.bundle);
  if (bundle === undefined) return [];
  const { id, bundle: bundleField } = identityFields[record.type];
  const fields = [...bundle.fields.values()].filter(
    (field) =>
      ![id, bundleField, 'uuid'].includes(field.name) && !isOfAccount(record, field) && !isDerived(record, field),
  );
  const foreign = fields.flatMap((field) => foreignValues(record, field));
  if (foreign.length > 0) return foreign;
  const itemsOf = (name: string): FieldItems => {
    const items = record.fields[name] ?? [];
    const field = bundle.fields.get(name);
    const type = field && targetTypeOf(field);
    if (judgesState === true || type === undefined) return items;
    return items.filter((item) => find(entityKey(type, Number(item['target_id']))) !== undefined);
  };
  const names = new Set(
    fields.map(({ name }) => name).filter((name) => judgesState !== false || itemsOf(name).length > 0),
  );
  return violationsOf(bundle, names, itemsOf, context).map(
    ({ path, message }) => `${keyOf(record)}: ${path}: ${message}`,
  );
};

/** What no client sends: roles, which have names for ids, and the name of the anonymous visitor, which is empty. */
const isOfAccount = ({ type, id }: Entity, { name, target }: FieldDefinition): boolean =>
  target?.type === 'user_role' || (type === 'user' && id === 0 && name === 'name');

/** A record without a state has the one that goes with whether it is published. */
const isDerived = ({ fields }: Entity, { name, workflow }: FieldDefinition): boolean =>
  workflow !== undefined && fields[name] === undefined;

/** Values that a field of this type does not keep: members that it does not have, or values of another JSON type. */
const foreignValues = (record: Entity, { name, type, default: usual }: FieldDefinition): string[] => {
  const items = record.fields[name] ?? [];
  // A default is kept as the site has written it.
  if (items.length === 0 || areEqual(items, usual)) return [];
  return items.flatMap((item, delta) => {
    const { store, added = [] } = fieldTypeOf({ type });
    const kept = store(item);
    const wrong = Object.keys(item).find((property) => !added.includes(property) && isForeign(item, kept, property));
    return wrong === undefined
      ? []
      : [
          `${keyOf(record)}: ${name}.${delta}.${wrong}: ${JSON.stringify(item[wrong])} is not a value of a field of type ${type}.`,
        ];
  });
};

const isForeign = (item: FieldItem, kept: FieldItem, property: string): boolean =>
  (item[property] ?? null) !== null && JSON.stringify(kept[property]) !== JSON.stringify(item[property]);
