/** Finds schemas that are composed of themselves, and those that are composed of more schemas than a check could go through. */
import { isRecord } from '../../basics/json.ts';
import { readPointer } from '../../basics/json-pointer.ts';
import { inheritedPart } from '../schemas/dialect.ts';
import type { DocumentFlaw } from './document-flaw.ts';
import type { DocumentPart } from './join-files.ts';
import type { References } from '../schemas/references.ts';
import type { Part } from './nodes.ts';

/** The most schemas that one value may have to be checked against. */
const mostSchemas = 10_000;

/** The most references and compositions in a row. */
const mostLevels = 100;

const lists = ['allOf', 'anyOf', 'oneOf'];
const single = ['not', 'if', 'then', 'else'];

/** The schemas that a value of this schema is checked against itself. Members and items are other values. */
const partsOf = (
  schema: Part,
  follow: References['follow'],
): (readonly [part: unknown, steps: readonly string[]])[] => [
  ...lists.flatMap((name) =>
    Array.isArray(schema[name])
      ? (schema[name] as unknown[]).map(
          (part, index) =>
            [name === 'allOf' ? inheritedPart(part, schema, follow) : part, [name, String(index)]] as const,
        )
      : [],
  ),
  ...single.flatMap((name) => (schema[name] === undefined ? [] : [[schema[name], [name]] as const])),
];

/** References must lead somewhere. */
export const compositionFlaws = (parts: readonly DocumentPart[], { at, follow }: References): DocumentFlaw[] => {
  const flaws: DocumentFlaw[] = [];
  const sizes = new Map<object, number>();
  const open = new Set<object>();
  const sizeOf = (schema: unknown, keys: readonly string[]): number => {
    if (!isRecord(schema)) return 1;
    const known = sizes.get(schema);
    if (known !== undefined) return known;
    if (open.has(schema)) return Infinity;
    if (open.size > mostLevels) return mostSchemas + 1;
    open.add(schema);
    const { $ref: reference } = schema;
    let size = 1;
    if (typeof reference === 'string') size += sizeOf(at(reference), readPointer(reference));
    for (const [part, steps] of partsOf(schema, follow)) size += sizeOf(part, [...keys, ...steps]);
    open.delete(schema);
    // The innermost one is named alone.
    const isFirst = size > mostSchemas && ![...sizes.values()].some((each) => each > mostSchemas);
    sizes.set(schema, size);
    if (isFirst) flaws.push(flawOf(keys, size));
    return size;
  };
  for (const { part, keys } of parts) if (lists.some((name) => Array.isArray(part[name]))) sizeOf(part, keys);
  return flaws;
};

const flawOf = (keys: readonly string[], size: number): DocumentFlaw => {
  const isEndless = size === Infinity;
  return {
    ...{ keys, rule: 'composition', isServed: false },
    message: isEndless
      ? 'The schema is composed of itself, so a check of it would not end.'
      : `A value of this schema would be checked against more than ${mostSchemas} schemas.`,
    remedy: isEndless ? 'Take it out of its own allOf, anyOf or oneOf.' : 'Compose it of fewer.',
  };
};
