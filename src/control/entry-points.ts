/** Three places to begin with: a collection, an image object, its original media. */
import { canonicalPath, isPublished, labelOf, targetIds, type Entity } from '../model/entity.ts';
import { mediaOf } from '../content/index-keys.ts';
import type { World } from '../world.ts';

export type EntryPoint = { readonly title: string; readonly url: string };

/** What a repository has of the three; none in an empty one. Looks at the first 50 nodes only. */
export const entryPoints = async (world: World): Promise<EntryPoint[]> => {
  const { entities } = await world.store.list('node', { offset: 0, limit: 50 });
  const published = entities.filter(isPublished);
  const models = await modelNames(world, published);
  const named = (model: string): Entity[] => published.filter((node) => models.get(node) === model);
  const [collection] = named('Collection');
  const images = named('Image');
  const media = await world.store.lookupMany(images.map(({ id }) => mediaOf(id)));
  const index = media.findIndex((found) => found.length > 0);
  const image = images[index];
  const original = media[index]?.[0];
  return [
    ...entry(world, 'A collection', collection),
    ...entry(world, 'An image object', image),
    ...entry(world, 'Its media (needs an account)', original),
  ];
};

const entry = (world: World, what: string, entity: Entity | undefined): EntryPoint[] =>
  entity === undefined
    ? []
    : [
        {
          title: `${what}: ${labelOf(entity)}`,
          url: `${world.baseUrl}${canonicalPath(entity.type, entity.id)}?_format=json`,
        },
      ];

const modelNames = async (world: World, nodes: readonly Entity[]): Promise<ReadonlyMap<Entity, string>> => {
  const keys = nodes.map((node) => `taxonomy_term:${targetIds(node, 'field_model')[0] ?? 0}` as const);
  const terms = await world.store.getMany(keys);
  return new Map(nodes.map((node, index) => [node, terms[index] === undefined ? '' : labelOf(terms[index])]));
};
