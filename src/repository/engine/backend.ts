/** Makes the backend of a document whose schemas are compiled when they are first needed. */
import { loadBoundedGenerator, onDemandSchemas } from '../../openapi/openapi.ts';
import { backendWith, type CreateBackend } from './document-backend.ts';

export type { Backend, CreateBackend } from './document-backend.ts';

export const createBackend: CreateBackend = (document, operationIds, slowPatterns) =>
  backendWith(document, operationIds, {
    schemas: onDemandSchemas(document, slowPatterns),
    loadGenerator: loadBoundedGenerator,
    areRepliesChecked: true,
  });
