/** The operations of a document as they are written, without what a reader makes of them. */
import { isRecord, listOf } from '../../basics/json.ts';
import type { Method } from './operation.ts';
import { type DocumentObject, type Part, partOf } from './nodes.ts';

/** An operation as it is in a validated document without references. */
export type RawOperation = {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly RawParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, RawMediaType>>; readonly required?: boolean };
  readonly responses: Readonly<Record<string, RawResponse>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  /** The kind of record that it is about. */
  readonly 'x-resource'?: string;
};

type RawResponse = {
  readonly description: string;
  readonly content?: Readonly<Record<string, RawMediaType>>;
  readonly headers?: Readonly<Record<string, RawHeader>>;
};

type Examples = {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
};
type RawMediaType = Examples & { readonly schema?: Readonly<Record<string, unknown>> };

type RawHeader = Examples & { readonly required?: boolean };
type RawParameter = RawHeader & { readonly name: string; readonly in: string };

/** The operation of a dereferenced document as it is there. */
export const rawOperation = (
  document: DocumentObject,
  { path, method }: { readonly path: string; readonly method: string },
): RawOperation | undefined => document.paths[path]?.[method.toLowerCase()] as RawOperation | undefined; // validated document

/** As a person reads them. */
const methodsInOrder: readonly Method[] = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS', 'TRACE'];

/** The operations of a document as they are written. */
export const writtenOperations = ({ paths }: Pick<DocumentObject, 'paths'>) =>
  Object.entries(paths).flatMap(([path, item]) =>
    methodsInOrder.flatMap((method) => {
      const operation = item[method.toLowerCase()];
      return isRecord(operation) ? [{ path, method, item, operation }] : [];
    }),
  );

/** By `in` and name. An operation's own parameter replaces its path's (OpenAPI 3.1 §4.8.9). */
export const writtenParameters = (item: Part, operation: Part): ReadonlyMap<string, Part> =>
  new Map(
    [...listOf(item['parameters']), ...listOf(operation['parameters'])]
      .map(partOf)
      .map((each) => [`${String(each['in'])} ${String(each['name'])}`, each]),
  );

/** The id of the HEAD that a document has for its GET and does not write. */
export const headIdOf = (id: string): string => id.replace(/^(get|list)/, 'head');
