/** Makes one schema of several, for fields that bundles use for different things: generators make no program of a choice between schemas. */
import { listOf } from '../../basics/json.ts';
import { areEqual } from '../../basics/equal-values.ts';
import { partOf, type Part } from '../../openapi/openapi-terms.ts';

/** Objects that have the members of all these. Which of them go together, and how long a text may be, is not said. */
export const unionOf = (objects: readonly Part[]): Part => {
  const isOpen = objects.some(({ additionalProperties }) => additionalProperties !== false);
  const required = objects.map((schema) => listOf(schema['required']));
  return {
    description: 'One of several shapes: bundles use the field for different things.',
    type: 'object',
    additionalProperties: isOpen,
    required: (required[0] ?? []).filter((name) => required.every((names) => names.includes(name))),
    properties: mapOfAll(objects.map(({ properties }) => partOf(properties))),
  };
};

const mapOfAll = (members: readonly Part[]): Part =>
  Object.fromEntries(
    [...new Set(members.flatMap((each) => Object.keys(each)))].map((name) => [
      name,
      memberOf(members.flatMap((each) => (name in each ? [partOf(each[name])] : []))),
    ]),
  );

/** The rules of a member that all schemas agree on; any type and any choice that one of them has. */
const memberOf = ([first = {}, ...others]: readonly Part[]): Part => {
  const agreed = Object.fromEntries(
    Object.entries(first).filter(([rule, value]) => others.every((other) => areEqual(other[rule], value))),
  );
  const all = [first, ...others];
  const descriptions = [...new Set(all.map(({ description }) => String(description)))];
  const choices = all.every((each) => 'enum' in each) ? { enum: collected(all, 'enum') } : {};
  const types = all.every((each) => 'type' in each) ? collected(all, 'type') : [];
  const [type] = types;
  return {
    ...{ ...agreed, ...choices, description: descriptions.join(' Or: ') },
    ...(type === undefined ? {} : { type: types.length === 1 ? type : types }),
  };
};

const collected = (schemas: readonly Part[], rule: string): readonly unknown[] => [
  ...new Set(schemas.flatMap((schema) => schema[rule] ?? [])),
];
