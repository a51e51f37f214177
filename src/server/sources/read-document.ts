/** Reads an OpenAPI document from its file. */
import { readFile } from 'node:fs/promises';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { parseYamlText } from '../../basics/yaml/yaml-library.ts';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';

/** Reads a document. Throws `ConfigurationError` when the file is missing or is not YAML. */
export const readDocument = async (file: string): Promise<DocumentObject> => {
  try {
    return (await parseYamlText(await readFile(file, 'utf8'))) as DocumentObject; // validated by `resolveDocument` or `checkDocument` before use
  } catch (cause) {
    throw new ConfigurationError(`${file}: cannot be read as YAML: ${String(cause)}`, { cause });
  }
};
