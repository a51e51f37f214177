/** Reads an OpenAPI document from its file. */
import { readFile } from 'node:fs/promises';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { parseYamlText } from '../../basics/yaml/yaml-library.ts';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import { withHeadOperations } from '../../core/document/head-operations.ts';

/** Reads a document. Throws `ConfigurationError` when the file is missing or is not YAML. */
export const readDocument = async (file: string): Promise<DocumentObject> => {
  try {
    return (await parseYamlText(await readFile(file, 'utf8'))) as DocumentObject; // validated by `resolveDocument` or `checkDocument` before use
  } catch (cause) {
    throw new ConfigurationError(`${file}: cannot be read as YAML: ${String(cause)}`, { cause });
  }
};

/** Reads our own document, `openapi.yaml`, whose file leaves its HEAD operations out. Throws as `readDocument` does. */
export const readContract = async (file: string): Promise<DocumentObject> =>
  withHeadOperations(await readDocument(file));
