/** Finds what a client sends although the document says that clients only read it (`readOnly`, OpenAPI 3.1 §4.8.24). */
import { isRecord } from '../../basics/json.ts';
import { encodeStep } from '../../basics/json-pointer.ts';
import { outlinesOf } from '../schemas/outline.ts';
import type { Direction, Schemas } from '../schemas/schemas.ts';

/** A sent value that is taken, and that nobody will store. */
export type ReadOnlyMember = { readonly pointer: string; readonly sent: unknown };

/** The most of one request. */
const mostMembers = 20;
const mostLevels = 30;

/** Returns the readOnly members of a body. Schemas without any cost nothing. */
export const readOnlyFinder = (schemas: Schemas): ((value: unknown, schema: unknown) => readonly ReadOnlyMember[]) => {
  const outline = outlinesOf(schemas, 'request');
  const isMarked = markedSchemas(schemas, 'request', 'readOnly');
  return (value, schema) => {
    if (!isMarked(schema)) return [];
    const found: ReadOnlyMember[] = [];
    const visit = (sent: unknown, here: unknown, pointer: string, level: number): void => {
      if (level > mostLevels || found.length >= mostMembers) return;
      const { member, item } = outline(here);
      if (Array.isArray(sent))
        for (const [index, each] of sent.entries()) visit(each, item(index), `${pointer}/${index}`, level + 1);
      else if (isRecord(sent) && Object.getPrototypeOf(sent) === Object.prototype) {
        for (const [name, each] of Object.entries(sent)) {
          const below = member(name);
          const at = `${pointer}/${encodeStep(name)}`;
          const read = schemas.read(below, 'request');
          if (typeof read === 'object' && read['readOnly'] === true) found.push({ pointer: at, sent: each });
          else visit(each, below, at, level + 1);
        }
      }
    };
    visit(value, schema, '/requestBody', 0);
    return found.slice(0, mostMembers);
  };
};

/** Whether a schema, or one that it refers to, has a member with this mark. */
export const markedSchemas = (
  schemas: Schemas,
  direction: Direction,
  mark: 'readOnly' | 'writeOnly',
): ((schema: unknown) => boolean) => {
  const known = new WeakMap<object, boolean>();
  const search = (part: unknown, seen: Set<unknown>): boolean => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return false;
    seen.add(part);
    if (isRecord(part) && part[mark] === true) return true;
    if (isRecord(part) && typeof part['$ref'] === 'string' && search(schemas.read(part, direction), seen)) return true;
    return Object.values(part).some((each) => search(each, seen));
  };
  return (schema) => {
    const read = schemas.read(schema, direction);
    if (typeof read === 'boolean') return false;
    const isMarked = known.get(read) ?? search(read, new Set());
    known.set(read, isMarked);
    return isMarked;
  };
};
