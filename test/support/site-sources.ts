/** Sites and the contract, read from their files by the doors of the parts that do so. */
import { loadNamedSite } from '../../src/application/application-disk.ts';
import type { DocumentObject } from '../../src/openapi/openapi-terms.ts';
import { withHeadOperations } from '../../src/repository/repository-engine.ts';
import type { Site } from '../../src/repository/repository.ts';
import { readDocument } from '../../src/server/server-application.ts';

/** Loads the site of a folder. */
export const loadSite = (folder: string): Promise<Site> => loadNamedSite('', folder);

/** Reads an `openapi.yaml`, whose file leaves its HEAD operations out. */
export const readContract = async (file: string): Promise<DocumentObject> =>
  withHeadOperations(await readDocument(file));
