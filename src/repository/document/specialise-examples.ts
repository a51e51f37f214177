/** Drops the examples and links that no longer fit after a site has changed operations and schemas. */
import { areEqual } from '../../basics/equal-values.ts';
import { isRecord, listOf } from '../../basics/json.ts';
import {
  type DocumentObject,
  referredPart,
  mapMembers,
  partOf,
  without,
  type Part,
} from '../../openapi/openapi-terms.ts';
import { isOperationName } from './specialise-operations.ts';

type Paths = DocumentObject['paths'];

const changeOperations = (paths: Paths, change: (operation: Part) => Part): Paths =>
  mapMembers(paths, (item) =>
    mapMembers(partOf(item), (member, name) => (isOperationName(name) ? change(partOf(member)) : member)),
  ) as Paths; // each path item stays an object of operations and other members

const changeResponses = (paths: Paths, change: (response: Part) => Part): Paths =>
  changeOperations(paths, (operation) => ({
    ...operation,
    responses: mapMembers(partOf(operation['responses']), (response) => change(partOf(response))),
  }));

/** The formats that the site changed, by operation id. Undefined for an operation with the document's own formats. */
const changedFormats = (paths: Paths): ReadonlyMap<unknown, readonly unknown[] | undefined> =>
  new Map(
    Object.values(paths)
      .flatMap((item) => Object.values(item))
      .map(partOf)
      .map((operation): [unknown, readonly unknown[] | undefined] => {
        const format = listOf(operation['parameters']).find((each) => partOf(each)['name'] === '_format');
        return [
          operation['operationId'],
          format === undefined ? undefined : listOf(partOf(partOf(format)['schema'])['enum']),
        ];
      }),
  );

/** Drops a response's links (OpenAPI 3.1 §4.8.20) to operations or formats that the site does not offer. */
export const withLiveLinks = (document: DocumentObject, paths: Paths): Paths => {
  const offered = changedFormats(paths);
  const isLive = (value: unknown): boolean => {
    const { operationId, parameters } = referredPart(document, value);
    const [format, formats] = [partOf(parameters)['_format'], offered.get(operationId)];
    return offered.has(operationId) && (formats === undefined || format === undefined || formats.includes(format));
  };
  return changeResponses(paths, (response) => {
    if (!isRecord(response['links'])) return response;
    const links = mapMembers(response['links'], (link) => (isLive(link) ? link : undefined));
    return Object.keys(links).length === 0 ? without(response, 'links') : { ...response, links };
  });
};

/** The properties and the required names of a schema, with those of its `allOf`. */
type Outline = { readonly required: readonly unknown[]; readonly properties: Part };

const outlineOf = (schemas: Part, name: string): Outline => {
  const schema = partOf(schemas[name]);
  return listOf(schema['allOf'])
    .map((parent) => outlineOf(schemas, schemaName(parent) ?? ''))
    .reduce(
      (all, parent) => ({
        required: [...all.required, ...parent.required],
        properties: { ...all.properties, ...parent.properties },
      }),
      { required: listOf(schema['required']), properties: partOf(schema['properties']) },
    );
};

/** The name of the schema that a `$ref` names. */
const schemaName = (value: unknown): string | undefined => {
  const reference = partOf(value)['$ref'];
  return typeof reference === 'string' ? reference.replace('#/components/schemas/', '') : undefined;
};

/**
 * Keeps an example of a record only when it fits the site's schemas: its members are unchanged and no required one is
 * missing. Where no example is left, mocks are made from the schema.
 */
export const withFittingExamples = (document: DocumentObject, paths: Paths, schemas: Part): Paths => {
  const change = (holder: Part): Part =>
    isRecord(holder['content'])
      ? { ...holder, content: mapMembers(holder['content'], (media) => fittingMedia(document, schemas, partOf(media))) }
      : holder;
  const requests = changeOperations(paths, (operation) =>
    isRecord(operation['requestBody']) ? { ...operation, requestBody: change(operation['requestBody']) } : operation,
  );
  return changeResponses(requests, change);
};

const fittingMedia = (document: DocumentObject, schemas: Part, media: Part): Part => {
  const { type, items } = partOf(media['schema']);
  const isList = type === 'array';
  const name = schemaName(isList ? items : media['schema']);
  if (name === undefined || !isRecord(media['examples'])) return media;
  const before = outlineOf(partOf(document.components['schemas']), name);
  const after = outlineOf(schemas, name);
  const examples = mapMembers(media['examples'], (example) => {
    const { value } = referredPart(document, example);
    const records = isList ? listOf(value) : [value];
    const isFitting = (record: Part): boolean =>
      fits(record, before, after) && hasKnownBundles(record, after.properties, schemas);
    return records.map(partOf).every(isFitting) ? example : undefined;
  });
  return Object.keys(examples).length === 0 ? without(media, 'examples') : { ...media, examples };
};

const fits = (record: Part, before: Outline, after: Outline): boolean =>
  areEqual(before, after) ||
  (after.required.every((name) => String(name) in record) &&
    Object.keys(record).every(
      (name) => name in after.properties && after.properties[name] === before.properties[name],
    ));

/** Whether each bundle in a record is one that the schema of its property lists. */
const hasKnownBundles = (record: Part, properties: Part, schemas: Part): boolean =>
  Object.entries(record).every(([name, items]) => {
    const shape = partOf(schemas[schemaName(partOf(properties[name])['items']) ?? '']);
    const { enum: ids, pattern } = partOf(partOf(shape['properties'])['target_id']);
    return listOf(items)
      .map((item) => partOf(item)['target_id'])
      .every(
        (id) =>
          (ids === undefined || listOf(ids).includes(id)) &&
          (typeof pattern !== 'string' || typeof id !== 'string' || new RegExp(pattern).test(id)),
      );
  });

/** Drops the shared examples and links that no operation refers to. */
export const withoutUnused = (document: DocumentObject): DocumentObject => {
  const references = new Set(JSON.stringify(document).match(/"#\/components\/(?:examples|links)\/[^"]+"/g));
  const used = (kind: 'examples' | 'links'): Part =>
    mapMembers(partOf(document.components[kind]), (component, name) =>
      references.has(`"#/components/${kind}/${name}"`) ? component : undefined,
    );
  const components = { ...document.components, examples: used('examples'), links: used('links') };
  return { ...document, components };
};
