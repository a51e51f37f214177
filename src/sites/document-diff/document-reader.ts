/** Reads a document for a comparison: follows references, finds operations with their parameters and security. */
import { isRecord, listOf } from '../../basics/json.ts';
import { partOf, type Part } from '../../openapi/openapi-terms.ts';
import { hasMember, readPointer } from '../../basics/json-pointer.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';

/** A value without a reference at its top. `name` is that of the component that the reference names. */
type Followed = { readonly name: string | undefined; readonly value: unknown };

export type DocumentOperation = {
  /** Method and path, with the parameters of the path by their order: `get /node/{}`. */
  readonly key: string;
  /** `GET /node/{node_id}`. */
  readonly address: string;
  /** The names in the path, in their order. */
  readonly pathNames: readonly string[];
  /** The operation id or, without one, the address. */
  readonly id: string;
  readonly part: Part;
  /** The members of the path apart from its operations. */
  readonly item: Part;
  /** Those of the path and of the operation, references followed. */
  readonly parameters: readonly Part[];
  /** Undefined: anybody may use it. */
  readonly security: readonly unknown[];
};

export type DocumentReader = {
  readonly document: Part;
  readonly operations: readonly DocumentOperation[];
  /** Throws `ConfigurationError` when a reference leads nowhere in the document. */
  follow(value: unknown): Followed;
  /** The object, with its reference followed; an empty one when there is none. */
  part(value: unknown): Part;
};

const methods = ['get', 'head', 'post', 'patch', 'delete', 'put', 'options', 'trace'] as const;

/** Words next to a reference that change nothing of what is valid. */
const texts: readonly string[] = ['$ref', 'description', 'summary'];

/** More references than these, one after the other, lead in a circle. */
const mostReferences = 50;

export const readerOf = (document: Part): DocumentReader => {
  const ignoresSiblings = String(document['openapi']).startsWith('3.0'); // OpenAPI 3.0.3 §4.7.23
  const known = new WeakMap<object, Followed>();
  const follow = (value: unknown): Followed => {
    if (!isRecord(value) || typeof value['$ref'] !== 'string') return { name: undefined, value };
    const followed = known.get(value) ?? resolve(value, value['$ref'], 0);
    known.set(value, followed);
    return followed;
  };
  const resolve = (holder: Part, reference: string, count: number): Followed => {
    if (count > mostReferences) throw new ConfigurationError(`The reference ${reference} leads in a circle.`);
    const words = Object.entries(holder).filter(([word]) => !texts.includes(word));
    if (words.length > 0 && !ignoresSiblings)
      return { name: undefined, value: { allOf: [{ $ref: reference }], ...Object.fromEntries(words) } };
    const steps = readPointer(reference);
    const found = targetOf(document, steps, reference);
    const next = partOf(found)['$ref'];
    const target: Followed =
      typeof next === 'string' ? resolve(partOf(found), next, count + 1) : { name: undefined, value: found };
    const isComponent = steps.length === 3 && steps[0] === 'components';
    return isComponent ? { name: steps[2], value: target.value } : target;
  };
  const part = (value: unknown): Part => partOf(follow(value).value);
  return { document, follow, part, operations: operationsOf(document, part) };
};

export const schemasOf = ({ document }: DocumentReader): Part => partOf(partOf(document['components'])['schemas']);

/** Whether a schema is of one bundle of a site; no operation refers to it. */
export const isOfBundle = (schema: unknown): boolean => partOf(schema)['x-per-bundle'] === true;

const targetOf = (document: Part, steps: readonly string[], reference: string): unknown =>
  steps.reduce<unknown>((place, step) => {
    if (reference.startsWith('#') && hasMember(place, step)) return place[step];
    throw new ConfigurationError(`The reference ${reference} leads nowhere in the document.`);
  }, document);

const operationsOf = (document: Part, follow: (value: unknown) => Part): DocumentOperation[] =>
  Object.entries(partOf(document['paths'])).flatMap(([path, value]) => {
    const item = follow(value);
    return methods.flatMap((method) => {
      if (item[method] === undefined) return [];
      const part = partOf(item[method]);
      const address = `${method.toUpperCase()} ${path}`;
      return [
        {
          key: `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`,
          address,
          pathNames: [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name),
          id: typeof part['operationId'] === 'string' ? part['operationId'] : address,
          part,
          item,
          parameters: [...listOf(item['parameters']), ...listOf(part['parameters'])].map(follow),
          security: listOf(part['security'] ?? document['security']),
        },
      ];
    });
  });
