/** Writes the items of a field as JSON, also those that are made of the record: path, metatags, moderation state, discovered image. `json.ts` writes whole records. */
import { aliasNumber } from '../content/fields/denormalise.ts';
import { stateItems } from '../content/fields/moderation.ts';
import { discoveredImage } from '../content/discovered-image.ts';
import { eachOf } from '../model/reading.ts';
import type { JsonContext } from '../fields/field-type.ts';
import { fieldTypeOf } from '../fields/field-types.ts';
import { renderTarget } from '../fields/types/entity-reference.ts';
import { oncePerBundle, type FieldDefinition, workflowOf } from '../model/bundle.ts';
import { labelOf } from '../model/entity.ts';
import { entityPath } from '../site/site.ts';
import { type Entity, type FieldItems, firstValue, items } from '../../openapi/openapi-records.ts';
import type { JsonObject } from '../../basics/json.ts';

/** Writes stored items in the shapes that the contract gives them. */
export const jsonItems = (stored: FieldItems, context: JsonContext, field: FieldDefinition): readonly JsonObject[] => {
  const write = fieldTypeOf(field).json;
  if (write === undefined) return stored;
  const [only] = stored;
  if (only !== undefined && stored.length === 1) return [write(only, context, field)];
  const name = `json of ${field.name}`;
  return eachOf(stored, (item) => write(item, context, field), { records: context.records, name });
};

export type ComputedName = 'path' | 'metatag' | 'moderation_state' | 'did_image';
type Compute = (entity: Entity, context: JsonContext) => readonly JsonObject[];

/** A record without an alias has an item, too. */
const path: Compute = (entity, { site }) => {
  const [{ alias = null, langcode: own } = {}] = items(entity, 'path');
  const langcode = own ?? firstValue(entity, 'langcode') ?? site.langcode;
  return [{ alias, pid: alias === null ? null : aliasNumber(entity), langcode }];
};

/** Title and address, which the module writes for every record. A site can configure more, which Atoll does not know. */
const metatag: Compute = (entity, { site, baseUrl }) => [
  { tag: 'meta', attributes: { name: 'title', content: `${labelOf(entity)} | ${site.name}` } },
  { tag: 'link', attributes: { rel: 'canonical', href: baseUrl + entityPath(site, entity) } },
];

const moderationState: Compute = (entity, { site }) =>
  stateItems(entity, workflowOf(site.model.bundle(entity.type, entity.bundle)));

const discovered: Compute = (entity, { viewer, ...context }) => {
  const image = viewer && discoveredImage(entity, { ...context, principal: viewer });
  return image === undefined ? [] : [renderTarget(image, context).withId];
};

const computations: { readonly [N in ComputedName]: Compute } = {
  path,
  metatag,
  moderation_state: moderationState,
  did_image: discovered,
};

const computedNames: readonly ComputedName[] = ['path', 'metatag', 'moderation_state', 'did_image'];

/** The computed base fields of a bundle. A bundle of a site without such modules has none. */
export const computedFieldsOf = oncePerBundle((bundle): readonly ComputedName[] =>
  // The path of an alias is where it leads.
  bundle.entityType === 'path_alias'
    ? []
    : computedNames.filter((name) => bundle.fields.get(name)?.configured === false),
);

export const computedItems = (name: ComputedName, entity: Entity, context: JsonContext): readonly JsonObject[] =>
  computations[name](entity, context);
