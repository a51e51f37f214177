/** Decides what is stored beside a record because of the paths that lead to it. */
import type { Site } from '../../site/site.ts';
import type { Entity } from '../../model/entity.ts';
import type { DecisionContext } from '../changes.ts';
import { saveAlias, withAlias, type Saved } from './path-aliases.ts';
import { saveRedirect } from './redirects.ts';

/** The record to store, and the other changes. `before` is undefined for a new record. Throws 422. */
export const withAddress = (before: Entity | undefined, after: Entity, site: Site, context: DecisionContext): Saved => {
  switch (after.type) {
    case 'path_alias':
      return saveAlias(after, site, context);
    case 'redirect':
      return saveRedirect(after, context);
    default:
      return withAlias(before, after, context);
  }
};
