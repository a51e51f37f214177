/** Finds the members of a document that OpenAPI does not have, and the name that each author probably meant. */
import { isSchemaKeyword } from '../schemas/keywords.ts';

/** The objects of OpenAPI whose members are looked at. */
export type ObjectKind = keyof typeof members;

/** The members of 3.0 and 3.1, and those that 3.2 adds: what 3.2 means by them is said elsewhere. */
const members = {
  /** OpenAPI 3.1 §4.8.9.1 */
  'path item': [
    ...['$ref', 'summary', 'description', 'get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'],
    ...['servers', 'parameters', 'query', 'additionalOperations'],
  ],
  /** §4.8.10.1 */
  operation: [
    ...['tags', 'summary', 'description', 'externalDocs', 'operationId', 'parameters', 'requestBody', 'responses'],
    ...['callbacks', 'deprecated', 'security', 'servers'],
  ],
  /** §4.8.12.2 */
  parameter: [
    ...['name', 'in', 'description', 'required', 'deprecated', 'allowEmptyValue', 'style', 'explode', 'allowReserved'],
    ...['schema', 'example', 'examples', 'content'],
  ],
  /** §4.8.13.1 */
  'request body': ['description', 'content', 'required'],
  /** §4.8.14.1 */
  'media type': ['schema', 'example', 'examples', 'encoding', 'itemSchema', 'prefixEncoding', 'itemEncoding'],
  /** §4.8.17.1 */
  response: ['summary', 'description', 'headers', 'content', 'links'],
  /** §4.8.21: as a parameter, without `name` and `in`, which authors write all the same. */
  header: [
    ...['name', 'in', 'description', 'required', 'deprecated', 'allowEmptyValue', 'style', 'explode', 'allowReserved'],
    ...['schema', 'example', 'examples', 'content'],
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type UnknownMember = { readonly name: string; readonly message: string; readonly remedy: string };

/** None for extensions, whose names begin with `x-`. */
export const unknownMembers = (kind: ObjectKind, part: Readonly<Record<string, unknown>>): UnknownMember[] => {
  const known: readonly string[] = members[kind];
  return Object.keys(part).flatMap((name) => {
    if (known.includes(name) || name.startsWith('x-')) return [];
    const article = /^[aeiou]/.test(kind) ? 'An' : 'A';
    const message = `${article} ${kind} of OpenAPI has no "${name.slice(0, 50)}", so it is not read.`;
    return [{ name, message, remedy: remedyFor(name, kind, known) }];
  });
};

const remedyFor = (name: string, kind: ObjectKind, known: readonly string[]): string => {
  const near = nearestName(name, known);
  if (near !== undefined && near.toLowerCase() === name.toLowerCase()) return `Write ${near}.`;
  if (known.includes('schema') && isSchemaKeyword(name)) return `Write it in the schema of the ${kind}.`;
  if (near !== undefined) return `Write ${near}, if you mean that.`;
  return 'Remove it, or begin its name with x-.';
};

/** The known name with the fewest changes, whatever its case. Undefined where none is near. */
const nearestName = (name: string, known: readonly string[]): string | undefined => {
  const written = name.slice(0, 50).toLowerCase();
  const most = Math.min(3, Math.floor(written.length / 2));
  const [nearest] = known
    .map((candidate) => ({ candidate, changes: changesBetween(written, candidate.toLowerCase()) }))
    .filter(({ changes }) => changes <= most)
    .sort((a, b) => a.changes - b.changes);
  return nearest?.candidate;
};

/** How many signs are to be added, removed, replaced, or swapped with the next one (Damerau and Levenshtein). */
const changesBetween = (a: string, b: string): number => {
  const changes = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  const known = (row: number, column: number): number => changes[row]?.[column] ?? Infinity;
  for (let row = 1; row <= a.length; row += 1) {
    changes[row] = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = known(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwapped ? known(row - 2, column - 2) + 1 : Infinity;
      changes[row]?.push(Math.min(replaced, swapped, known(row - 1, column) + 1, known(row, column - 1) + 1));
    }
  }
  return known(a.length, b.length);
};
