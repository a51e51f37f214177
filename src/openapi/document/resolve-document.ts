/** Validates an OpenAPI document and resolves its references. */
import { lazyModule } from '../../basics/lazy-module.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { DocumentObject } from './nodes.ts';
import { dereference } from './dereference.ts';

/** Loads the validator of documents. */
export const loadParser = lazyModule(() => import('@apidevtools/swagger-parser'), 'default');

/** Validates a document and resolves its references. Throws `ConfigurationError` with the reason. */
export const resolveDocument = async (document: DocumentObject): Promise<DocumentObject> => {
  try {
    const { default: parser } = await loadParser();
    await parser.validate(structuredClone(document) as never); // the parser checks the shape itself
  } catch (cause) {
    throw invalidDocument(cause);
  }
  return resolveReferences(document);
};

/** Resolves the references of a document that is known to be valid otherwise. Throws `ConfigurationError` with the reason. */
export const resolveReferences = (document: DocumentObject): DocumentObject => {
  try {
    return dereference(document);
  } catch (cause) {
    throw invalidDocument(cause);
  }
};

const invalidDocument = (cause: unknown): ConfigurationError => {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ConfigurationError(`The OpenAPI document is not valid: ${reason}`, { cause });
};
