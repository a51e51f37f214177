/** Lists what clients can cover of a document: operations with their answers, identities and link relations. */
import type { DocumentObject } from '../../core/document/document.ts';
import { rawOperation, type Operation } from '../../core/document/operation.ts';

export type OfferedOperation = {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** Media types by status. The list is empty for an answer without a body. */
  readonly answers: Readonly<Record<string, readonly string[]>>;
  /** Only `anonymous` when the operation has no authentication; otherwise also `authenticated` and every role of the site. */
  readonly identities: readonly string[];
  /** The relations of the links in the document's examples. */
  readonly relations: readonly string[];
};

/** In the order of the document, which must be free of references. `roles` are the role ids of the site. */
export const offeredOperations = (
  operations: readonly Operation[],
  document: DocumentObject,
  roles: readonly string[],
): OfferedOperation[] => {
  const allIdentities = [...new Set(['anonymous', 'authenticated', ...roles])];
  return operations.map((operation) => ({
    operation: operation.id,
    method: operation.method,
    path: operation.path,
    answers: Object.fromEntries(
      [...operation.responses].map(([status, types]) => [status, operation.method === 'HEAD' ? [] : types]),
    ),
    identities: operation.providers.length === 0 ? ['anonymous'] : allIdentities,
    relations: relationsOf(operation, document),
  }));
};

/** Read from the `Link` examples of the status 200. When an example has the name of the resource, only that example counts. */
const relationsOf = (operation: Operation, document: DocumentObject): string[] => {
  const raw = rawOperation(document, operation);
  const link = raw?.responses['200']?.headers?.['Link'];
  if (raw === undefined || link === undefined) return [];
  const { example, examples = {} } = link;
  const named = examples[raw['x-resource'] ?? ''];
  const values = named === undefined ? [example, ...Object.values(examples).map(({ value }) => value)] : [named.value];
  const lines = values.filter((value) => typeof value === 'string').join(', ');
  return [...new Set([...lines.matchAll(/>; rel="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')))].sort();
};
