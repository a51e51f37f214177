/** The packaged starter site, read once. No tests here. */
import { join } from 'node:path';
import { once } from '../../src/basics/once.ts';
import { loadSite } from '../support/site-sources.ts';
import type { Site } from '../../src/repository/repository.ts';
import { root } from '../support/atoll.ts';

export const starterSite = once(() => loadSite(join(root, 'data/sites/starter-site')));

/** The id of a term of the site. */
export const termOf = (site: Site, vocabulary: string, name: string): number =>
  site.terms.find((term) => term.vocabulary === vocabulary && term.fields['name']?.[0]?.['value'] === name)?.tid ?? 0;
