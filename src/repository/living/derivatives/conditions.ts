/** Judges whether a context holds for a record: its model, its use, its bundle, the storage of its bytes. */
import { urisOfTerm } from '../../model/term-uris.ts';
import type { Site } from '../../site/site.ts';
import { isPublished, targetIds } from '../../model/entity.ts';
import type { ConditionSettings, ContextSettings } from './settings.ts';
import { parentOf, type ReadRecords, sourceFileOf } from './source-files.ts';
import { type Entity, entityKey, firstValue, schemeOf } from '../../../openapi/openapi-records.ts';

type Judged = { readonly entity: Entity; readonly site: Pick<Site, 'model'>; readonly records: ReadRecords };
type Judge = (judged: Judged, condition: ConditionSettings) => boolean;

/** The first address of each term that a record refers to by any field. */
const termUrisOf = (entity: Entity, { site, records }: Omit<Judged, 'entity'>): readonly string[] => {
  const fields = site.model.bundle(entity.type, entity.bundle)?.fields ?? new Map<string, never>();
  const terms = [...fields.values()].filter(({ target }) => target?.type === 'taxonomy_term');
  return terms
    .flatMap(({ name }) => targetIds(entity, name))
    .flatMap((id) => {
      const term = records.get(entityKey('taxonomy_term', id));
      return term === undefined ? [] : urisOfTerm(term).slice(0, 1);
    });
};

const hasTerms = (entity: Entity | undefined, judged: Judged, { uris, every }: ConditionSettings): boolean => {
  if (entity === undefined) return false;
  const found = termUrisOf(entity, judged);
  return every ? uris.every((uri) => found.includes(uri)) : uris.some((uri) => found.includes(uri));
};

/** A condition that names nothing holds for all records of its type. */
const holdsForAll = ({ negate }: ConditionSettings, list: readonly unknown[]): boolean => list.length === 0 && !negate;

const hasFields = ({ entity, site }: Judged, names: readonly string[]): boolean => {
  const fields = site.model.bundle(entity.type, entity.bundle)?.fields;
  return names.every((name) => fields?.has(name) === true);
};

const sourceOf = ({ entity, site, records }: Judged): Entity | undefined => sourceFileOf(entity, site.model, records);

const isOf = (type: Entity['type'], judge: Judge): Judge => {
  return (judged, condition) => judged.entity.type === type && judge(judged, condition);
};

const usesFilesystem = (file: Entity | undefined, condition: ConditionSettings): boolean =>
  holdsForAll(condition, condition.filesystems) ||
  (file !== undefined && condition.filesystems.includes(schemeOf(file)));

const judges: { readonly [N in ConditionSettings['is']]: Judge } = {
  content_entity_type: ({ entity }, { of }) => of.some((type) => type === entity.type),
  entity_bundle: ({ entity }, condition) =>
    holdsForAll(condition, condition.bundles) || condition.bundles.includes(entity.bundle),
  islandora_entity_bundle: ({ entity }, { of, bundles }) =>
    of.some((type) => type === entity.type) && bundles.includes(entity.bundle),
  file_uses_filesystem: isOf('file', ({ entity }, condition) => usesFilesystem(entity, condition)),
  media_uses_filesystem: isOf('media', (judged, condition) => usesFilesystem(sourceOf(judged), condition)),
  media_source_mimetype: isOf('media', (judged, { mimetype }) => {
    const file = sourceOf(judged);
    return mimetype === undefined || (file !== undefined && firstValue(file, 'filemime') === mimetype);
  }),
  media_has_term: isOf(
    'media',
    (judged, condition) => holdsForAll(condition, condition.uris) || hasTerms(judged.entity, judged, condition),
  ),
  media_is_islandora_media: isOf('media', (judged) => hasFields(judged, ['field_media_of', 'field_media_use'])),
  node_has_term: isOf(
    'node',
    (judged, condition) => holdsForAll(condition, condition.uris) || hasTerms(judged.entity, judged, condition),
  ),
  node_is_islandora_object: isOf('node', (judged) => hasFields(judged, ['field_member_of'])),
  node_is_published: isOf('node', ({ entity }) => isPublished(entity)),
  parent_node_has_term: isOf(
    'media',
    (judged, condition) =>
      holdsForAll(condition, condition.uris) || hasTerms(parentOf(judged.entity, judged.records), judged, condition),
  ),
};

/** What each condition looks at. One that looks at records of another type fails, negated or not. */
const typesOf = ({ is, of }: ConditionSettings): readonly Entity['type'][] => {
  if (is === 'content_entity_type' || is.endsWith('entity_bundle')) return of;
  if (is.startsWith('node_')) return ['node'];
  return is.startsWith('file_') ? ['file'] : ['media'];
};

/** A context without a condition that looks at such records does not hold; one without conditions holds for all. */
export const holds = ({ conditions, every }: ContextSettings, judged: Judged): boolean => {
  if (conditions.length === 0) return true;
  const met = conditions.map(
    (condition) =>
      typesOf(condition).includes(judged.entity.type) && judges[condition.is](judged, condition) !== condition.negate,
  );
  return every ? met.every(Boolean) : met.some(Boolean);
};
