/**
 * Takes the parts that schemas have in common out of them, so that each is compiled once. A reference would do that too, but
 * then errors would name the rule by another path.
 */
import { isRecord } from '../../basics/json.ts';

export type Schema = { readonly [keyword: string]: unknown };

/** The keyword that stands for a shared part. */
export const sharedKeyword = 'x-shared-part';

/** Its value. Errors name a rule by `path` and its place in the part; without `path` by the place of the keyword. */
export type PartUse = { readonly key: string; readonly path?: string };

export type SharedSchemas = {
  /** In the order of those that were given. */
  readonly schemas: readonly Schema[];
  /** The parts by their keys. A part may use others in turn. */
  readonly parts: ReadonlyMap<string, Schema>;
};

/** Schemas that differ only in notes for people have their parts in common. References in them begin with `#/`. */
export const shareSchemas = (schemas: readonly Schema[]): SharedSchemas => {
  const sharing: Sharing = { targets: new Map(), uses: new Map(), keys: new Map() };
  const roots = schemas.map(withoutNotes).map((schema) => {
    const plain = withoutReferences(schema, schema, sharing);
    return { ...freeSpot(plain), references: referencesIn(plain) };
  });
  for (const root of roots) countUses(root, sharing);
  for (const [text, schema] of sharing.targets) countTarget(text, schema, sharing);
  const parts = new Map<string, Schema>();
  const shared = roots.map((root) => shareSpot(root, sharing, parts));
  for (const [text, schema] of sharing.targets)
    parts.set(keyOf(text, sharing), shareInside(freeSpot(schema), sharing, parts));
  return { schemas: shared, parts };
};

type Sharing = {
  /** The targets of references that are parts now, by their texts. */
  readonly targets: Map<string, Schema>;
  /** How often each possible part is used, by its text. What is inside of a part counts once. */
  readonly uses: Map<string, number>;
  /** The keys of the parts, by their texts. */
  readonly keys: Map<string, string>;
};

const keyOf = (text: string, { keys }: Sharing): string => {
  const key = keys.get(text) ?? `part${keys.size}`;
  keys.set(text, key);
  return key;
};

/**
 * Uses parts in place of references. Ajv puts the target in place of a reference, and names its rules by the path of the
 * reference, unless there is a reference in the target. Those references stay.
 */
const withoutReferences = (schema: Schema, root: Schema, sharing: Sharing): Schema => {
  const { $ref: path } = schema;
  if (typeof path !== 'string') return mapChildren(schema, (child) => withoutReferences(child, root, sharing));
  const target = targetOf(path, root);
  if (target === undefined || hasReference(target)) return schema;
  const text = JSON.stringify(target);
  sharing.targets.set(text, target);
  return useOf({ key: keyOf(text, sharing), path });
};

const useOf = (use: PartUse): Schema => ({ [sharedKeyword]: use });

const targetOf = (path: string, root: Schema): Schema | undefined => {
  let found: unknown = root;
  for (const step of path.split('/').slice(1)) {
    found = typeof found === 'object' && found !== null ? (found as Schema)[step] : undefined; // an object or a list
  }
  return isRecord(found) ? found : undefined;
};

const hasReference = (schema: Schema): boolean => JSON.stringify(schema).includes('"$ref":');

/** A schema at its place in a whole one, and the references in that one. */
type Spot = { readonly schema: Schema; readonly place: string; readonly references: readonly string[] };

const spotBelow = ({ place, references }: Spot, schema: Schema, step: string): Spot => ({
  ...{ schema, references, place: `${place}/${step}` },
});

const freeSpot = (schema: Schema): Spot => ({ schema, place: '#', references: [] });

/** Shorter ones are no longer than a call. */
const leastText = 60;

/** What a possible part is known by. It has no reference, and no reference leads into it. */
const partText = ({ schema, place, references }: Spot, { targets }: Sharing): string | undefined => {
  const text = JSON.stringify(schema);
  if (targets.has(text)) return references.some((path) => path.startsWith(`${place}/`)) ? undefined : text;
  if (place === '#' || text.length < leastText || Object.hasOwn(schema, sharedKeyword)) return undefined;
  if (hasReference(schema) || references.some((path) => path.startsWith(`${place}/`))) return undefined;
  return text;
};

const countUses = (spot: Spot, sharing: Sharing): void => {
  const text = partText(spot, sharing);
  const before = text === undefined ? 0 : (sharing.uses.get(text) ?? 0);
  if (text !== undefined) sharing.uses.set(text, before + 1);
  if (before === 0) countInside(spot, sharing);
};

const countInside = (spot: Spot, sharing: Sharing): void => {
  for (const below of spotsInside(spot)) countUses(below, sharing);
};

const countTarget = (text: string, schema: Schema, sharing: Sharing): void => {
  if (!sharing.uses.has(text)) countInside(freeSpot(schema), sharing);
};

const shareSpot = (spot: Spot, sharing: Sharing, parts: Map<string, Schema>): Schema => {
  const text = partText(spot, sharing);
  const schema = shareInside(spot, sharing, parts);
  if (text === undefined || !(sharing.targets.has(text) || (sharing.uses.get(text) ?? 0) > 1)) return schema;
  const key = keyOf(text, sharing);
  parts.set(key, schema);
  return useOf({ key });
};

const shareInside = (spot: Spot, sharing: Sharing, parts: Map<string, Schema>): Schema =>
  mapChildren(spot.schema, (child, step) => shareSpot(spotBelow(spot, child, step), sharing, parts));

const spotsInside = (spot: Spot): Spot[] => {
  const found: Spot[] = [];
  mapChildren(spot.schema, (child, step) => {
    found.push(spotBelow(spot, child, step));
    return child;
  });
  return found;
};

const referencesIn = (schema: Schema): string[] => {
  const { $ref: path } = schema;
  const inside = spotsInside(freeSpot(schema)).flatMap((spot) => referencesIn(spot.schema));
  return typeof path === 'string' ? [path, ...inside] : inside;
};

/** What Ajv does not look at. */
const notes: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'example', 'examples', 'readOnly', 'writeOnly', 'deprecated'],
]);

const withoutNotes = (schema: Schema): Schema =>
  mapChildren(Object.fromEntries(Object.entries(schema).filter(([keyword]) => !notes.has(keyword))), withoutNotes);

const single: ReadonlySet<string> = new Set([
  ...['additionalProperties', 'items', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'],
  ...['unevaluatedProperties', 'unevaluatedItems'],
]);
const listed: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const named: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']);

/** The schema with each schema directly inside replaced. `step` is the way there: `items`, `properties/title`. */
const mapChildren = (schema: Schema, change: (child: Schema, step: string) => Schema): Schema => {
  const changed = (value: unknown, step: string): unknown => (isRecord(value) ? change(value, step) : value);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (single.has(keyword)) return [keyword, changed(value, keyword)];
      if (listed.has(keyword) && Array.isArray(value))
        return [keyword, value.map((each, index) => changed(each, `${keyword}/${index}`))];
      if (named.has(keyword) && isRecord(value)) return [keyword, mapMembers(value, keyword, changed)];
      return [keyword, value];
    }),
  );
};

const mapMembers = (
  members: Schema,
  keyword: string,
  change: (value: unknown, step: string) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value, `${keyword}/${name}`)]));
