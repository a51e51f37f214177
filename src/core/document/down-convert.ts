/** Converts a document from OpenAPI 3.1 to 3.0.3, for generators that read no newer one. `down-convert-schema.ts` converts its schemas. */
import { isRecord } from '../../basics/json.ts';
import type { DocumentObject } from './document.ts';
import { schemaAs30 } from './down-convert-schema.ts';
import { mapMembers, partOf, without, type Part } from './document-tree.ts';

/**
 * A copy of the document as OpenAPI 3.0.3 (https://spec.openapis.org/oas/v3.0.3), with its references. What 3.0 cannot
 * express is left out, so a schema may accept more than before (below `not` and `oneOf`: less).
 */
export const downConvert = (document: DocumentObject): DocumentObject => {
  const kept = mapMembers(document, (value, name) => (only31.has(name) ? undefined : value));
  return {
    ...kept,
    openapi: '3.0.3',
    ...(isRecord(document['info']) ? { info: infoAs30(document['info']) } : {}),
    paths: mapMembers(document.paths, (item) => convert(item)),
    components: mapMembers(document.components, (components, kind) =>
      kind === 'pathItems' ? undefined : mapMembers(partOf(components), convertComponent(kind)),
    ),
  } as DocumentObject; // paths and components stay maps of objects
};

const only31: ReadonlySet<string> = new Set(['jsonSchemaDialect', 'webhooks']);

/** 3.0 has neither a summary of the document nor the identifier of a licence. */
const infoAs30 = (info: Part): Part => {
  const { summary, description, license } = info;
  const texts = [summary, description].filter((text) => typeof text === 'string');
  return {
    ...without(info, 'summary'),
    ...(texts.length > 0 ? { description: texts.join('\n\n') } : {}),
    ...(isRecord(license) ? { license: licenseAs30(license) } : {}),
  };
};

const licenseAs30 = (license: Part): Part => {
  const { identifier, ...rest } = license;
  return typeof identifier === 'string' ? { url: `https://spdx.org/licenses/${identifier}.html`, ...rest } : rest;
};

const convertComponent =
  (kind: string) =>
  (value: unknown): unknown => {
    if (kind === 'schemas') return schemaAs30(value);
    // An example is data: only a `$ref` in its place is converted.
    return kind === 'examples' ? referenceAs30(value) : convert(value);
  };

/** Members whose content is data. It is copied unchanged. */
const dataMembers: ReadonlySet<string> = new Set(['example', 'examples', 'value']);

/** Converts any part but a schema: converts the schemas in it, and drops the members beside a `$ref`. */
const convert = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(convert);
  if (!isRecord(value)) return value;
  const part = referenceAs30(value);
  return mapMembers(partOf(part), (member, name) => {
    if (name === 'schema') return schemaAs30(member);
    if (name === 'examples') return mapMembers(partOf(member), referenceAs30);
    return dataMembers.has(name) || name.startsWith('x-') ? member : convert(member);
  });
};

/** Members beside a `$ref` are ignored in 3.0 (OpenAPI 3.0.3 §4.7.23). */
const referenceAs30 = (value: unknown): unknown =>
  isRecord(value) && typeof value['$ref'] === 'string' ? { $ref: value['$ref'] } : value;
