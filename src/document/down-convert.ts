/** A document of OpenAPI 3.1 written as 3.0.3, for generators that read no newer one. Schemas have a file of their own; nothing here knows a site. */
import type { DocumentObject } from './document.ts';
import { schemaAs30 } from './down-convert-schema.ts';
import { isPart, mapMembers, partOf, without, type Part } from './document-tree.ts';

/**
 * The document as OpenAPI 3.0.3 (https://spec.openapis.org/oas/v3.0.3), with its references; the given one stays as it
 * is. What 3.0 has no words for is left out, so that a schema may accept more than it did (below `not`
 * and `oneOf`: less).
 */
export const downConvert = (document: DocumentObject): DocumentObject => {
  const kept = mapMembers(document, (value, name) => (only31.has(name) ? undefined : value));
  return {
    ...kept,
    openapi: '3.0.3',
    ...(isPart(document['info']) ? { info: infoAs30(document['info']) } : {}),
    paths: mapMembers(document.paths, (item) => walk(item)),
    components: mapMembers(document.components, (components, kind) =>
      kind === 'pathItems' ? undefined : mapMembers(partOf(components), component(kind)),
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
    ...(isPart(license) ? { license: licenseAs30(license) } : {}),
  };
};

const licenseAs30 = (license: Part): Part => {
  const { identifier, ...rest } = license;
  return typeof identifier === 'string' ? { url: `https://spdx.org/licenses/${identifier}.html`, ...rest } : rest;
};

const component =
  (kind: string) =>
  (value: unknown): unknown => {
    if (kind === 'schemas') return schemaAs30(value);
    // An example may be any value at all.
    return kind === 'examples' ? referenceAs30(value) : walk(value);
  };

/** Members whose content is data, not description. */
const data: ReadonlySet<string> = new Set(['example', 'examples', 'value']);

/** Everything that is no schema: only the schemas in it and what stands beside a `$ref` are other in 3.0. */
const walk = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(walk);
  if (!isPart(value)) return value;
  const part = referenceAs30(value);
  return mapMembers(partOf(part), (member, name) => {
    if (name === 'schema') return schemaAs30(member);
    if (name === 'examples') return mapMembers(partOf(member), referenceAs30);
    return data.has(name) || name.startsWith('x-') ? member : walk(member);
  });
};

/** OpenAPI 3.0.3 §4.7.23: beside a `$ref` nothing counts. */
const referenceAs30 = (value: unknown): unknown =>
  isPart(value) && typeof value['$ref'] === 'string' ? { $ref: value['$ref'] } : value;
