/** Writes the base fields that modules add and that are made of the record: its path, its metatags, its moderation state. */
import { aliasNumber } from '../content/computed-fields.ts';
import { firstValue, isPublished, items, labelOf, type Entity, type JsonObject } from '../model/entity.ts';
import { entityPath } from '../site/site.ts';
import type { World } from '../world.ts';
import { oncePerBundle } from './targets.ts';

export type ComputedName = 'path' | 'metatag' | 'moderation_state';
type ComputeContext = Pick<World, 'site' | 'baseUrl'>;
type Compute = (entity: Entity, context: ComputeContext) => readonly JsonObject[];

/** A record without an alias has an item, too. */
const path: Compute = (entity, { site }) => {
  const alias = items(entity, 'path')[0]?.['alias'] ?? null;
  const langcode = firstValue(entity, 'langcode') ?? site.langcode;
  return [{ alias, pid: alias === null ? null : aliasNumber(entity), langcode }];
};

/** Title and address, which the module writes for every record. A site can configure more, which Atoll does not know. */
const metatag: Compute = (entity, { site, baseUrl }) => [
  { tag: 'meta', attributes: { name: 'title', content: `${labelOf(entity)} | ${site.name}` } },
  { tag: 'link', attributes: { rel: 'canonical', href: baseUrl + entityPath(site, entity) } },
];

const moderationState: Compute = (entity) => [{ value: isPublished(entity) ? 'published' : 'draft' }];

const computations: { readonly [N in ComputedName]: Compute } = { path, metatag, moderation_state: moderationState };

const computedNames: readonly ComputedName[] = ['path', 'metatag', 'moderation_state'];

/** The computed base fields of a bundle. A bundle of a site without such modules has none. */
export const computedFieldsOf = oncePerBundle((bundle): readonly ComputedName[] =>
  // The path of an alias is where it leads.
  bundle.entityType === 'path_alias'
    ? []
    : computedNames.filter((name) => bundle.fields.get(name)?.configured === false),
);

export const computedItems = (name: ComputedName, entity: Entity, context: ComputeContext): readonly JsonObject[] =>
  computations[name](entity, context);
