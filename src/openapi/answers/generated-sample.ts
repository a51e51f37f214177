/** Asks a generator for a value, where the walk along a schema finds no valid one. */
import { isRecord } from '../../basics/json.ts';
import { branchesKeyword } from '../schemas/discriminator.ts';
import type { Direction, SchemaObject, Schemas } from '../schemas/schemas.ts';
import type { MakeText } from './leaf-values.ts';

type Generating = { readonly schemas: Schemas; readonly direction: Direction; readonly makeText: MakeText };

/** What a generator makes, for `not`, `dependentRequired` and their like. */
export const byGenerator = (schema: unknown, value: unknown, walk: Generating): unknown => {
  const read = walk.schemas.read(schema, walk.direction);
  if (typeof read === 'boolean') return undefined;
  const unfolded = withoutReferences(read, walk);
  return isHuge(unfolded)
    ? undefined
    : walk.makeText(unfolded, `${(JSON.stringify(value) as string | undefined)?.length ?? 0}`);
};

/** The largest of the least lengths that a generator is asked for: it obeys any. */
const mostAtLeast = 10_000;

const isHuge = (part: unknown): boolean => {
  if (typeof part !== 'object' || part === null) return false;
  return Object.entries(part).some(([name, member]: [string, unknown]) =>
    /^min(Length|Items|Properties)$/.test(name) && Number(member) > mostAtLeast ? true : isHuge(member),
  );
};

/** The most levels of references that a generator gets. */
const mostUnfolded = 4;

/** A copy with references unfolded, as deep as a generator needs them. */
const withoutReferences = (
  schema: SchemaObject,
  walk: Pick<Generating, 'schemas' | 'direction'>,
  open: readonly object[] = [],
): SchemaObject => {
  const unfold = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(unfold);
    if (!isRecord(part)) return part;
    if (typeof part['$ref'] === 'string') {
      const read = walk.schemas.read(part, walk.direction);
      if (typeof read === 'boolean' || open.length > mostUnfolded || open.includes(read)) return {};
      return withoutReferences(read, walk, [...open, read]);
    }
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, unfold(member)]));
  };
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, member]) => (name === branchesKeyword ? [] : [[name, unfold(member)]])),
  );
};
