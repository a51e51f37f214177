/** Checks whether the values of a record are ones that a client of this site could have sent. `check-records.ts` asks it of each record. */
import { areEqual } from '../../basics/equal-values.ts';
import { fieldFault, type StoredRecordFault } from '../../basics/records/record-faults.ts';
import {
  entityKey,
  type Entity,
  type EntityKey,
  type FieldItem,
  type FieldItems,
  type Fields,
} from '../../openapi/openapi-records.ts';
import type { Bundle, FieldDefinition } from '../model/bundle.ts';
import type { Violation } from '../../openapi/openapi-terms.ts';
import type { Site } from '../site/site.ts';
import { targetTypeOf } from '../fields/values.ts';
import { areEmpty, fieldTypeOf } from '../fields/field-types.ts';
import { violationsOf } from './fields/field-violations.ts';
import { identityOf } from '../model/entity.ts';

/** What the check of a record can use. */
export type RecordCheck = {
  readonly site: Site;
  /** Finds what a reference leads to. */
  readonly find: (key: EntityKey) => Entity | undefined;
  /**
   * Whether also the state of a record is judged, which changes of others can bring about in a living repository: a
   * reference to what is gone, a required field without a value; or of these the fields alone.
   */
  readonly judgesState: boolean | 'required';
};

/** A fault for each value of the record that the site refuses. */
export const valueFaults = (record: Entity, check: RecordCheck): StoredRecordFault[] => {
  const bundle = check.site.model.bundle(record.type, record.bundle);
  if (bundle === undefined) return [];
  const { id, bundle: bundleField } = identityOf(record.type);
  const fields = [...bundle.fields.values()].filter(
    (field) =>
      ![id, bundleField, 'uuid'].includes(field.name) &&
      !isOfAccount(record, field) &&
      !isDerived(record, field) &&
      !(check.judgesState !== true && isOfUpload(record, field.name)),
  );
  return [
    ...violationsIn(record.fields, { fields, bundle }, check).map(({ path, message }) =>
      fieldFault(record, path, message),
    ),
    ...Object.entries(record.translations ?? {}).flatMap(([language, translated]) => {
      const own = fields.filter(({ name }) => translated[name] !== undefined);
      return violationsIn(translated, { fields: own, bundle }, check).map(({ path, message }) =>
        fieldFault(record, path, message, language),
      );
    }),
  ];
};

type JudgedFields = { readonly fields: readonly FieldDefinition[]; readonly bundle: Bundle };

const violationsIn = (
  stored: Fields,
  { fields, bundle }: JudgedFields,
  { site, find, judgesState }: RecordCheck,
): readonly Violation[] => {
  const foreign = fields.flatMap((field) => foreignValues(stored[field.name] ?? [], field));
  if (foreign.length > 0) return foreign;
  const itemsOf = (name: string): FieldItems => {
    const items = stored[name] ?? [];
    const field = bundle.fields.get(name);
    const type = field && targetTypeOf(field);
    if (judgesState === true || type === undefined) return items;
    return items.filter((item) => find(entityKey(type, Number(item['target_id']))) !== undefined);
  };
  const judged = fields.filter((field) => judgesState !== false || !areEmpty(itemsOf(field.name), field));
  const names = new Set(judged.map(({ name }) => name));
  const { languages, textFormats } = site;
  const context = { find, mayReference: () => true, mayView: () => true, languages, textFormats };
  return violationsOf(bundle, names, itemsOf, context);
};

/** What an upload was for, which is any node and any term: they are in its path. */
export const isOfUpload = ({ type }: Entity, name: string): boolean =>
  type === 'media' && (name === 'field_media_of' || name === 'field_media_use');

/** What no client sends: roles, which have names for ids, and the name of the anonymous visitor, which is empty. */
const isOfAccount = ({ type, id }: Entity, { name, target }: FieldDefinition): boolean =>
  target?.type === 'user_role' || (type === 'user' && id === 0 && name === 'name');

/** A record without a state has the one that goes with whether it is published. */
const isDerived = ({ fields }: Entity, { name, workflow }: FieldDefinition): boolean =>
  workflow !== undefined && fields[name] === undefined;

/** Values that a field of this type does not keep: members that it does not have, or values of another JSON type. */
const foreignValues = (items: FieldItems, { name, type, default: usual }: FieldDefinition): Violation[] => {
  // A default is kept as the site has written it.
  if (items.length === 0 || areEqual(items, usual)) return [];
  return items.flatMap((item, delta) => {
    const { store, added = [] } = fieldTypeOf({ type });
    const kept = store(item);
    const wrong = Object.keys(item).find((property) => !added.includes(property) && isForeign(item, kept, property));
    return wrong === undefined
      ? []
      : [
          {
            path: `${name}.${delta}.${wrong}`,
            message: `${JSON.stringify(item[wrong])} is not a value of a field of type ${type}.`,
          },
        ];
  });
};

const isForeign = (item: FieldItem, kept: FieldItem, property: string): boolean =>
  (item[property] ?? null) !== null && JSON.stringify(kept[property]) !== JSON.stringify(item[property]);
