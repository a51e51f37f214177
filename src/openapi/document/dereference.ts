/** Resolves the references of a document. */
import { hasMember, readPointer } from '../../basics/json-pointer.ts';

type Node = Record<string, unknown>;

/**
 * A copy in which each `$ref` is replaced by the object that it names: the same object wherever it is named. Members
 * next to a `$ref` are laid over a copy of the target (OpenAPI 3.1 §4.8.23, JSON Schema 2020-12 §8.2.3.1). Throws when a
 * reference leads nowhere in the document.
 */
export const dereference = <T extends object>(document: T): T => {
  const follow = referencesOf(document);
  const copies = new Map<Node, Node>();
  const settle = (value: unknown): unknown => {
    const target = follow(value);
    if (!isNode(target)) return target;
    const known = copies.get(target);
    // Schemas may be shared, but who compiles them makes a reference of a shared list, which a keyword cannot have.
    if (known !== undefined) return Array.isArray(known) ? [...(known as unknown[])] : known;
    const isList = Array.isArray(target);
    const copy = (isList ? [] : {}) as Node; // both have members by names
    copies.set(target, copy);
    for (const name of Object.keys(target)) copy[name] = settle(target[name]);
    return copy;
  };
  return settle(document) as T; // the document's own shape
};

/** What a value of the document stands for: itself, or what its reference leads to. Only what has members next to it is copied. */
const referencesOf = (root: object): ((value: unknown) => unknown) => {
  const targets = new Map<string, unknown>();
  const laidOver = new Map<Node, unknown>();
  const targetOf = (pointer: string): unknown => {
    if (targets.has(pointer)) return targets.get(pointer);
    const target = follow(readPointer(pointer).reduce<unknown>((node, step) => memberOf(follow(node), step), root));
    targets.set(pointer, target);
    return target;
  };
  const follow = (value: unknown): unknown => {
    if (!isNode(value) || typeof value['$ref'] !== 'string') return value;
    const known = laidOver.get(value);
    if (known !== undefined) return known;
    const { $ref: pointer, ...siblings } = value;
    const target = targetOf(pointer);
    if (!isNode(target) || Object.keys(siblings).length === 0) return target;
    const whole = { ...target, ...siblings };
    laidOver.set(value, whole);
    return whole;
  };
  return follow;
};

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const memberOf = (node: unknown, step: string): unknown => {
  if (hasMember(node, step)) return node[step];
  throw new Error(`A reference of the document leads nowhere, at "${step}".`);
};
