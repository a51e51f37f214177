/** Tells which operations no sentence of the contract has: what clients of today use, and what Atoll adds for its own sake. */
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import type { Operation } from '../../repository/repository-engine.ts';

export const isBeyondContract = ({ paths }: DocumentObject, { path, method }: Operation): boolean => {
  const item = Object(paths[path]) as Readonly<Record<string, unknown>>; // a path of the document has methods
  const { tags } = Object(item[method.toLowerCase()]) as { readonly tags?: unknown }; // an operation may have them
  return Array.isArray(tags) && tags.includes('Beyond the contract');
};
