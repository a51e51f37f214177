/** Reads the documents of the package. The build prepares and checks them, so that an unchanged package starts quickly. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import { hashOfFiles } from './file-hashes.ts';
import { readDocument } from './read-document.ts';

/** The contract, and the document of the control interface; below the folder of the package. */
export const documentFile = 'openapi.yaml';
export const controlFile = 'src/server/control/openapi.yaml';

/** The documents in a prepared file: `dist/prepared.json`, and one for each other site of the package. */
export type PreparedDocuments = {
  /** The hash of the files that they were made from, by name and content. */
  readonly documentsSha256: string;
  /** The contract, specialised for the site of the file. */
  readonly document: DocumentObject;
  /** Whether `document` is that of `openapi.yaml`, as for the default site. Then it serves every other site, too. */
  readonly isAsWritten: boolean;
  readonly controlDocument: DocumentObject;
};

/** Undefined without such a file, or when a document has changed since. */
export const readPrepared = async (root: string, file: string | undefined): Promise<PreparedDocuments | undefined> => {
  const text = file === undefined ? undefined : await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const prepared = JSON.parse(text) as PreparedDocuments; // the build wrote it
  return hashOfDocuments(root) === prepared.documentsSha256 ? prepared : undefined;
};

export const hashOfDocuments = (root: string): string => hashOfFiles(root, [documentFile, controlFile]);

/** The document of the control interface, and whether the build has found it valid. Throws `ConfigurationError`. */
export const readControlDocument = async (root: string, preparedFile: string | undefined) => {
  const prepared = await readPrepared(root, preparedFile);
  return {
    controlDocument: prepared?.controlDocument ?? (await readDocument(join(root, controlFile))),
    areDocumentsChecked: prepared !== undefined,
  };
};
