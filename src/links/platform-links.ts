/** The links that the platform adds to every record: the canonical address and pages of the user interface. */
import { canonicalPath, type Entity } from '../model/entity.ts';
import type { EntityLink, LinkContext } from './link-context.ts';

/** Relations that IANA registers are written bare. The others get the site's relations base as a prefix. */
const registered: ReadonlySet<string> = new Set(['canonical', 'collection', 'edit-form', 'version-history']);

/**
 * Every requester gets these links, with the real site's targets and order. Atoll does not serve the pages. A site can
 * switch the links off with `links.platform: false`; then only `canonical` stays.
 */
export const platformLinks = (entity: Entity, { site, baseUrl }: Pick<LinkContext, 'site' | 'baseUrl'>): EntityLink[] =>
  pagesOf(entity)
    .filter(([name]) => site.platformLinks || name === 'canonical')
    .map(([name, path]) => ({
      kind: name === 'canonical' ? 'kept' : 'page',
      target: baseUrl + path,
      rel: registered.has(name) ? name : `${site.relationsBase}/${name}`,
    }));

type Page = readonly [relation: string, path: string];

const pagesOf = (entity: Entity): readonly Page[] => {
  const { id, bundle } = entity;
  const path = canonicalPath(entity.type, id);
  switch (entity.type) {
    case 'node':
      return [
        ['canonical', path],
        ['delete-form', `${path}/delete`],
        ['delete-multiple-form', `/admin/content/node/delete?node=${id}`],
        ['edit-form', `${path}/edit`],
        ['version-history', `${path}/revisions`],
        ['revision', path],
        ['create', `/node?node=${id}`],
      ];
    case 'media':
      return [
        ['add-page', '/media/add'],
        ['add-form', `/media/add/${bundle}`],
        ['canonical', path],
        ['collection', '/admin/content/media'],
        ['delete-form', `${path}/delete`],
        ['delete-multiple-form', `/media/delete?media=${id}`],
        ['edit-form', `${path}/edit`],
        ['version-history', `${path}/revisions`],
        ['revision', path],
      ];
    case 'taxonomy_term':
      return [
        ['canonical', path],
        ['delete-form', `${path}/delete`],
        ['edit-form', `${path}/edit`],
        ['create', `/taxonomy/term?taxonomy_term=${id}`],
        ['revision', path],
        ['version-history', `${path}/revisions`],
      ];
    case 'file':
      return [['delete-form', `/file/${id}/delete`]];
    case 'user':
      return [];
  }
};
