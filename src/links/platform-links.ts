/** The relations that the platform supplies for every record: canonical address and the pages of the user interface. */
import { canonicalPath, type Entity } from '../model/entity.ts';
import type { EntityLink, LinkContext } from './link-source.ts';

/** Registered with IANA, so they stand bare; the others get `{relations_base}/` in front (contract: Signposting). */
const registered: ReadonlySet<string> = new Set(['canonical', 'collection', 'edit-form', 'version-history']);

/**
 * Not filtered by permission, and their pages are not served (decisions: Platform relations; targets and order of reference
 * 4.4; recordings for terms and files). A site may leave them out: then `canonical` alone remains.
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
