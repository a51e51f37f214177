/** Defines what the link sources receive and return. The sources are in `entity-links.ts`. */
import type { Principal } from '../model/principal.ts';
import { bundleOf, type Bundle } from '../model/bundle.ts';
import { visibleBundle } from '../content/fields/field-access.ts';
import { eachOf, type Records } from '../model/reading.ts';
import { mayView } from '../content/views.ts';
import { editSourceVerdict } from '../content/verdicts.ts';
import { canonicalPath } from '../model/entity.ts';
import { neutralPath, type Format, type Site } from '../site/site.ts';
import type { World } from '../world.ts';
import type { TypedLink } from '../../basics/formats/typed-link.ts';
import type { Entity } from '../../openapi/openapi-records.ts';

export type LinkContext = Pick<World, 'site' | 'baseUrl'> & {
  readonly records: Records;
  /** Whether the requester may view an entity. Links lead only to entities that the requester may view. */
  readonly canView: (entity: Entity) => boolean;
  /** Who asks. Fields that the requester may not see make no links. */
  readonly viewer?: Principal | undefined;
  /** Whether the requester may replace the bytes of a media. */
  readonly mayEditSource: (media: Entity) => boolean;
  /** The format of the answer, which gets no `alternate` link. Undefined when the answer is not a representation. */
  readonly format: Format | undefined;
  /** The formats that the entity's resource offers for GET, in the order of the configuration. */
  readonly formats: readonly Format[];
  /** How many links to the media of a node are computed at most. When left out: all. */
  readonly mediaLimit?: number | undefined;
};

/** The context of the links of an entity of this type. `format` is the format of the answer. */
export const linkContextOf = (
  { site, baseUrl }: Pick<World, 'site' | 'baseUrl'>,
  { principal, records, type }: { readonly principal: Principal; readonly records: Records; readonly type: string },
  format: LinkContext['format'],
): LinkContext => {
  const viewer = { principal, records, site };
  return {
    ...{ site, baseUrl, records, format },
    viewer: principal,
    canView: (entity) => mayView(entity, viewer),
    mayEditSource: () => editSourceVerdict(principal) === undefined,
    formats: readFormats(site, type),
  };
};

/** The formats that a type's resource offers for GET. */
const readFormats = (site: Site, type: string): readonly Format[] =>
  site.resources.get(type)?.methods.get('GET')?.formats ?? [];

/** The bundle of an entity with the fields that the requester may see. */
export const shownBundle = (entity: Entity, { site, viewer }: Pick<LinkContext, 'site' | 'viewer'>): Bundle =>
  visibleBundle(bundleOf(site, entity), entity, viewer);

/** The absolute address of an entity in links of the module Islandora. */
export const entityUrl = (entity: Entity, { baseUrl, site }: Pick<LinkContext, 'baseUrl' | 'site'>): string =>
  baseUrl + neutralPath(site, entity);

/** The entities that the requester may view, in order. */
export const viewable = (entities: readonly Entity[], { canView, records }: LinkContext): readonly Entity[] => {
  const answers = eachOf(entities, canView, { records, name: 'viewable' });
  return answers.every((answer) => answer) && answers.length === entities.length
    ? entities
    : entities.filter((_, at) => answers[at]);
};

/** RFC 9264 §4.2. */
export const linksetMediaType = 'application/linkset+json' as const;

/**
 * The link to the linkset of a node or a media. Other entities have none, because their links always fit, and so does a site that
 * answers as an installation without linksets.
 */
export const linksetLink = (entity: Entity, context: Pick<LinkContext, 'baseUrl' | 'site'>): TypedLink | undefined =>
  context.site.beyond.linkset && (entity.type === 'node' || entity.type === 'media')
    ? {
        target: `${context.baseUrl}${canonicalPath(entity.type, entity.id)}/linkset`,
        rel: 'linkset',
        type: linksetMediaType,
      }
    : undefined;
