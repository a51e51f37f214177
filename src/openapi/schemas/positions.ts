/** Says what the parts of an OpenAPI document are: parts with fixed words, parts by names that authors choose, or data. */

/**
 * `words`: an object whose members have a meaning. `names`: an object whose members have names that authors choose. `data`: examples,
 * defaults and extensions, in which a `$ref` is none. `mapping`: that of a discriminator, whose texts may be references.
 */
export type Kind = 'words' | 'names' | 'data' | 'mapping';

/** Where the other files of a document stand in its tree, by their addresses seen from the root document. */
export const filesMember = 'x-atoll-files';

/** The kind of a member of an object. An item of a list is of the kind of its list. */
export const kindOfMember = (name: string, member: unknown, kind: Kind): Kind => {
  if (kind === 'names') return 'words';
  if (name === filesMember) return 'names';
  if (name === 'examples') return Array.isArray(member) ? 'data' : 'names';
  if (name === 'mapping') return 'mapping';
  // In a Link Object they are data, but a reference in them harms nobody.
  if (name === 'parameters' && !Array.isArray(member)) return 'names';
  if (dataWords.has(name) || name.startsWith('x-')) return 'data';
  return freeNames.has(name) ? 'names' : 'words';
};

const freeNames: ReadonlySet<string> = new Set([
  ...['paths', 'webhooks', 'properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
  ...['responses', 'headers', 'callbacks', 'links', 'content', 'encoding', 'schemas', 'requestBodies'],
  ...['securitySchemes', 'pathItems', 'mediaTypes', 'variables'],
]);

const dataWords: ReadonlySet<string> = new Set([
  ...['example', 'default', 'const', 'enum', 'value', 'dataValue', 'scopes', 'security'],
]);

/** `keys` gives the steps from the root, and `above` what the visit of the object around returned. */
type Visit<Context> = (part: Record<string, unknown>, keys: () => string[], above: Context) => Context;

/** Visits each object whose members have a meaning once, those around it first. */
export const visitObjects = <Context>(root: unknown, first: Context, visit: Visit<Context>): void => {
  const seen = { words: new WeakSet<object>(), names: new WeakSet<object>() };
  // One list for all: large documents have some hundred thousand values.
  const path: string[] = [];
  const keys = (): string[] => [...path];
  const enter = (value: object, kind: Kind, above: Context): void => {
    if (kind === 'data' || kind === 'mapping' || seen[kind].has(value)) return;
    seen[kind].add(value);
    const part = value as Record<string, unknown>; // lists, too
    const isList = Array.isArray(value);
    // Authors also refer to all parts of a kind at once: `paths: { $ref: … }`.
    const isVisited = (kind === 'words' || typeof part['$ref'] === 'string') && !isList;
    const context = isVisited ? visit(part, keys, above) : above;
    for (const name of Object.keys(part)) {
      const member = part[name];
      if (typeof member !== 'object' || member === null) continue;
      path.push(name);
      enter(member, isList ? kind : kindOfMember(name, member, kind), context);
      path.pop();
    }
  };
  if (typeof root === 'object' && root !== null) enter(root, 'words', first);
};
