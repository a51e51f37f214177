/** Leaves out of a value what a client does not read (`writeOnly`) or does not write (`readOnly`, OpenAPI 3.1 §4.8.24). */
import { isRecord } from '../../basics/json.ts';
import { markedSchemas } from '../request/read-only.ts';
import { outlinesOf } from '../schemas/outline.ts';
import type { Direction, Schemas } from '../schemas/schemas.ts';
import { setOwn } from '../schemas/values.ts';

export type WithoutMarked = (value: unknown, schema: unknown) => unknown;

const mostLevels = 30;

/** The value without its members that are marked. The same value where the schema marks none. */
export const withoutMarked = (
  schemas: Schemas,
  direction: Direction,
  mark: 'readOnly' | 'writeOnly',
): WithoutMarked => {
  const outline = outlinesOf(schemas, direction);
  const isMarked = markedSchemas(schemas, direction, mark);
  const without = (value: unknown, schema: unknown, level: number): unknown => {
    if (level > mostLevels || typeof value !== 'object' || value === null) return value;
    const { member, item } = outline(schema);
    if (Array.isArray(value)) {
      const items = value.map((each, index) => without(each, item(index), level + 1));
      return items.some((each, index) => each !== value[index]) ? items : value;
    }
    if (!isRecord(value)) return value;
    let isSame = true;
    const kept: Record<string, unknown> = {};
    for (const [name, each] of Object.entries(value)) {
      const below = member(name);
      const read = schemas.read(below, direction);
      if (typeof read === 'object' && read[mark] === true) {
        isSame = false;
        continue;
      }
      const next = without(each, below, level + 1);
      isSame &&= next === each;
      setOwn(kept, name, next);
    }
    return isSame ? value : kept;
  };
  return (value, schema) => (isMarked(schema) ? without(value, schema, 0) : value);
};
