/** Resolves a document's references. Whether they lead anywhere, and whether the document is valid, has been checked before. */

type Node = Record<string, unknown>;

/**
 * A copy in which every `$ref` is the object that it names: the same object wherever it is named. What stands beside a
 * `$ref` is laid over a copy of the target (OpenAPI 3.1 §4.8.23, JSON Schema 2020-12 §8.2.3.1). References lead into the
 * document itself.
 */
export const dereference = <T extends object>(document: T): T => {
  const root: unknown = structuredClone(document);
  const settled = new Set<object>();
  const settle = (value: unknown): unknown => {
    if (!isNode(value)) return value;
    if (typeof value['$ref'] === 'string') return settleReference(value, value['$ref']);
    if (settled.has(value)) return value;
    settled.add(value);
    for (const name of Object.keys(value)) value[name] = settle(value[name]);
    return value;
  };
  const settleReference = (reference: Node, pointer: string): unknown => {
    const beside = Object.fromEntries(Object.entries(reference).filter(([name]) => name !== '$ref'));
    const target = settle(stepsOf(pointer).reduce<unknown>((place, step) => memberOf(settle(place), step), root));
    return Object.keys(beside).length === 0 || !isNode(target) ? target : settle({ ...target, ...beside });
  };
  return settle(root) as T; // the document's own shape
};

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const memberOf = (place: unknown, step: string): unknown => {
  if (isNode(place) && step in place) return place[step];
  throw new Error(`A reference of the document leads nowhere, at "${step}".`);
};

/** RFC 6901 §4, in the form of a URI fragment. */
const stepsOf = (pointer: string): string[] =>
  pointer
    .replace(/^#\/?/, '')
    .split('/')
    .filter((step) => step !== '')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
