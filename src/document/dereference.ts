/** Resolves the references of a document. */
import { hasMember, readPointer } from './json-pointer.ts';

type Node = Record<string, unknown>;

/**
 * A copy in which each `$ref` is replaced by the object that it names: the same object wherever it is named. Members
 * beside a `$ref` are laid over a copy of the target (OpenAPI 3.1 §4.8.23, JSON Schema 2020-12 §8.2.3.1). Throws when a
 * reference leads nowhere in the document.
 */
export const dereference = <T extends object>(document: T): T => {
  const root: unknown = structuredClone(document);
  const settled = new Set<object>();
  const settle = (value: unknown): unknown => {
    if (!isNode(value)) return value;
    if (typeof value['$ref'] === 'string') return settleReference(value, value['$ref']);
    // Schemas may be shared, but who compiles them makes a reference of a shared list, which a keyword cannot have.
    if (settled.has(value)) return Array.isArray(value) ? [...(value as unknown[])] : value;
    settled.add(value);
    for (const name of Object.keys(value)) value[name] = settle(value[name]);
    return value;
  };
  const settleReference = (reference: Node, pointer: string): unknown => {
    const beside = Object.fromEntries(Object.entries(reference).filter(([name]) => name !== '$ref'));
    const target = settle(readPointer(pointer).reduce<unknown>((node, step) => memberOf(settle(node), step), root));
    return Object.keys(beside).length === 0 || !isNode(target) ? target : settle({ ...target, ...beside });
  };
  return settle(root) as T; // the document's own shape
};

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const memberOf = (node: unknown, step: string): unknown => {
  if (hasMember(node, step)) return node[step];
  throw new Error(`A reference of the document leads nowhere, at "${step}".`);
};
