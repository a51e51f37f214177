/** Loads what serves documents of a user's own when there is one: most servers have none, and no overlay. */
import { lazyModule } from '../../basics/lazy-module.ts';
import type { ServeDocuments } from '../engines/load-contract.ts';

const load = lazyModule(() => import('./load-documents.ts'), 'serveDocuments');

export const serveOwnDocuments: ServeDocuments = async (...parts) => (await load()).serveDocuments(...parts);
