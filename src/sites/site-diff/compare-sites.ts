/** Compares two sites: what changed for clients from the first to the second, and whom it breaks. */
import type { Site } from '../../core/site/site.ts';
import { compareResources, compareRoles } from './compare-access.ts';
import { compareModels } from './compare-bundles.ts';
import { compareLists } from './compare-lists.ts';
import { compareSettings } from './compare-settings.ts';
import { compareTerms } from './compare-terms.ts';
import type { Difference } from './difference.ts';

/** In the order bundles and fields, terms, resources, roles, lists, settings; by the names of the first site. */
export const compareSites = (before: Site, after: Site): readonly Difference[] => [
  ...compareModels(before.model, after.model),
  ...compareTerms(before.terms, after.terms),
  ...compareResources(before.resources, after.resources),
  ...compareRoles(before.roles, after.roles),
  ...compareLists(before.lists, after.lists),
  ...compareSettings(before, after),
];

export const isBreaking = ({ breaks }: Difference): boolean => breaks.length > 0;
