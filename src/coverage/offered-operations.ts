/** What the document of a site offers to be met: its operations with their answers, visitors and link relations. */
import type { DocumentObject } from '../document/document.ts';
import type { Operation } from '../document/operation.ts';

/** One operation, with everything that a client can meet there. */
export type OfferedOperation = {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** Status → media types; none for an answer without a body. */
  readonly answers: Readonly<Record<string, readonly string[]>>;
  /** `anonymous` alone where the operation asks nobody who it is; else `authenticated` and every role of the site too. */
  readonly identities: readonly string[];
  /** Of the links that the document shows in its examples. */
  readonly relations: readonly string[];
};

/** In the order of the document. `document` without references; `roles` are the ids of the site's. */
export const offeredBy = (
  operations: readonly Operation[],
  document: DocumentObject,
  roles: readonly string[],
): OfferedOperation[] => {
  const everybody = [...new Set(['anonymous', 'authenticated', ...roles])];
  return operations.map((operation) => ({
    operation: operation.id,
    method: operation.method,
    path: operation.path,
    answers: Object.fromEntries(
      [...operation.responses].map(([status, types]) => [status, operation.method === 'HEAD' ? [] : types]),
    ),
    identities: operation.providers.length === 0 ? ['anonymous'] : everybody,
    relations: relationsOf(operation, document),
  }));
};

type RawOperation = {
  readonly responses: Readonly<Record<string, { readonly headers?: RawHeaders }>>;
  readonly 'x-resource'?: string;
};
type RawHeaders = Readonly<Record<string, { readonly example?: unknown; readonly examples?: RawExamples }>>;
type RawExamples = Readonly<Record<string, { readonly value?: unknown }>>;

/** Those of the examples of `Link` on a success; the example that is named for the resource, where there is one. */
const relationsOf = ({ path, method }: Operation, document: DocumentObject): string[] => {
  const raw = document.paths[path]?.[method.toLowerCase()] as RawOperation | undefined; // validated document
  const link = raw?.responses['200']?.headers?.['Link'];
  if (raw === undefined || link === undefined) return [];
  const { example, examples = {} } = link;
  const own = examples[raw['x-resource'] ?? ''];
  const values = own === undefined ? [example, ...Object.values(examples).map(({ value }) => value)] : [own.value];
  const lines = values.filter((value) => typeof value === 'string').join(', ');
  return [...new Set([...lines.matchAll(/>; rel="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')))].sort();
};
