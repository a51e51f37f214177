/** Finds up to three entities to look at first: a collection, an image object, and the media of that image. */
import { mediaOf, labelOf, type World } from '../../repository/repository.ts';
import { viewVerdict } from '../../repository/repository-content.ts';
import type { components } from '../../client/generated/control.ts';
import { pageOfEntities } from './entity-page.ts';
import { jsonUrlOf } from './entity-summaries.ts';
import type { Entity } from '../../openapi/openapi-records.ts';

type EntryPoint = components['schemas']['EntryPoint'];

/** Searches the first 50 nodes only. An empty repository has no entry points. */
export const entryPoints = async ({ store, baseUrl, site, access }: World): Promise<EntryPoint[]> => {
  const { entities } = await pageOfEntities({ store, baseUrl, site }, { type: 'node' });
  const [collection] = entities.filter(({ published, model }) => published && model === 'Collection');
  const images = entities.filter(({ published, model }) => published && model === 'Image');
  const media = await store.lookupMany(images.map(({ id }) => mediaOf(id)));
  const index = media.findIndex((found) => found.length > 0);
  const original = media[index]?.[0];
  return [
    ...entry('A collection', collection),
    ...entry('An image object', images[index]),
    ...(original === undefined
      ? []
      : entry(isOpen(original, access) ? 'Its media' : 'Its media (needs an account)', {
          type: 'media',
          id: original.id,
          title: labelOf(original),
          url: jsonUrlOf(original, { baseUrl, site }),
        })),
  ];
};

/** Whether visitors without an account may view a media. */
const isOpen = (media: Entity, { anonymous }: World['access']): boolean =>
  viewVerdict(anonymous, media, { open: false, media: [] }) === undefined;

const entry = (kind: string, entity: EntryPoint | undefined): EntryPoint[] =>
  entity === undefined
    ? []
    : [{ title: `${kind}: ${entity.title}`, url: entity.url, type: entity.type, id: entity.id }];
