/** Loads late what few ask for: the schemas of single bundles. */
import { lazyModule } from '../../basics/lazy-module.ts';

/** Loads what adds the schemas of single bundles. Nothing but comparisons and generators of clients needs them. */
export const loadBundleSchemas = lazyModule(() => import('./bundle-schemas.ts'), 'withBundleSchemas');
