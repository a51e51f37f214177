/** Describes the machine name of a bundle that a client sends. */
import type { Part } from '../document-tree.ts';

/** A pattern and no list: a type of each name would hold clients to the bundles of the site that they were made for. */
export const bundleName = (ids: readonly string[]): Part =>
  ids.length === 0 ? { type: 'string' } : { type: 'string', pattern: `^(${ids.join('|')})$` };
