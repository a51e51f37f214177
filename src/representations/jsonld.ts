/** The `jsonld` format: the graph of an entity and of what it refers to. Values of plain fields are in `jsonld-values.ts`. */
import { canonicalPath, entityKey, firstValue, items, type Entity, type JsonObject } from '../model/entity.ts';
import type { Bundle, FieldDefinition } from '../model/bundle.ts';
import type { Site } from '../site/site.ts';
import type { EntityStore } from '../model/entity-store.ts';
import { contentUrl } from './content-url.ts';
import { jsonldValues } from './jsonld-values.ts';
import {
  bundleOf,
  fetchTargets,
  referenceKeys,
  sourceFieldOf,
  targetsOf,
  targetTypeOf,
  type Targets,
} from './targets.ts';
import { externalUri } from './uri.ts';

export type JsonLdContext = {
  readonly site: Site;
  readonly store: Pick<EntityStore, 'getMany'>;
  /** Scheme, host, port and world prefix, without a slash at the end. */
  readonly baseUrl: string;
};

/** One entity on its way into a graph. */
type Scene = JsonLdContext & {
  readonly entity: Entity;
  readonly bundle: Bundle;
  readonly targets: Targets;
};

/** A value under one or more predicates, and the entity it stands for, if any. */
type Statement = { readonly predicates: readonly string[]; readonly value: JsonObject; readonly target?: Entity };

/**
 * `{"@graph": [subject, …referenced]}` (reference 6): mapped fields only, in the mapping's order; every reference once more
 * as a graph node with `@id` and `@type`; dead references vanish. Everything referred to is fetched in one call.
 */
export const renderJsonLd = async (entity: Entity, context: JsonLdContext): Promise<JsonObject> => {
  const bundle = bundleOf(context.site, entity);
  const consulted = [...bundle.fields.values()].filter((field) => isConsulted(field, bundle));
  const targets = await fetchTargets(
    context.store,
    consulted.flatMap((field) => referenceKeys(entity, field)),
  );
  const scene: Scene = { ...context, entity, bundle, targets };
  if (entity.type === 'file') return renderFile(scene);
  const statements = [...mappedStatements(scene), ...relationStatements(scene), ...selfStatements(scene)];
  const id = subjectId(scene);
  const subject = { '@id': id, '@type': subjectTypes(scene), ...predicatesOf(statements) };
  const referenced = new Map(
    statements.flatMap(({ target }) => (target ? [[idOf(target, context), graphNode(target, context)] as const] : [])),
  );
  referenced.delete(id);
  return { '@graph': [subject, ...referenced.values()] };
};

/** The fields whose terms say what kind of thing the entity is (reference 6: type alter). */
const typeFields: Partial<Record<Entity['type'], string>> = { node: 'field_model', media: 'field_media_use' };

const isConsulted = (field: FieldDefinition, bundle: Bundle): boolean =>
  field.type === 'typed_relation' ||
  field.name === typeFields[bundle.entityType] ||
  field.name === bundle.source?.field ||
  (bundle.rdf?.fields.has(field.name) ?? false);

/** A file has no fields in its graph, but an odd second member beside it, which is real (reference 6). */
const renderFile = ({ entity, ...context }: Scene): JsonObject => {
  const id = idOf(entity, context);
  return { '@graph': [graphNode(entity, context)], uri: [{ value: id }] };
};

const mappedStatements = (scene: Scene): Statement[] =>
  [...(scene.bundle.rdf?.fields ?? [])].flatMap(([name, predicates]) => {
    const field = scene.bundle.fields.get(name);
    if (field === undefined) return [];
    return targetTypeOf(field) === undefined
      ? valuesOf(field, scene).map((value) => ({ predicates, value }))
      : targetsOf(scene.entity, field, scene.targets).map((target) => reference(predicates, target, scene));
  });

const valuesOf = (field: FieldDefinition, { entity, site }: Scene): JsonObject[] => {
  const langcode = firstValue(entity, 'langcode');
  return items(entity, field.name).flatMap((item) =>
    jsonldValues(item, field, typeof langcode === 'string' ? langcode : site.langcode),
  );
};

const reference = (predicates: readonly string[], target: Entity, context: JsonLdContext): Statement => ({
  predicates,
  value: { '@id': idOf(target, context) },
  target,
});

/** Typed relations stand under their relation too, whether the field is mapped or not (reference 6). */
const relationStatements = (scene: Scene): Statement[] =>
  [...scene.bundle.fields.values()]
    .filter((field) => field.type === 'typed_relation')
    .flatMap((field) =>
      items(scene.entity, field.name).flatMap(({ target_id: id, rel_type: relation }) => {
        const type = targetTypeOf(field);
        const target = type && typeof id === 'number' ? scene.targets.get(entityKey(type, id)) : undefined;
        const predicate = typeof relation === 'string' ? relationIri(relation) : undefined;
        return target && predicate !== undefined ? [reference([predicate], target, scene)] : [];
      }),
    );

/** `relators:aut` to its IRI. open: relations with other prefixes are unknown to the site's fields and left out. */
const relationIri = (relation: string): string | undefined => {
  if (/^https?:\/\//.test(relation)) return relation;
  const code = /^relators:(.+)$/.exec(relation)?.[1];
  return code === undefined ? undefined : `http://id.loc.gov/vocabulary/relators/${code}`;
};

/** A node is the same as its address; a media's file is described by the media (reference 6). */
const selfStatements = (scene: Scene): Statement[] => {
  const { entity } = scene;
  if (entity.type === 'node') {
    return [{ predicates: ['http://schema.org/sameAs'], value: { '@id': idOf(entity, scene) } }];
  }
  return entity.type === 'media' && sourceUrl(scene) !== undefined
    ? [
        {
          predicates: ['http://www.iana.org/assignments/relation/describedby'],
          value: { '@id': idOf(entity, scene) },
        },
      ]
    : [];
};

/** A media speaks about its file; without one about itself (reference 2.5, 6). */
const subjectId = (scene: Scene): string => sourceUrl(scene) ?? idOf(scene.entity, scene);

const sourceUrl = ({ entity, bundle, targets, site, baseUrl }: Scene): string | undefined => {
  const field = sourceFieldOf(bundle);
  const file = field && targetsOf(entity, field, targets)[0];
  return file && contentUrl(site, baseUrl, file);
};

/** The mapping's types, then the external URIs of the terms that say what the thing is. */
const subjectTypes = (scene: Scene): string | readonly string[] => {
  const { entity, bundle, targets } = scene;
  const types = typesOf(entity, scene);
  const field = bundle.fields.get(typeFields[entity.type] ?? '');
  const uris = field ? targetsOf(entity, field, targets).flatMap((term) => externalUri(term) ?? []) : [];
  return uris.length === 0 ? types : [types, uris].flat();
};

/** A bundle without mapping has one type of this server's own making, as a string (reference 6). */
const typesOf = (entity: Entity, { site, baseUrl }: JsonLdContext): string | readonly string[] =>
  site.model.bundle(entity.type, entity.bundle)?.rdf?.types ?? `${baseUrl}/rest/type/${entity.type}/${entity.bundle}`;

/** The absolute address that names an entity in graphs: a file by its content, others by their canonical URL. */
const idOf = (entity: Entity, { site, baseUrl }: JsonLdContext): string =>
  (entity.type === 'file' ? contentUrl(site, baseUrl, entity) : undefined) ??
  `${baseUrl}${canonicalPath(entity.type, entity.id)}${site.jsonldFormatSuffix ? '?_format=jsonld' : ''}`;

const graphNode = (entity: Entity, context: JsonLdContext): JsonObject => ({
  '@id': idOf(entity, context),
  '@type': typesOf(entity, context),
});

const predicatesOf = (statements: readonly Statement[]): JsonObject => {
  const values = new Map<string, JsonObject[]>();
  for (const { predicates, value } of statements) {
    for (const predicate of predicates) values.set(predicate, [...(values.get(predicate) ?? []), value]);
  }
  return Object.fromEntries(values);
};
