/** Reads the contract of the repository, `openapi.yaml`, whose file leaves its HEAD operations out. */
import { withHeadOperations } from '../../repository/repository-engine.ts';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import { readDocument } from '../../server/server-application.ts';

/** Throws `ConfigurationError` when the file is missing or is not YAML. */
export const readContract = async (file: string): Promise<DocumentObject> =>
  withHeadOperations(await readDocument(file));
