/** Makes the links that the platform adds to every record: the canonical address and pages of the user interface. */
import { canonicalPath, type Entity, type EntityType } from '../model/entity.ts';
import { entityPath } from '../site/site.ts';
import type { EntityLink, LinkContext } from './link-context.ts';

/** Relations that IANA registers are written as they are. Other relations get the site's relations base as a prefix. */
const registered: ReadonlySet<string> = new Set(['canonical', 'collection', 'edit-form', 'version-history']);

/**
 * Every requester gets these links, with the real site's targets and order. Atoll does not serve the pages. A site can
 * switch the links off with `links.platform: false`; then only `canonical` stays.
 */
export const platformLinks = (entity: Entity, { site, baseUrl }: Pick<LinkContext, 'site' | 'baseUrl'>): EntityLink[] =>
  pagesOf(entity, entityPath(site, entity))
    .filter(([name]) => site.platformLinks || name === 'canonical')
    .map(([name, path]) => ({
      kind: name === 'canonical' ? 'kept' : 'page',
      target: baseUrl + path,
      rel: registered.has(name) ? name : `${site.relationsBase}/${name}`,
    }));

type Page = readonly [relation: string, path: string];

/** `address` is where the record is; its other pages lie below its canonical path. */
const pagesOf = ({ type, id, bundle }: Entity, address: string): readonly Page[] =>
  pagesByType[type](canonicalPath(type, id), id, bundle).map(([name, path]) => [
    name,
    name === 'canonical' || name === 'revision' ? address : path,
  ]);

const pagesByType: { readonly [T in EntityType]: (path: string, id: number, bundle: string) => readonly Page[] } = {
  node: (path, id) => [
    ['canonical', path],
    ['delete-form', `${path}/delete`],
    ['delete-multiple-form', `/admin/content/node/delete?node=${id}`],
    ['edit-form', `${path}/edit`],
    ['version-history', `${path}/revisions`],
    ['revision', path],
    ['create', `/node?node=${id}`],
  ],
  media: (path, id, bundle) => [
    ['add-page', '/media/add'],
    ['add-form', `/media/add/${bundle}`],
    ['canonical', path],
    ['collection', '/admin/content/media'],
    ['delete-form', `${path}/delete`],
    ['delete-multiple-form', `/media/delete?media=${id}`],
    ['edit-form', `${path}/edit`],
    ['version-history', `${path}/revisions`],
    ['revision', path],
  ],
  taxonomy_term: (path, id) => [
    ['canonical', path],
    ['delete-form', `${path}/delete`],
    ['edit-form', `${path}/edit`],
    ['create', `/taxonomy/term?taxonomy_term=${id}`],
    ['revision', path],
    ['version-history', `${path}/revisions`],
  ],
  file: (_path, id) => [['delete-form', `/file/${id}/delete`]],
  path_alias: () => [],
  redirect: () => [],
  user: (path) => [
    ['canonical', path],
    ['edit-form', `${path}/edit`],
    ['cancel-form', `${path}/cancel`],
    ['collection', '/admin/people'],
  ],
};
