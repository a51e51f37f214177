/** Renders an entity in the `jsonld` format. `jsonld-values.ts` writes the values of its fields. */
import { entityKey, firstValue, items, type Entity, type JsonObject } from '../model/entity.ts';
import { oncePerBundle, type Bundle, type FieldDefinition } from '../model/bundle.ts';
import { graphAdditionsOf } from '../model/graph-additions.ts';
import { targetTypeOf } from '../content/fields/field-type.ts';
import type { Records } from '../content/reading.ts';
import { visibleBundle } from '../content/fields/restricted-fields.ts';
import { entityPath, type Site } from '../site/site.ts';
import { contentUrl } from './content-url.ts';
import type { ItemContext } from './json-items.ts';
import { jsonldValues } from './jsonld-values.ts';
import { bundleOf, sourceFieldOf, targetsOf } from './targets.ts';
import { externalUri } from './uri.ts';

type JsonLdContext = Pick<ItemContext, 'site' | 'baseUrl' | 'viewer'> & { readonly records: Pick<Records, 'get'> };

/** What the addresses in a graph depend on. */
type Addressing = Pick<ItemContext, 'site' | 'baseUrl'>;

/** The entity that a graph is about, and what writing the graph needs. */
type GraphContext = Addressing & {
  readonly entity: Entity;
  readonly bundle: Bundle;
  readonly records: Pick<Records, 'get'>;
};

/** A value under one or more predicates, and the entity that the value stands for, if any. */
type Statement = { readonly predicates: readonly string[]; readonly value: JsonObject; readonly target?: Entity };

/**
 * `{"@graph": [subject, …referenced]}` with the mapped fields only, in the mapping's order. Every entity that they refer to
 * also becomes a graph node with `@id` and `@type`. Dead references are left out.
 */
export const renderJsonLd = (entity: Entity, { site, baseUrl, viewer, records }: JsonLdContext): JsonObject => {
  const bundle = visibleBundle(bundleOf(site, entity), entity, viewer);
  const graph: GraphContext = { site, baseUrl, entity, bundle, records };
  if (entity.type === 'file') return renderFile(graph);
  const statements = [
    ...withoutRepeated(mappedStatements(graph)),
    ...relationStatements(graph),
    ...selfStatements(graph),
  ];
  const id = subjectId(graph);
  const subject = { '@id': id, '@type': subjectTypes(graph), ...predicatesOf(statements) };
  const referenced = new Map(
    statements.flatMap(({ target }) => (target ? [[idOf(target, graph), graphNode(target, graph)] as const] : [])),
  );
  referenced.delete(id);
  return { '@graph': [subject, ...referenced.values()] };
};

/** A file's graph has no fields. The real site, too, writes the member `uri` next to the graph. */
const renderFile = ({ entity, ...context }: GraphContext): JsonObject => {
  const id = idOf(entity, context);
  return { '@graph': [graphNode(entity, context)], uri: [{ value: id }] };
};

const mappedStatements = (graph: GraphContext): Statement[] =>
  [...(graph.bundle.rdf?.fields ?? [])].flatMap(([name, predicates]) => {
    const field = graph.bundle.fields.get(name);
    if (field === undefined) return [];
    return targetTypeOf(field) === undefined
      ? valuesOf(field, graph).map((value) => ({ predicates, value }))
      : targetsOf(graph.entity, field, graph.records).map((target) => reference(predicates, target, graph));
  });

/** A predicate of the mapping leads to each address once, also when several fields name it. */
const withoutRepeated = (statements: readonly Statement[]): Statement[] => {
  const met = new Set<string>();
  return statements.map((statement) => {
    const { '@id': id } = statement.value;
    if (typeof id !== 'string') return statement;
    const fresh = statement.predicates.filter((predicate) => !met.has(`${predicate} ${id}`));
    for (const predicate of fresh) met.add(`${predicate} ${id}`);
    return fresh.length === statement.predicates.length ? statement : { ...statement, predicates: fresh };
  });
};

const valuesOf = (field: FieldDefinition, { entity, bundle, site }: GraphContext): readonly JsonObject[] => {
  const langcode = firstValue(entity, 'langcode');
  return jsonldValues(items(entity, field.name), field, {
    langcode: typeof langcode === 'string' ? langcode : site.langcode,
    isConverted: bundle.rdf?.asWritten.has(field.name) !== true,
  });
};

const reference = (predicates: readonly string[], target: Entity, context: Addressing): Statement => ({
  predicates,
  value: { '@id': idOf(target, context) },
  target,
});

const relationsOf = oncePerBundle((bundle): readonly FieldDefinition[] =>
  [...bundle.fields.values()].filter((field) => field.type === 'typed_relation'),
);

/**
 * A typed relation is also written under its own relation, whether the field is mapped or not. Only a mapped field makes a
 * graph node of its target.
 */
const relationStatements = (graph: GraphContext): Statement[] =>
  relationsOf(graph.bundle).flatMap((field) =>
    items(graph.entity, field.name).flatMap(({ target_id: id, rel_type: relation }) => {
      const type = targetTypeOf(field);
      const target = type && typeof id === 'number' ? graph.records.get(entityKey(type, id)) : undefined;
      // A keyword of JSON-LD is no predicate.
      return target && typeof relation === 'string' && !relation.startsWith('@')
        ? [{ predicates: [expandedName(relation, graph.site.namespaces)], value: { '@id': idOf(target, graph) } }]
        : [];
    }),
  );

/** The IRI of `relators:aut`. A name without a prefix, or with one that the site does not know, stays as it is. */
const expandedName = (name: string, namespaces: Site['namespaces']): string => {
  const [prefix = '', local] = name.split(/:(.*)/s);
  const namespace = namespaces.get(prefix);
  return local === undefined || namespace === undefined ? name : namespace + local;
};

/** Usually a node is `sameAs` its own address, and the subject of a media's graph is `describedby` the media. */
const selfStatements = (graph: GraphContext): Statement[] => {
  const { selfPredicates: predicates } = graphAdditionsOf(graph.bundle);
  return predicates.length === 0 ? [] : [{ predicates, value: { '@id': idOf(graph.entity, graph) } }];
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
  `${baseUrl}${entityPath(site, entity)}${site.jsonldFormatSuffix ? '?_format=jsonld' : ''}`;

const graphNode = (entity: Entity, context: Addressing): JsonObject => ({
  '@id': idOf(entity, context),
  '@type': typesOf(entity, context),
});

const predicatesOf = (statements: readonly Statement[]): JsonObject => {
  const values = new Map<string, JsonObject[]>();
  for (const { predicates, value } of statements) {
    for (const predicate of predicates) {
      const present = values.get(predicate);
      if (present === undefined) values.set(predicate, [value]);
      else present.push(value);
    }
  }
  return Object.fromEntries(values);
};
