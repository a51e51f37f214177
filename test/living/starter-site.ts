/** The packaged starter site, read once. No tests here. */
import { join } from 'node:path';
import { once } from '../../src/basics/once.ts';
import { loadSite } from '../../src/server/sources/disk-site.ts';
import { root } from '../support/atoll.ts';

export const starterSite = once(() => loadSite(join(root, 'data/sites/starter-site')));
