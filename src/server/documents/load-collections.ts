/** Reads the collections of documents where no server runs. What reads documents is loaded when there is one. */
import { lazyModule } from '../../basics/lazy-module.ts';
import type { DocumentCollections } from '../../contract/contract.ts';
import type { NamedDocument } from '../sources/named-document.ts';

const load = lazyModule(() => import('./load-documents.ts'), 'readCollections');

/** Throws `ConfigurationError` for a document that cannot be read. */
export const documentCollections = async (named: readonly NamedDocument[]): Promise<readonly DocumentCollections[]> =>
  (await load()).readCollections(named);
