/** Converts records to plain objects and back: `node.title` instead of `node.title[0].value`. */
import { defaultFields } from './generated/default-fields.ts';
import type { DefaultBundles } from './generated/bundles.ts';
import type { components } from './generated/contract.ts';
import type { Plain, PlainBody } from './plain-types.ts';
import type { RecordKind, SiteFields } from './record-fields.ts';

type Schemas = components['schemas'];

/** The record types by kind. */
export type Records = { [Kind in RecordKind]: Schemas[`${Capitalize<Kind>}Record`] };

/** The body types by kind. The other kinds cannot be written. */
export type Bodies = { node: Schemas['NodeUpdate']; media: Schemas['MediaUpdate']; term: Schemas['TermUpdate'] };

type BundleFields = { node: 'type'; media: 'bundle'; term: 'vid' };

/**
 * A body of a new record of one bundle of the default site: `NewRecord<'media', 'image'>`. It has the fields of the bundle
 * alone, and needs its required ones. For other sites generate types from their documents.
 */
export type NewRecord<Kind extends keyof Bodies, Bundle extends keyof DefaultBundles[Kind]> = NewBody<
  Schemas[`${Capitalize<Kind>}Create`],
  DefaultBundles[Kind][Bundle],
  BundleFields[Kind],
  Bundle
>;
type NewBody<Body, Names, BundleField extends string, Bundle> = Names extends {
  lacks: infer Lacked;
  needs: infer Needed;
}
  ? Omit<Body, (Lacked & string) | (Needed & string) | BundleField> &
      Required<Pick<Body, Exclude<Needed, BundleField> & keyof Body>> & { [_ in BundleField]: [{ target_id: Bundle }] }
  : never;

/** The fields of the bundles that an input may be of: of every bundle, when it names none that is known. */
type FieldOf<Kind extends keyof Bodies, Input> = Input extends { readonly [_ in BundleFields[Kind]]: infer Bundle }
  ? [Bundle] extends [keyof DefaultBundles[Kind]]
    ? FieldIn<keyof Bodies[Kind], DefaultBundles[Kind][Bundle]>
    : keyof Bodies[Kind]
  : keyof Bodies[Kind];
type FieldIn<Field, Names> = Names extends { lacks: infer Lacked } ? Exclude<Field, Lacked> : never;

export type PlainNode = Plain<Records['node']>;
export type PlainMedia = Plain<Records['media']>;
export type PlainFile = Plain<Records['file']>;
export type PlainTerm = Plain<Records['term']>;
export type PlainUser = Plain<Records['user']>;

type Item = Readonly<Record<string, unknown>>;

/** The id field of each kind. `uid` comes last, because nodes have one too. */
const idFields: readonly (readonly [RecordKind, string])[] = [
  ['node', 'nid'],
  ['media', 'mid'],
  ['file', 'fid'],
  ['term', 'tid'],
  ['user', 'uid'],
];

/** The kind of record that a JSON representation shows. Undefined when it is not a record, such as a list or a graph. */
export const kindOf = (representation: unknown): RecordKind | undefined =>
  idFields.find(([, field]) => Array.isArray((Object(representation) as Item)[field]))?.[0]; // scalars have no fields

/** Whether a representation is a record of this kind. */
export const isRecord = <Kind extends RecordKind>(
  kind: Kind,
  representation: unknown,
): representation is Records[Kind] => kindOf(representation) === kind;

/**
 * Converts a record to a plain object. Texts, numbers and booleans stay as they are. Times become `Date`s; references become
 * `{ id, type, uuid, url }` with their other properties (`alt`, `rel_type`); links `{ uri, title }`; formatted texts
 * `{ value, format, processed }`; bundles their machine names. An empty field is null, or `[]` if it can hold several
 * values. `site` describes the fields of another site (`readSiteFields`).
 */
export const plainOf = <Rec extends object>(record: Rec, site: SiteFields = defaultFields): Plain<Rec> => {
  const kind = kindOf(record);
  const many = kind === undefined ? [] : site[kind].many;
  return mapProperties(record, (items, field) => {
    if (!Array.isArray(items)) return items;
    const values = items.map((item: Item) => plainItem(item));
    // Keeps all values of a field that the site's document does not describe.
    return many.includes(field) || values.length > 1 ? values : (values[0] ?? null);
  }) as Plain<Rec>; // the type says the same of each field
};

const plainItem = (item: Item): unknown => {
  const { value, format, target_id, target_type, target_uuid, ...rest } = item;
  if ('target_id' in item) {
    if (typeof target_id === 'string') return target_id;
    return {
      id: target_id,
      ...(target_type === undefined ? {} : { type: target_type }),
      ...(target_uuid === undefined ? {} : { uuid: target_uuid }),
      ...rest,
    };
  }
  // What a term that has no description is read with.
  if (value === null && 'processed' in item) return null;
  if ('uri' in item) return { uri: item['uri'], title: item['title'] };
  if (format === 'Y-m-d\\TH:i:sP' && typeof value === 'string') return new Date(value);
  return Object.keys(item).length === 1 && 'value' in item ? value : item;
};

/** The body that `bodyOf` makes from a plain object. A field that may be undefined may be missing. */
export type BodyOf<Input, Body> = {
  [Field in keyof Input as Sent<Field, Input, Body, false>]: NonNullable<Body[Field & keyof Body]>;
} & { [Field in keyof Input as Sent<Field, Input, Body, true>]?: NonNullable<Body[Field & keyof Body]> };
type Sent<Field, Input, Body, MayBeMissing> = Field extends keyof Input & keyof Body
  ? (undefined extends Input[Field] ? true : false) extends MayBeMissing
    ? Field
    : never
  : never;

/** Forbids fields that the bundle does not have, so that a misspelt field is a compile error. */
type Known<Kind extends keyof Bodies, Input> = Input & {
  readonly [Field in Exclude<keyof Input, FieldOf<Kind, Input>>]: never;
};

/**
 * Converts a plain object to a body for POST and PATCH. Accepts everything that `plainOf` returns, and short forms: a number,
 * a machine name or `{ uuid }` for a reference, a text for a link, ISO 8601 for a time. `null` empties a field, and undefined
 * leaves it out. If a reference has an `id`, its `uuid` is not sent: the server would prefer it to a changed id.
 */
export const bodyOf = <Kind extends keyof Bodies, const Input extends PlainBody<Partial<Bodies[Kind]>, Records[Kind]>>(
  kind: Kind,
  plain: Known<Kind, Input>,
  site: SiteFields = defaultFields,
): BodyOf<Input, Bodies[Kind]> => {
  const { references, links } = site[kind];
  return mapProperties(plain, (value, field) => {
    if (value === undefined) return undefined;
    if (value === null) return [];
    const main = references.includes(field) ? 'target_id' : links.includes(field) ? 'uri' : 'value';
    return (Array.isArray(value) ? value : [value]).map((each: unknown) => itemOf(each, main));
  }) as BodyOf<Input, Bodies[Kind]>; // the type says the same of each field
};

const itemOf = (value: unknown, main: string): unknown => {
  if (value instanceof Date) return { value: `${value.toISOString().slice(0, 19)}+00:00` };
  if (typeof value !== 'object' || value === null) return { [main]: value };
  const { id, uuid, type, ...rest } = value as Item; // an object, and not a Date
  if (main !== 'target_id' || (id === undefined && uuid === undefined)) return value;
  return id === undefined
    ? { target_uuid: uuid, ...(type === undefined ? {} : { target_type: type }), ...rest }
    : { target_id: id, ...rest };
};

/** Returns a new object with the changed properties, without those that become undefined. */
const mapProperties = (object: object, change: (value: unknown, name: string) => unknown): object =>
  Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      const changed = change(value, name);
      return changed === undefined ? [] : [[name, changed]];
    }),
  );
