/**
 * Keeps checks by the text of their schemas. The documents of one process have most schemas in common: those of a document that is read
 * again, and those of several servers.
 */
import { digest } from '../../basics/secrets/digest.ts';
import { isRecord } from '../../basics/json.ts';
import type { Direction } from './schema.ts';
import type { Check, Schemas } from './schemas.ts';

/** About four times as many as one document has. */
const most = 4000;

export type KeptChecks = Map<string, Check>;

/** The schemas of a document without references. `context` is all else that a check depends on. */
export const withKeptChecks = (schemas: Schemas, kept: KeptChecks, context: string): Schemas => {
  const known = { request: new WeakMap<object, Check>(), response: new WeakMap<object, Check>() };
  const find = (schema: object, direction: Direction): Check => {
    const key = keyOf([direction, context, schema]);
    if (key === undefined) return schemas.check(schema, direction);
    const found = kept.get(key) ?? schemas.check(schema, direction);
    if (!kept.has(key) && kept.size >= most) kept.clear();
    kept.set(key, found);
    return found;
  };
  return {
    ...schemas,
    check: (schema, direction) => {
      if (!isRecord(schema)) return schemas.check(schema, direction);
      const check = known[direction].get(schema) ?? find(schema, direction);
      known[direction].set(schema, check);
      return check;
    },
  };
};

/** Undefined for schemas that contain themselves. */
const keyOf = (parts: readonly unknown[]): string | undefined => {
  try {
    return digest('sha256', JSON.stringify(parts), 'base64');
  } catch {
    return undefined;
  }
};
