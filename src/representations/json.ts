/** The `json` format of every entity: which members a record has. How an element looks is said in `json-items.ts`. */
import type { Principal } from '../model/principal.ts';
import {
  bundleTypes,
  identityFields,
  items,
  type Entity,
  type EntityKey,
  type Json,
  type JsonObject,
} from '../model/entity.ts';
import type { Bundle } from '../model/bundle.ts';
import type { Site } from '../site/site.ts';
import type { EntityStore } from '../model/entity-store.ts';
import { jsonItems } from './json-items.ts';
import { bundleOf, fetchTargets, oncePerBundle, referenceKeys, referencesOf } from './targets.ts';

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
  const blank = seesPrivate(entity, context.viewer) ? blankOf(bundle) : publicBlankOf(bundle);
  const targets = await fetchTargets(context.store, shownKeys(entity, bundle, blank));
  const itemContext = { ...context, targets };
  const identity = identityFields[entity.type];
  const body: Record<string, Json> = { ...blank };
  for (const name of Object.keys(entity.fields)) {
    const stored = items(entity, name);
    const field = bundle.fields.get(name);
    if (field !== undefined && stored.length > 0 && name in blank) body[name] = jsonItems(stored, itemContext, field);
  }
  if (identity.id in blank) body[identity.id] = [{ value: entity.id }];
  if ('uuid' in blank) body['uuid'] = [{ value: entity.uuid }];
  // Stands in the blank; a record does not say it again.
  if (identity.bundle !== undefined) body[identity.bundle] = blank[identity.bundle] ?? [];
  return body;
};

/** The keys of everything that the shown fields refer to. */
const shownKeys = (entity: Entity, bundle: Bundle, blank: JsonObject): EntityKey[] => {
  const keys: EntityKey[] = [];
  for (const field of referencesOf(bundle)) {
    if (field.name in blank) keys.push(...referenceKeys(entity, field));
  }
  return keys;
};

/** What a record without any value shows: every member of its bundle, in order. Worked out once for each bundle. */
const blankOf = oncePerBundle((bundle) => makeBlank(bundle, [...bundle.fields.keys()]));

const privateUserFields: ReadonlySet<string> = new Set(['roles', 'mail', 'status']);

/** Decisions, `GET /user/{id}`: roles, mail and status are for oneself and for who may do everything. */
const publicBlankOf = oncePerBundle((bundle) =>
  makeBlank(
    bundle,
    [...bundle.fields.keys()].filter((name) => !privateUserFields.has(name)),
  ),
);

const seesPrivate = (entity: Entity, viewer: Principal | undefined): boolean =>
  entity.type !== 'user' || (viewer !== undefined && (viewer.mayEverything || viewer.uid === entity.id));

const makeBlank = (bundle: Bundle, names: readonly string[]): JsonObject => {
  const identity = identityFields[bundle.entityType].bundle;
  const members = names.map((name) => [name, name === identity ? [bundleReference(bundle)] : emptyField(bundle, name)]);
  // V8 keeps an object of so many members as a dictionary, which is slow to copy and to write, unless a parser made it.
  return JSON.parse(JSON.stringify(Object.fromEntries(members))) as JsonObject; // what was written in the line above
};

/** References to bundles have no `url` (reference 2.3). */
const bundleReference = (bundle: Bundle): JsonObject => ({
  target_id: bundle.id,
  target_type: bundleTypes[bundle.entityType] ?? bundle.entityType,
  target_uuid: bundle.uuid,
});

/** A term without a parent hangs from the root of its vocabulary (recording: "term json anon"). */
const emptyField = (bundle: Bundle, name: string): readonly JsonObject[] =>
  bundle.entityType === 'taxonomy_term' && name === 'parent' ? [{ target_id: null }] : [];
