/** What changed between two documents, for tests that hold a document to another one. */
import { diffDocuments } from '../../src/sites/document-diff/diff-documents.ts';

export const documentChanges = (...sides: Parameters<typeof diffDocuments>) => diffDocuments(...sides);

export type DocumentChange = ReturnType<typeof documentChanges>[number];
