/** Records as plain objects and back: `node.title` instead of `node.title[0].value`. Their types are in `plain-types`. */
import { defaultFields } from './default-fields.ts';
import type { components } from '../generated/contract.ts';
import type { Plain, PlainBody } from './plain-types.ts';
import type { RecordKind, SiteFields } from './record-fields.ts';

type Schemas = components['schemas'];

/** A record as it is read, by kind. */
export type Records = {
  node: Schemas['Node'];
  media: Schemas['Media'];
  file: Schemas['File'];
  term: Schemas['Term'];
  user: Schemas['User'];
};

/** A body as it is sent, by kind; the other kinds cannot be written. */
export type Bodies = { node: Schemas['NodeUpdate']; media: Schemas['MediaUpdate']; term: Schemas['TermUpdate'] };

export type PlainNode = Plain<Records['node']>;
export type PlainMedia = Plain<Records['media']>;
export type PlainFile = Plain<Records['file']>;
export type PlainTerm = Plain<Records['term']>;
export type PlainUser = Plain<Records['user']>;

type Item = Readonly<Record<string, unknown>>;

/** The field that is the id of a record, by kind. `uid` is last: nodes have one too. */
const idFields: readonly (readonly [RecordKind, string])[] = [
  ['node', 'nid'],
  ['media', 'mid'],
  ['file', 'fid'],
  ['term', 'tid'],
  ['user', 'uid'],
];

/** What a JSON representation is a record of; undefined where it is none (a list, a graph). */
export const kindOf = (representation: unknown): RecordKind | undefined =>
  idFields.find(([, field]) => Array.isArray((Object(representation) as Item)[field]))?.[0]; // scalars have no members

/** Whether a representation is a record of this kind, such as one that a link led to. */
export const isRecord = <Kind extends RecordKind>(
  kind: Kind,
  representation: unknown,
): representation is Records[Kind] => kindOf(representation) === kind;

/**
 * A record as a plain object. Texts, numbers and booleans are themselves; times are `Date`s, references `{ id, type, uuid, url }`
 * with what stands beside them (`alt`, `rel_type`), links `{ uri, title }`, formatted text `{ value, format, processed }`,
 * bundles their machine names. An empty field is null, or `[]` where it may hold several. `site` is
 * that of another site (`readSiteFields`).
 */
export const plainOf = <Rec extends object>(record: Rec, site: SiteFields = defaultFields): Plain<Rec> => {
  const kind = kindOf(record);
  const many = kind === undefined ? [] : site[kind].many;
  return mapMembers(record, (items, field) => {
    if (!Array.isArray(items)) return items;
    const values = items.map((item: Item) => plainItem(item));
    // Of a field that the site's document does not know nothing is lost either.
    return many.includes(field) || values.length > 1 ? values : (values[0] ?? null);
  }) as Plain<Rec>; // the type says the same of each member
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
  if ('uri' in item) return { uri: item['uri'], title: item['title'] };
  if (format === 'Y-m-d\\TH:i:sP' && typeof value === 'string') return new Date(value);
  return Object.keys(item).length === 1 && 'value' in item ? value : item;
};

/** What `bodyOf` makes of a plain object: a member for each of its own; what may be undefined may be missing. */
export type BodyOf<Given, Body> = {
  [Field in keyof Given as Sent<Field, Given, Body, false>]: NonNullable<Body[Field & keyof Body]>;
} & { [Field in keyof Given as Sent<Field, Given, Body, true>]?: NonNullable<Body[Field & keyof Body]> };
type Sent<Field, Given, Body, MayBeMissing> = Field extends keyof Given & keyof Body
  ? (undefined extends Given[Field] ? true : false) extends MayBeMissing
    ? Field
    : never
  : never;

/** A given object has no members that the body does not have: a misspelt field is a compile error. */
type Known<Given, Body> = Given & { readonly [Field in Exclude<keyof Given, keyof Body>]: never };

/**
 * The body that a plain object means, for POST and PATCH. Takes all that `plainOf` gives, and for short a number or a machine name
 * for a reference, `{ uuid }`, a text for a link, ISO 8601 for a time. `null` empties a field; what is undefined is left
 * out. Where a reference has an `id` the `uuid` is not sent: a changed id would lose against it.
 */
export const bodyOf = <Kind extends keyof Bodies, Given extends PlainBody<Partial<Bodies[Kind]>, Records[Kind]>>(
  kind: Kind,
  plain: Known<Given, Bodies[Kind]>,
  site: SiteFields = defaultFields,
): BodyOf<Given, Bodies[Kind]> => {
  const { references, links } = site[kind];
  return mapMembers(plain, (value, field) => {
    if (value === undefined) return undefined;
    if (value === null) return [];
    const main = references.includes(field) ? 'target_id' : links.includes(field) ? 'uri' : 'value';
    return (Array.isArray(value) ? value : [value]).map((each: unknown) => itemOf(each, main));
  }) as BodyOf<Given, Bodies[Kind]>; // the type says the same of each member
};

const itemOf = (value: unknown, main: string): unknown => {
  if (value instanceof Date) return { value: `${value.toISOString().slice(0, 19)}+00:00` };
  if (typeof value !== 'object' || value === null) return { [main]: value };
  const { id, uuid, type, ...rest } = value as Item; // an object that is no Date
  if (main !== 'target_id' || (id === undefined && uuid === undefined)) return value;
  return id === undefined
    ? { target_uuid: uuid, ...(type === undefined ? {} : { target_type: type }), ...rest }
    : { target_id: id, ...rest };
};

/** A new object with the members that are not undefined after `change`. */
const mapMembers = (object: object, change: (value: unknown, name: string) => unknown): object =>
  Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      const changed = change(value, name);
      return changed === undefined ? [] : [[name, changed]];
    }),
  );
