/** What becomes of a document's examples and links when a site has changed operations and schemas around them. */
import { isDeepStrictEqual } from 'node:util';
import type { DocumentObject } from './document.ts';
import { isOperationName } from './specialise-operations.ts';
import { follow, isPart, listOf, mapMembers, partOf, without, type Part } from './document-tree.ts';

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

/** The formats that each operation was given by the site, by operation id; undefined where they are those of the document. */
const changedFormats = (paths: Paths): ReadonlyMap<unknown, readonly unknown[] | undefined> =>
  new Map(
    Object.values(paths)
      .flatMap((item) => Object.values(item))
      .map(partOf)
      .map((operation): [unknown, readonly unknown[] | undefined] => {
        const format = listOf(operation['parameters']).find((given) => partOf(given)['name'] === '_format');
        return [
          operation['operationId'],
          format === undefined ? undefined : listOf(partOf(partOf(format)['schema'])['enum']),
        ];
      }),
  );

/** A response's links (OpenAPI 3.1 §4.8.20) to operations that the site does not offer, or not in that format, go. */
export const withLiveLinks = (document: DocumentObject, paths: Paths): Paths => {
  const offered = changedFormats(paths);
  const isLive = (value: unknown): boolean => {
    const { operationId, parameters } = follow(document, value);
    const [format, formats] = [partOf(parameters)['_format'], offered.get(operationId)];
    return offered.has(operationId) && (formats === undefined || format === undefined || formats.includes(format));
  };
  return changeResponses(paths, (response) => {
    if (!isPart(response['links'])) return response;
    const links = mapMembers(response['links'], (link) => (isLive(link) ? link : undefined));
    return Object.keys(links).length === 0 ? without(response, 'links') : { ...response, links };
  });
};

/** The members and the required members of a schema, with those of the schemas it is made of (`allOf`). */
type Outline = { readonly required: readonly unknown[]; readonly members: Part };

const outlineOf = (schemas: Part, name: string): Outline => {
  const schema = partOf(schemas[name]);
  return listOf(schema['allOf'])
    .map((parent) => outlineOf(schemas, schemaName(parent) ?? ''))
    .reduce(
      (all, parent) => ({
        required: [...all.required, ...parent.required],
        members: { ...all.members, ...parent.members },
      }),
      { required: listOf(schema['required']), members: partOf(schema['properties']) },
    );
};

/** The name of the shared schema that a value refers to. */
const schemaName = (value: unknown): string | undefined => {
  const reference = partOf(value)['$ref'];
  return typeof reference === 'string' ? reference.replace('#/components/schemas/', '') : undefined;
};

/**
 * Examples of records whose schema the site has changed stay only when they fit: nothing changed of the members they
 * have, and none that is required is missing. Where none is left, mocks are made from the schema. `schemas` are those
 * of the site.
 */
export const withFittingExamples = (document: DocumentObject, paths: Paths, schemas: Part): Paths => {
  const change = (holder: Part): Part =>
    isPart(holder['content'])
      ? { ...holder, content: mapMembers(holder['content'], (media) => fittingMedia(document, schemas, partOf(media))) }
      : holder;
  const requests = changeOperations(paths, (operation) =>
    isPart(operation['requestBody']) ? { ...operation, requestBody: change(operation['requestBody']) } : operation,
  );
  return changeResponses(requests, change);
};

const fittingMedia = (document: DocumentObject, schemas: Part, media: Part): Part => {
  const { type, items } = partOf(media['schema']);
  const isList = type === 'array';
  const name = schemaName(isList ? items : media['schema']);
  if (name === undefined || !isPart(media['examples'])) return media;
  const before = outlineOf(partOf(document.components['schemas']), name);
  const after = outlineOf(schemas, name);
  const examples = mapMembers(media['examples'], (example) => {
    const { value } = follow(document, example);
    const records = isList ? listOf(value) : [value];
    const isFitting = (record: Part): boolean =>
      fits(record, before, after) && namesKnownBundles(record, after.members, schemas);
    return records.map(partOf).every(isFitting) ? example : undefined;
  });
  return Object.keys(examples).length === 0 ? without(media, 'examples') : { ...media, examples };
};

const fits = (record: Part, before: Outline, after: Outline): boolean =>
  isDeepStrictEqual(before, after) ||
  (after.required.every((name) => String(name) in record) &&
    Object.keys(record).every((name) => name in after.members && after.members[name] === before.members[name]));

/** The bundles that a record names are among those that the schema of the naming member lists. */
const namesKnownBundles = (record: Part, members: Part, schemas: Part): boolean =>
  Object.entries(record).every(([name, items]) => {
    const shape = partOf(schemas[schemaName(partOf(members[name])['items']) ?? '']);
    const ids = listOf(partOf(partOf(shape['properties'])['target_id'])['enum']);
    return ids.length === 0 || listOf(items).every((item) => ids.includes(partOf(item)['target_id']));
  });

/** Without the shared examples and links that no operation shows any more. */
export const withoutUnused = (document: DocumentObject): DocumentObject => {
  const text = JSON.stringify(document);
  const used = (kind: 'examples' | 'links'): Part =>
    mapMembers(partOf(document.components[kind]), (component, name) =>
      text.includes(`"#/components/${kind}/${name}"`) ? component : undefined,
    );
  const components = { ...document.components, examples: used('examples'), links: used('links') };
  return { ...document, components };
};
