/** Reads discriminators (OpenAPI 3.1 §4.8.25) as conditions that Ajv checks. */
import { isRecord } from '../../basics/json.ts';
import { referenceName } from './references.ts';
import type { Direction, Schema, SchemaObject } from './schema.ts';

/** The branch that a discriminator names, by value. Undefined where a branch has no name. */
export const branchesByValue = (schema: SchemaObject): ReadonlyMap<string, unknown> | undefined => {
  const { discriminator } = schema;
  const branches = schema['oneOf'] ?? schema['anyOf'];
  if (!isRecord(discriminator) || !Array.isArray(branches)) return undefined;
  if (typeof discriminator['propertyName'] !== 'string') return undefined;
  const named = isRecord(discriminator['mapping']) ? Object.entries(discriminator['mapping']) : [];
  const byValue = new Map<string, unknown>();
  const implicit = new Map<string, unknown>();
  for (const branch of branches) {
    const reference = isRecord(branch) ? branch['$ref'] : undefined;
    if (typeof reference !== 'string') return undefined;
    const name = referenceName(reference);
    const values = named.filter(([, target]) => target === reference || target === name).map(([value]) => value);
    for (const value of values) byValue.set(value, branch);
    implicit.set(name, branch);
  }
  // A mapping adds to the names of the schemas (OpenAPI 3.1 §4.8.25.1).
  for (const [name, branch] of implicit) if (!byValue.has(name)) byValue.set(name, branch);
  return byValue;
};

/** Where the branches of a discriminator stay for who makes a sample: a list of value and schema. Ajv does not know the word. */
export const branchesKeyword = 'x-atoll-branches';

/** One branch is checked, and a violation is that of the branch which the client meant. */
export const rewriteDiscriminator = (
  result: Record<string, unknown>,
  schema: SchemaObject,
  direction: Direction,
  rewrite: (schema: unknown, direction: Direction) => Schema,
): void => {
  const byValue = branchesByValue(schema);
  const { discriminator } = schema;
  if (byValue === undefined || !isRecord(discriminator)) return;
  const property = String(discriminator['propertyName']);
  const [kept, branches] = Array.isArray(result['oneOf']) ? ['oneOf', result['oneOf']] : ['anyOf', result['anyOf']];
  if (kept === 'oneOf') delete result['oneOf'];
  else delete result['anyOf'];
  result[branchesKeyword] = [...byValue].map(([value, branch]) => [value, rewrite(branch, direction)]);
  const others = Array.isArray(result['allOf']) ? (result['allOf'] as unknown[]) : [];
  result['allOf'] = [
    ...others,
    {
      if: { type: 'object', required: [property] },
      then: { properties: { [property]: { enum: [...byValue.keys()] } } },
      // Where no branch requires it, a value without it has one of them all the same.
      else: { [kept]: branches },
    },
    ...[...byValue].map(([value, branch]) => ({
      if: { type: 'object', required: [property], properties: { [property]: { const: value } } },
      then: rewrite(branch, direction),
    })),
  ];
};
