/** Reads our own document, `openapi.yaml`, whose file leaves its HEAD operations out. */
import { readDocument, type DocumentObject } from '../document.ts';
import { withHeadOperations } from './head-operations.ts';

/** Throws `ConfigurationError` as `readDocument` does. */
export const readContract = async (file: string): Promise<DocumentObject> =>
  withHeadOperations(await readDocument(file));
