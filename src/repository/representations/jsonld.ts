/** Renders an entity in the `jsonld` format. The types of its fields write their values (`repository/fields`). */
import { bundleOf, oncePerBundle, type Bundle, type FieldDefinition } from '../model/bundle.ts';
import { graphAdditionsOf } from '../model/graph-additions.ts';
import { targetTypeOf } from '../fields/values.ts';
import type { Records } from '../model/reading.ts';
import { visibleBundle } from '../content/fields/field-access.ts';
import { neutralPath, type Site } from '../site/site.ts';
import { contentUrl } from '../site/content-url.ts';
import type { JsonContext } from '../fields/field-type.ts';
import { fieldTypeOf } from '../fields/field-types.ts';
import { sourceFieldOf, targetsOf } from './targets.ts';
import { externalUri } from '../model/uri.ts';
import { entityKey, firstValue, items, type Entity } from '../../openapi/openapi-records.ts';
import type { JsonObject } from '../../basics/json.ts';

type JsonLdContext = Pick<JsonContext, 'site' | 'baseUrl' | 'viewer'> & { readonly records: Pick<Records, 'get'> };

/** What the addresses in a graph depend on. */
type Addressing = Pick<JsonContext, 'site' | 'baseUrl'>;

/** The entity that a graph is about, and what writing the graph needs. */
type GraphContext = Addressing & {
  readonly entity: Entity;
  readonly bundle: Bundle;
  readonly records: Pick<Records, 'get'>;
};

/** What has been written of a subject: its values by predicate, and a node for each record that they refer to, by its `@id`. */
type Written = { readonly values: Map<string, JsonObject[]>; readonly referenced: Map<string, JsonObject> };

/**
 * `{"@graph": [subject, …referenced]}` with the mapped fields only, in the mapping's order. Every entity that they refer to
 * also becomes a graph node with `@id` and `@type`. Dead references are left out.
 */
export const renderJsonLd = (entity: Entity, { site, baseUrl, viewer, records }: JsonLdContext): JsonObject => {
  const bundle = visibleBundle(bundleOf(site, entity), entity, viewer);
  const graph: GraphContext = { site, baseUrl, entity, bundle, records };
  if (entity.type === 'file') return renderFile(graph);
  const written: Written = { values: new Map(), referenced: new Map() };
  writeMapped(graph, written);
  writeRelations(graph, written);
  writeSelf(graph, written);
  const id = subjectId(graph);
  const subject = { '@id': id, '@type': subjectTypes(graph), ...Object.fromEntries(written.values) };
  written.referenced.delete(id);
  return { '@graph': [subject, ...written.referenced.values()] };
};

const write = ({ values }: Written, predicates: readonly string[], value: JsonObject): void => {
  for (const predicate of predicates) {
    const present = values.get(predicate);
    if (present === undefined) values.set(predicate, [value]);
    else present.push(value);
  }
};

/** A predicate of the mapping leads to each address once, also when several fields name it. */
const writeOnce = (written: Written, predicates: readonly string[], value: JsonObject): void => {
  const { '@id': id } = value;
  const isFresh = (predicate: string): boolean =>
    written.values.get(predicate)?.every((one) => one['@id'] !== id) ?? true;
  write(written, typeof id === 'string' ? predicates.filter(isFresh) : predicates, value);
};

/** A file's graph has no fields. The real site, too, writes the member `uri` next to the graph. */
const renderFile = ({ entity, ...context }: GraphContext): JsonObject => {
  const id = idOf(entity, context);
  return { '@graph': [graphNode(entity, context)], uri: [{ value: id }] };
};

type MappedField = {
  readonly field: FieldDefinition;
  readonly predicates: readonly string[];
  readonly refers: boolean;
};

const mappedFieldsOf = oncePerBundle(({ rdf, fields }): readonly MappedField[] =>
  [...(rdf?.fields ?? [])].flatMap(([name, predicates]) => {
    const field = fields.get(name);
    return field === undefined ? [] : [{ field, predicates, refers: targetTypeOf(field) !== undefined }];
  }),
);

const writeMapped = (graph: GraphContext, written: Written): void => {
  const { entity, bundle, records } = graph;
  for (const { field, predicates, refers } of mappedFieldsOf(bundle)) {
    if (entity.fields[field.name] === undefined) continue;
    if (!refers) for (const value of valuesOf(field, predicates, graph)) writeOnce(written, predicates, value);
    else
      for (const target of targetsOf(entity, field, records)) {
        const { id, reference, node } = graphTarget(target, graph);
        writeOnce(written, predicates, reference);
        written.referenced.set(id, node);
      }
  }
};

/**
 * The values of stored items. References and items without a value have none here. Dates follow once more, typed. Under a name whose
 * prefix no module declares, so that it stands for itself, values have no type.
 */
const valuesOf = (
  field: FieldDefinition,
  [predicate = '']: readonly string[],
  { entity, bundle, site }: GraphContext,
): readonly JsonObject[] => {
  const { jsonld: valuesIn, jsonldAgain } = fieldTypeOf(field);
  if (valuesIn === undefined) return [];
  const langcode = firstValue(entity, 'langcode');
  const writing = {
    langcode: typeof langcode === 'string' ? langcode : site.langcode,
    isConverted: bundle.rdf?.asWritten.has(field.name) !== true,
  };
  const values = items(entity, field.name).flatMap((item) => valuesIn(item, field, writing));
  const prefix = predicate.split(':')[0] ?? '';
  const isDeclared = site.namespaces.get(prefix) !== `${prefix}:`;
  const untyped = (value: JsonObject) => Object.fromEntries(Object.entries(value).filter(([name]) => name !== '@type'));
  const written = isDeclared ? values : values.map(untyped);
  return jsonldAgain === undefined ? written : [...written, ...written.map(jsonldAgain)];
};

/** A record as others refer to it: its `@id`, the value that has it alone, and its node. */
type GraphTarget = Addressing & { readonly id: string; readonly reference: JsonObject; readonly node: JsonObject };

/** Records never change. As in `json-items.ts`, only terms and accounts are kept. */
const graphTargets = new WeakMap<Entity, GraphTarget>();

const graphTarget = (target: Entity, { site, baseUrl }: Addressing): GraphTarget => {
  const known = graphTargets.get(target);
  if (known?.site === site && known.baseUrl === baseUrl) return known;
  const node = graphNode(target, { site, baseUrl });
  const id = idOf(target, { site, baseUrl });
  const made = { site, baseUrl, id, reference: { '@id': id }, node };
  if (target.type === 'taxonomy_term' || target.type === 'user') graphTargets.set(target, made);
  return made;
};

const relationsOf = oncePerBundle((bundle): readonly FieldDefinition[] =>
  [...bundle.fields.values()].filter((field) => fieldTypeOf(field).refers === 'with-role'),
);

/**
 * A typed relation is also written under its own relation, whether the field is mapped or not. Only a mapped field makes a
 * graph node of its target.
 */
const writeRelations = (graph: GraphContext, written: Written): void => {
  const { entity, bundle, records } = graph;
  for (const field of relationsOf(bundle)) {
    const type = targetTypeOf(field);
    for (const { target_id: id, rel_type: relation } of items(entity, field.name)) {
      const target = type && typeof id === 'number' ? records.get(entityKey(type, id)) : undefined;
      // A keyword of JSON-LD is not a predicate.
      if (target === undefined || typeof relation !== 'string' || relation.startsWith('@')) continue;
      write(written, [expandedName(relation, graph.site.namespaces)], graphTarget(target, graph).reference);
    }
  }
};

/** The IRI of `relators:aut`. A name without a prefix, or with one that the site does not know, stays as it is. */
const expandedName = (name: string, namespaces: Site['namespaces']): string => {
  const [prefix = '', local] = name.split(/:(.*)/s);
  const namespace = namespaces.get(prefix);
  return local === undefined || namespace === undefined ? name : namespace + local;
};

/** Usually a node is `sameAs` its own address, and the subject of a media's graph is `describedby` the media. */
const writeSelf = (graph: GraphContext, written: Written): void => {
  const { selfPredicates } = graphAdditionsOf(graph.bundle);
  if (selfPredicates.length > 0) write(written, selfPredicates, { '@id': idOf(graph.entity, graph) });
};

/** The subject of a media's graph is its file, or the media itself when it has no file or nothing leads back from it. */
const subjectId = (graph: GraphContext): string => {
  const isFile = graphAdditionsOf(graph.bundle).selfPredicates.length > 0;
  return (isFile ? sourceUrl(graph) : undefined) ?? idOf(graph.entity, graph);
};

const sourceUrl = ({ entity, bundle, records, site, baseUrl }: GraphContext): string | undefined => {
  const field = sourceFieldOf(bundle);
  const file = field && targetsOf(entity, field, records)[0];
  return file && contentUrl(site, baseUrl, file);
};

/** The types of the mapping, then the external URIs of the terms in the entity's type fields. */
const subjectTypes = (graph: GraphContext): string | readonly string[] => {
  const { entity, bundle, records } = graph;
  const types = typesOf(entity, graph);
  const uris = graphAdditionsOf(bundle).typeFields.flatMap((name) => {
    const field = bundle.fields.get(name);
    return field ? targetsOf(entity, field, records).flatMap((term) => externalUri(term) ?? []) : [];
  });
  return uris.length === 0 ? types : [types, uris].flat();
};

/** A bundle without a mapping has one type below this server's base URL, as a string. */
const typesOf = (entity: Entity, { site, baseUrl }: Addressing): string | readonly string[] =>
  site.model.bundle(entity.type, entity.bundle)?.rdf?.types ?? `${baseUrl}/rest/type/${entity.type}/${entity.bundle}`;

/** The `@id` of an entity: the content URL of a file, the canonical URL of others. */
const idOf = (entity: Entity, { site, baseUrl }: Addressing): string =>
  (entity.type === 'file' ? contentUrl(site, baseUrl, entity) : undefined) ??
  `${baseUrl}${neutralPath(site, entity)}${site.jsonldFormatSuffix ? '?_format=jsonld' : ''}`;

const graphNode = (entity: Entity, context: Addressing): JsonObject => ({
  '@id': idOf(entity, context),
  '@type': typesOf(entity, context),
});
