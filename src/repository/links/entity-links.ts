/** Decides which links an entity has for a requester: the sources of its links, and the lines of its `Link` header. */
import { type RepositoryType, isRepositoryType } from '../model/entity.ts';
import { fieldTypeOf } from '../fields/field-types.ts';
import { canonicalPath, labelOf, targetIds } from '../model/entity.ts';
import { oncePerBundle, type FieldDefinition } from '../model/bundle.ts';
import { mediaOf } from '../model/index-keys.ts';
import { externalUrisIn } from '../model/term-uris.ts';
import { eachOf } from '../model/reading.ts';
import { contentUrl } from '../site/content-url.ts';
import { mediaTypes } from '../representations/represent.ts';
import { sourceFieldOf, targetsOf } from '../representations/targets.ts';
import { externalUri } from '../model/uri.ts';
import { entityPath } from '../site/site.ts';
import { entityUrl, linksetLink, shownBundle, viewable, type LinkContext } from './link-context.ts';
import { boundedLinks, maxLinkLines, type EntityLink } from './typed-link.ts';
import { entityKey, firstValue, type Entity } from '../../openapi/openapi-records.ts';

/** The `Link` header lines of an entity for one requester, within both limits. */
export const linkHeadersOf = (entity: Entity, context: Omit<LinkContext, 'mediaLimit'>): string[] => {
  const links = linksOf(entity, { ...context, mediaLimit: maxLinkLines + 1 });
  return boundedLinks(links, linksetLink(entity, context));
};

/**
 * Platform links first, then the links of a node or a media. Terms, files and accounts have platform links only, and so has
 * everything on a site without those of the module Islandora. The links are those for one requester.
 */
export const linksOf = (entity: Entity, context: LinkContext): EntityLink[] => {
  const { site } = context;
  const links = platformLinks(entity, context);
  if (!site.linkHeaders || !site.modules.islandora) return links;
  if (entity.type === 'node') return [...links, ...nodeLinks(entity, context)];
  return entity.type === 'media' ? [...links, ...mediaLinks(entity, context)] : links;
};

/** In this order: references, alternates, `edit-media`, `describes`. */
const mediaLinks = (media: Entity, context: LinkContext): EntityLink[] => [
  ...referenceLinks(media, context),
  ...alternateLinks(media, context),
  ...editMediaLinks(media, context),
  ...describesLinks(media, context),
];

const editMediaLinks = (media: Entity, context: LinkContext): EntityLink[] =>
  context.mayEditSource(media)
    ? [{ kind: 'kept', target: `${context.baseUrl}${canonicalPath('media', media.id)}/source`, rel: 'edit-media' }]
    : [];

/** A link to the content of the source file, when the requester may view the file and the file has not lost its bytes. */
const describesLinks = (media: Entity, context: LinkContext): EntityLink[] => {
  const field = sourceFieldOf(shownBundle(media, context));
  const file = field && targetsOf(media, field, context.records).find(({ blob }) => blob !== undefined);
  const target = file && context.canView(file) ? contentUrl(context.site, context.baseUrl, file) : undefined;
  if (file === undefined || target === undefined) return [];
  const type = firstValue(file, 'filemime');
  return [{ kind: 'kept', target, rel: 'describes', ...(typeof type === 'string' ? { type } : {}) }];
};

/** In this order: references, media, alternates. */
const nodeLinks = (node: Entity, context: LinkContext): EntityLink[] => [
  ...referenceLinks(node, context),
  ...useLinks(context.records.lookup(mediaOf(node.id)), context),
  ...alternateLinks(node, context),
];

/** A node can have 10,000 media, but a header holds 60 links: no more media are looked at than it takes. */
const useLinks = (media: readonly Entity[], context: LinkContext): readonly EntityLink[] => {
  const { mediaLimit: limit, records } = context;
  if (limit === undefined)
    return eachOf(media, (each) => linksToMedia(each, context), { records, name: 'media' }).flat();
  const links: EntityLink[] = [];
  for (const each of media) {
    if (links.length >= limit) break;
    links.push(...linksToMedia(each, context));
  }
  return links;
};

const none: readonly EntityLink[] = [];

/** One link for each media-use term that the site links by, with its label. A term that the requester may not view makes no link. */
const linksToMedia = (media: Entity, context: LinkContext): readonly EntityLink[] => {
  if (!context.canView(media)) return none;
  return targetIds(media, 'field_media_use').flatMap((id): readonly EntityLink[] => {
    const term = context.records.get(entityKey('taxonomy_term', id));
    if (term === undefined || !isLinkedUse(term, context.site) || !context.canView(term)) return none;
    return [{ kind: 'media', target: entityUrl(media, context), rel: 'related', title: labelOf(term) }];
  });
};

/** Most sites link media of every use, and then no address is looked for. */
const isLinkedUse = (term: Entity, site: LinkContext['site']): boolean =>
  site.mediaLinks === 'every' || isLinkedUseUri(externalUrisIn(term)[0]);

/** A real site looks at the first address of the term alone. */
export const isLinkedUseUri = (uri: string | undefined): boolean => uri?.startsWith('http://pcdm.org/use#') === true;

/** Only configured entity references make links. Base fields, typed relations and files make none. */
const linkedFieldsOf = oncePerBundle((bundle): readonly FieldDefinition[] =>
  [...bundle.fields.values()].filter((field) => field.configured && fieldTypeOf(field).refers === 'plainly'),
);

/** Links in the order of field machine names, then of items. Only entities that the requester may view get a link. */
const referenceLinks = (entity: Entity, context: LinkContext): EntityLink[] => {
  const links: EntityLink[] = [];
  for (const field of linkedFieldsOf(shownBundle(entity, context))) {
    if (entity.fields[field.name] === undefined) continue;
    for (const target of viewable(targetsOf(entity, field, context.records), context)) {
      links.push(referenceLink(target, field, context));
    }
  }
  return links;
};

/** A term gets a `tag` link, with its name as the title. Any other entity gets `related`, with the field's label. */
const referenceLink = (
  target: Entity,
  field: FieldDefinition,
  context: Pick<LinkContext, 'site' | 'baseUrl'>,
): EntityLink =>
  target.type === 'taxonomy_term'
    ? { kind: 'tag', target: externalUri(target) ?? entityUrl(target, context), rel: 'tag', title: labelOf(target) }
    : { kind: 'related', target: entityUrl(target, context), rel: 'related', title: field.label };

/** One `alternate` link for every enabled format except the answer's own, in the order of the configuration. */
const alternateLinks = (
  entity: Entity,
  context: Pick<LinkContext, 'site' | 'baseUrl' | 'format' | 'formats'>,
): EntityLink[] =>
  context.formats
    .filter((format) => format !== context.format)
    .map((format) => ({
      kind: 'kept',
      target: `${entityUrl(entity, context)}?_format=${format}`,
      rel: 'alternate',
      type: mediaTypes[format],
    }));

/** Relations that IANA registers are written as they are. Other relations get the site's relations base as a prefix. */
const registered: ReadonlySet<string> = new Set([
  ...['canonical', 'collection', 'edit-form', 'version-history', 'latest-version'],
]);

/**
 * Every requester gets these links, with the real site's targets and order. Atoll does not serve the pages. A site can
 * switch the links off with `links.platform: false`; then only `canonical` stays.
 */
export const platformLinks = (entity: Entity, { site, baseUrl }: Pick<LinkContext, 'site' | 'baseUrl'>): EntityLink[] =>
  [...pagesOf(entity, entityPath(site, entity)), ...draftPages(entity, site)]
    .filter(([name]) => site.platformLinks || name === 'canonical')
    .map(([name, path]) => ({
      kind: name === 'canonical' ? 'kept' : 'page',
      target: baseUrl + path,
      rel: registered.has(name) ? name : `${site.relationsBase}/${name}`,
    }));

type Page = readonly [relation: string, path: string];

const noPages: readonly Page[] = [];

/** The module adds its page to the address that a type has by itself, which for media is that of the form. */
const draftPages = ({ type, id }: Entity, { modules }: LinkContext['site']): readonly Page[] => {
  if (!modules.contentModeration || !['node', 'media', 'taxonomy_term'].includes(type)) return noPages;
  return [['latest-version', `${canonicalPath(type, id)}${type === 'media' ? '/edit' : ''}/latest`]];
};

/** `address` is where the record is; its other pages lie below its canonical path. */
const pagesOf = ({ type, id, bundle }: Entity, address: string): readonly Page[] =>
  !isRepositoryType(type)
    ? noPages
    : pagesByType[type](canonicalPath(type, id), id, bundle).map(([name, path]) => [
        name,
        name === 'canonical' || name === 'revision' ? address : path,
      ]);

const pagesByType: { readonly [T in RepositoryType]: (path: string, id: number, bundle: string) => readonly Page[] } = {
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
