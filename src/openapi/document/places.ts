/** Finds where a document says what a request or a reply violates. */
import { isRecord } from '../../basics/json.ts';
import { hasMember, readPointer, type Keys } from '../../basics/json-pointer.ts';
import { type Operation, responseFor } from './operation.ts';
import type { References } from '../schemas/references.ts';
import type { Schemas } from '../schemas/schemas.ts';
import type { Violation } from '../schemas/violations.ts';

/** Each returns the names that lead from the root of the document to the rule, or to what is nearest to it. */
export type Places = {
  readonly ofRequest: (operation: Operation, violation: Violation) => Keys;
  readonly ofReply: (operation: Operation, status: number, violation: Violation) => Keys;
};

type PlacesOptions = { readonly document: unknown; readonly references: References; readonly schemas: Schemas };

/** Follows a document as it was written, and names the way to each of its parts. */
const createWalk = ({ document, references }: Pick<PlacesOptions, 'document' | 'references'>) => {
  let index: Index | undefined;
  const keysOf = (value: unknown): string[] | undefined => {
    if (typeof value !== 'object' || value === null) return undefined;
    index ??= indexOf(document);
    return keysIn(index, value);
  };
  /** The value below the steps, with the references on the way followed. The last one that there is, where they lead nowhere. */
  const reach = (from: unknown, steps: readonly string[]): string[] => {
    let value = from;
    let keys = keysOf(from) ?? [];
    for (const step of steps) {
      const followed = references.follow(value);
      keys = keysOf(followed) ?? keys;
      if (!hasMember(followed, step)) return keys;
      value = followed[step];
      keys = keysOf(value) ?? [...keys, step];
    }
    return keysOf(references.follow(value)) ?? keys;
  };
  const nodeAt = (keys: readonly string[]): unknown =>
    keys.reduce<unknown>((value, key) => {
      const followed = references.follow(value);
      return hasMember(followed, key) ? followed[key] : undefined;
    }, document);
  const parameterNode = ({ keys }: Operation, place: string, name: string): unknown => {
    const holders = [nodeAt(keys), nodeAt(keys.slice(0, -1))].map((node) => references.follow(node));
    const written = holders.flatMap((holder) =>
      isRecord(holder) && Array.isArray(holder['parameters']) ? (holder['parameters'] as unknown[]) : [],
    );
    return written.find((each) => {
      const parameter = references.follow(each);
      if (!isRecord(parameter) || parameter['in'] !== place) return false;
      const { name: named } = parameter;
      return place === 'header' ? String(named).toLowerCase() === name.toLowerCase() : named === name;
    });
  };
  return { keysOf, reach, nodeAt, parameterNode };
};

export const createPlaces = ({ document, references, schemas }: PlacesOptions): Places => {
  const { keysOf, reach, nodeAt, parameterNode } = createWalk({ document, references });
  const ruleKeys = ({ rule }: Violation): Keys | undefined => {
    const holder = rule && schemas.holderOf(rule);
    const keys = keysOf(holder);
    if (rule === undefined || holder === undefined || keys === undefined) return undefined;
    return rule.keyword in holder ? [...keys, rule.keyword] : keys;
  };
  return {
    ofRequest: (operation, violation) => {
      const byRule = ruleKeys(violation);
      if (byRule !== undefined) return byRule;
      const [place = '', name = ''] = readPointer(violation.pointer);
      const raw = nodeAt(operation.keys);
      if (place === 'requestBody')
        return reach(raw, ['requestBody', violation.message === 'is required' ? 'required' : 'content']);
      const parameter = parameterNode(operation, place, name);
      if (parameter !== undefined) return reach(parameter, violation.rule?.keyword === 'required' ? ['required'] : []);
      if (name === 'content-type') return reach(raw, ['requestBody', 'content']);
      return name === 'accept' ? reach(raw, ['responses']) : reach(raw, []);
    },
    ofReply: (operation, status, violation) => {
      const byRule = ruleKeys(violation);
      if (byRule !== undefined) return byRule;
      const [part, name = ''] = readPointer(violation.pointer);
      const key = responseFor(operation, status)?.key;
      const raw = nodeAt(operation.keys);
      if (key === undefined) return reach(raw, ['responses']);
      const inside =
        part === 'headers' && name !== 'Content-Type'
          ? ['headers', name, ...(violation.message === 'is missing' ? ['required'] : [])]
          : ['content'];
      return reach(raw, ['responses', key === 'default' ? key : writtenKey(raw, key), ...inside]);
    },
  };
};

/** Authors write `4xx`, too. */
const writtenKey = (raw: unknown, key: string): string => {
  const responses = isRecord(raw) && isRecord(raw['responses']) ? raw['responses'] : {};
  return Object.keys(responses).find((each) => each.toUpperCase() === key) ?? key;
};

/** The holder of each object of a document, and its name there. */
type Index = ReadonlyMap<object, { readonly holder: object; readonly name: string }>;

const indexOf = (document: unknown): Index => {
  const index = new Map<object, { readonly holder: object; readonly name: string }>();
  const waiting: object[] = isRecord(document) ? [document] : [];
  for (let holder = waiting.pop(); holder !== undefined; holder = waiting.pop()) {
    for (const [name, member] of Object.entries(holder)) {
      if (typeof member !== 'object' || member === null || index.has(member as object)) continue;
      index.set(member as object, { holder, name });
      waiting.push(member as object);
    }
  }
  return index;
};

const keysIn = (index: Index, value: object): string[] | undefined => {
  const keys: string[] = [];
  let entry = index.get(value);
  if (entry === undefined) return undefined;
  for (; entry !== undefined; entry = index.get(entry.holder)) keys.unshift(entry.name);
  return keys;
};
