/** Loads what gives a document schemas for each bundle: only a document that is shown has them. */
import { lazyModule } from '../../basics/lazy-module.ts';

export const loadBundleSchemas = lazyModule(() => import('./bundle-schemas.ts'), 'withBundleSchemas');
