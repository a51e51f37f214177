/** The `json` format of every entity: which members a record has. How an element looks is said in `json-items.ts`. */
import type { Principal } from '../access/principal.ts';
import { bundleTypes, identityFields, items, type Entity, type JsonObject } from '../content/entity.ts';
import type { Bundle, FieldDefinition } from '../content/model.ts';
import type { Site } from '../site/site.ts';
import type { EntityStore } from '../storage/entity-store.ts';
import { jsonItem, type Surroundings } from './json-items.ts';
import { bundleOf, fetchTargets, referenceKeys } from './targets.ts';

export type JsonContext = {
  readonly site: Site;
  readonly store: Pick<EntityStore, 'getMany'>;
  /** Scheme, host, port and world prefix, without a slash at the end. */
  readonly baseUrl: string;
  /** The world's prefix of site-relative addresses, or empty. */
  readonly basePath: string;
  /** Who reads. It decides about the private members of accounts only; nobody sees them when it is left out. */
  readonly viewer?: Principal | undefined;
};

/**
 * A record: exactly the bundle's fields in the model's order, `[]` where empty (decisions: Readings; reference 2.3). References
 * are shown whoever asks; all of them are fetched in one call.
 */
export const renderJson = async (entity: Entity, context: JsonContext): Promise<JsonObject> => {
  const bundle = bundleOf(context.site, entity);
  const fields = [...bundle.fields.values()].filter((field) => isShown(field, entity, context.viewer));
  const targets = await fetchTargets(
    context.store,
    fields.flatMap((field) => referenceKeys(entity, field)),
  );
  const around = { ...context, targets };
  return Object.fromEntries(fields.map((field) => [field.name, renderField(field, entity, bundle, around)]));
};

const renderField = (
  field: FieldDefinition,
  entity: Entity,
  bundle: Bundle,
  around: Surroundings,
): readonly JsonObject[] => {
  const identity = identityFields[entity.type];
  if (field.name === identity.id) return [{ value: entity.id }];
  if (field.name === 'uuid') return [{ value: entity.uuid }];
  if (field.name === identity.bundle) return [bundleReference(entity, bundle)];
  const stored = items(entity, field.name);
  return stored.length === 0 ? emptyField(field, entity) : stored.map((item) => jsonItem(item, around, field));
};

/** References to bundles have no `url` (reference 2.3). */
const bundleReference = (entity: Entity, bundle: Bundle): JsonObject => ({
  target_id: bundle.id,
  target_type: bundleTypes[entity.type] ?? entity.type,
  target_uuid: bundle.uuid,
});

/** A term without a parent hangs from the root of its vocabulary (recording: "term json anon"). */
const emptyField = (field: FieldDefinition, entity: Entity): readonly JsonObject[] =>
  entity.type === 'taxonomy_term' && field.name === 'parent' ? [{ target_id: null }] : [];

const privateUserFields = new Set(['roles', 'mail', 'status']);

/** Decisions, `GET /user/{id}`: roles, mail and status are for oneself and for who may do everything. */
const isShown = (field: FieldDefinition, entity: Entity, viewer: Principal | undefined): boolean =>
  entity.type !== 'user' ||
  !privateUserFields.has(field.name) ||
  (viewer !== undefined && (viewer.mayEverything || viewer.uid === entity.id));
