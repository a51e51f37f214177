/**
 * Keeps compiled schemas by their text. The documents of one process have most schemas in common: those of a document that is
 * read again, and those of several servers.
 */
import { digest } from '../../basics/secrets/digest.ts';

/** About four times as many as one document has. */
const most = 2000;

type CompiledSchemas<T> = (schemas: unknown, compile: () => T) => T;

/** `schemas` is all that the result of `compile` depends on. */
export const createCompiledSchemas = <T>(): CompiledSchemas<T> => {
  const known = new Map<string, T>();
  return (schemas, compile) => {
    const key = keyOf(schemas);
    if (key === undefined) return compile();
    const found = known.get(key) ?? compile();
    if (!known.has(key) && known.size >= most) known.clear();
    known.set(key, found);
    return found;
  };
};

/** Undefined for schemas that contain themselves. */
const keyOf = (schemas: unknown): string | undefined => {
  try {
    return digest('sha256', JSON.stringify(schemas), 'base64');
  } catch {
    return undefined;
  }
};
