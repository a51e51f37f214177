/** Makes the summaries of entities for lists: their titles, models and addresses, and what shows them as a picture. */
import {
  mediaOfWithTerm,
  termWithUri,
  rankOfUses,
  isPublished,
  labelOf,
  targetIds,
  type RepositoryType,
  contentUrl,
  addressPath,
  type Site,
  type World,
} from '../../repository/repository.ts';
import { changedOf, modelField } from '../../repository/repository-content.ts';
import type { components } from '../../client/generated/control.ts';
import {
  entityKey,
  firstValue,
  keyOf,
  type Entity,
  type EntityKey,
  type EntityStore,
} from '../../openapi/openapi-records.ts';

type Summary = components['schemas']['EntitySummary'];
type Listing = Pick<World, 'store' | 'baseUrl' | 'site'>;

const thumbnailUse = 'http://pcdm.org/use#ThumbnailImage';

/** In the order of the entities. Needs at most five calls of the store, however many entities there are. */
export const summariesOf = async (entities: readonly Entity[], world: Listing): Promise<Summary[]> => {
  const { store, site } = world;
  const models = await modelTerms(store, entities);
  const thumbnails = await thumbnailMedia(store, entities);
  const files = await filesOf(
    [...entities, ...thumbnails.values()].filter(({ type }) => type === 'media'),
    world,
  );
  return entities.map((entity) => {
    const shown: Shown = { models, files, thumbnail: thumbnails.get(entity.id) };
    return { ...summaryOf(entity, world, shown), ...pictureOf(entity, site, world.baseUrl, shown) };
  });
};

type Shown = {
  /** The terms of models and uses by their ids. */
  readonly models: ReadonlyMap<number, Entity>;
  /** The source files and thumbnails of media. */
  readonly files: ReadonlyMap<EntityKey, Entity>;
  /** The media of a node with the use "Thumbnail Image". */
  readonly thumbnail: Entity | undefined;
};

/** The absolute URL of an entity as JSON. */
export const jsonUrlOf = (
  { type, id }: Pick<Entity, 'type' | 'id'>,
  { baseUrl, site }: Pick<World, 'baseUrl' | 'site'>,
): string => `${baseUrl}${addressPath(site, type, id)}?_format=json`;

const summaryOf = (entity: Entity, world: Listing, { models }: Shown): Summary => {
  const terms = modelsOf(entity).flatMap((id) => models.get(id) ?? []);
  const [model] = terms;
  const changed = changedOf(entity);
  return {
    type: entity.type as RepositoryType, // no list of the content has others
    id: entity.id,
    uuid: entity.uuid,
    bundle: entity.bundle,
    title: labelOf(entity),
    ...(model === undefined ? {} : { model: labelOf(model) }),
    ...(entity.type === 'media' ? { rank: rankOfUses(terms) } : {}),
    published: isPublished(entity),
    url: jsonUrlOf(entity, world),
    ...(changed === undefined ? {} : { changed: new Date(changed * 1000).toISOString() }),
  };
};

const modelsOf = (entity: Entity): readonly number[] => targetIds(entity, modelField(entity.type));

const modelTerms = async (store: EntityStore, entities: readonly Entity[]): Promise<ReadonlyMap<number, Entity>> => {
  const ids = [...new Set(entities.flatMap(modelsOf))];
  const terms = await store.getMany(ids.map((id) => entityKey('taxonomy_term', id)));
  return new Map(terms.flatMap((term) => (term === undefined ? [] : [[term.id, term]])));
};

/** By node: its first published media. */
const thumbnailMedia = async (
  store: EntityStore,
  entities: readonly Entity[],
): Promise<ReadonlyMap<number, Entity>> => {
  const nodes = entities.filter(({ type }) => type === 'node');
  if (nodes.length === 0) return new Map();
  const [terms = []] = await store.lookupMany([termWithUri(thumbnailUse)]);
  const uses = new Set(terms.map(({ id }) => id));
  const keys = nodes.flatMap((node) => [...uses].map((use) => ({ node: node.id, use })));
  const found = await store.lookupMany(keys.map(({ node, use }) => mediaOfWithTerm(node, use)));
  const thumbnails = new Map<number, Entity>();
  for (const [at, { node }] of keys.entries()) {
    // The index also has media that have the term for another reason.
    const media = (found[at] ?? []).filter((each) => targetIds(each, 'field_media_use').some((id) => uses.has(id)));
    const best = media.find(isPublished) ?? media[0];
    if (best !== undefined && !thumbnails.has(node)) thumbnails.set(node, best);
  }
  return thumbnails;
};

const sourceKey = (media: Entity, { model }: Site): EntityKey | undefined => {
  const source = model.bundle('media', media.bundle)?.source;
  const [id] = source === undefined || source.kind === 'oembed' ? [] : targetIds(media, source.field);
  return id === undefined ? undefined : entityKey('file', id);
};

const thumbnailKey = (media: Entity): EntityKey | undefined => {
  const [id] = targetIds(media, 'thumbnail');
  return id === undefined ? undefined : entityKey('file', id);
};

const filesOf = async (media: readonly Entity[], { store, site }: Listing): Promise<ReadonlyMap<EntityKey, Entity>> => {
  const keys = new Set(media.flatMap((each) => [sourceKey(each, site) ?? [], thumbnailKey(each) ?? []].flat()));
  const files = await store.getMany([...keys]);
  return new Map(files.flatMap((file) => (file === undefined ? [] : [[keyOf(file), file]])));
};

const mimeOf = (file: Entity | undefined): string | undefined => {
  const mime = file && firstValue(file, 'filemime');
  return typeof mime === 'string' ? mime : undefined;
};

/** Whether the file has bytes that a browser may show as a picture. */
const isImage = (file: Entity): boolean => file.blob !== undefined && mimeOf(file)?.startsWith('image/') === true;

const pictureOf = (
  entity: Entity,
  site: Site,
  baseUrl: string,
  { files, thumbnail }: Shown,
): Pick<Summary, 'thumbnail' | 'mime'> => {
  const fileAt = (key: EntityKey | undefined): Entity | undefined => (key === undefined ? undefined : files.get(key));
  const media = entity.type === 'media' ? entity : thumbnail;
  const source = entity.type === 'file' ? entity : media && fileAt(sourceKey(media, site));
  const candidates = entity.type === 'media' ? [fileAt(thumbnailKey(entity)), source] : [source];
  const picture = candidates.find((file) => file !== undefined && isImage(file));
  const url = picture && contentUrl(site, baseUrl, picture);
  const mime = entity.type === 'node' ? undefined : mimeOf(source);
  return { ...(url === undefined ? {} : { thumbnail: url }), ...(mime === undefined ? {} : { mime }) };
};
