/** What differs in a record of a collection, member by member. */
import type { components } from '../../../src/client/generated/control.ts';

type FieldDifference = components['schemas']['FieldDifference'];

/** A row for each member that differs, where both values are objects; else the values as they are. */
export const memberDifferences = (field: FieldDifference): readonly FieldDifference[] => {
  const [before, after] = [objectIn(field.before), objectIn(field.after)];
  if (before === undefined || after === undefined) return [field];
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return names
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => ({ name: `/${name}`, label: name, before: itemsOf(before, name), after: itemsOf(after, name) }));
};

type JsonObject = Readonly<Record<string, unknown>>;

const objectIn = ([item]: readonly unknown[]): JsonObject | undefined => {
  const { value } = Object(item) as { readonly value?: unknown }; // any JSON
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
};

const itemsOf = (value: JsonObject, name: string): unknown[] =>
  Object.hasOwn(value, name) ? [{ value: value[name] }] : [];
