/** Decides what a POST or a PATCH makes of a record: field access, validation, the new record. Nothing here waits. */
import type { Principal } from '../model/principal.ts';
import { conflict, validationFailed, type Violation } from '../problem.ts';
import type { StoreView } from '../model/entity-store.ts';
import { mayReference } from './verdicts.ts';
import { computeMedia } from './uploads/computed-media.ts';
import { changedAt } from '../model/changed-at.ts';
import { newFields } from '../model/default-fields.ts';
import type { ReceivedFields } from './fields/denormalise.ts';
import { entityKey, identityFields, items, keyOf } from '../model/entity.ts';
import type { Entity, EntityKey, FieldItems, FieldName, Fields } from '../model/entity.ts';
import { creatingRefusal, updatingRefusal } from './fields/field-access.ts';
import { targetTypeOf, type ValidationContext } from './fields/field-type.ts';
import { fieldTypes } from './fields/field-types.ts';
import { byUuid } from './index-keys.ts';
import type { Bundle, FieldDefinition } from '../model/bundle.ts';
import { sizeViolations, violationsOf } from './fields/field-violations.ts';

/** What a decision about a record can use. `now` in seconds since 1970. */
export type DecisionContext = {
  readonly view: StoreView;
  readonly principal: Principal;
  readonly languages: readonly string[];
  readonly langcode: string;
  readonly now: number;
  newUuid(): string;
  /** Whether the principal may see an entity, by the records of `view`. */
  mayView(target: Entity): boolean;
  /** The file entity of a media type's generic icon, when the change may need one. */
  readonly iconFile?: number | undefined;
};

const validationContext = (context: DecisionContext): ValidationContext => ({
  find: (key) => context.view.get(key),
  mayReference: (target) => mayReference(context.principal, target),
  mayView: (target) => context.mayView(target),
  languages: context.languages,
});

/** The items of any field of a record, also of id, uuid and bundle, which are not in `fields`. */
const itemsOf = (entity: Entity, name: FieldName): FieldItems => {
  const identity = identityFields[entity.type];
  if (name === identity.id) return [{ value: entity.id }];
  if (name === 'uuid') return [{ value: entity.uuid }];
  if (name === identity.bundle) return [{ target_id: entity.bundle }];
  return items(entity, name);
};

const stored = (field: FieldDefinition, received: FieldItems): FieldItems =>
  received.map((item) => fieldTypes[field.type].store(item));

/** A new entity from received fields. Throws 403 for a field, 409 for a uuid that is in use, 422. */
export const createEntity = (bundle: Bundle, received: ReceivedFields, context: DecisionContext): Entity => {
  for (const name of received.keys()) {
    const refusal = creatingRefusal(context.principal, bundle.entityType, name);
    if (refusal !== undefined) throw refusal;
  }
  const freshUuid = context.newUuid();
  const defaults = newFields({ ...context, bundle, uid: context.principal.uid, revision: 0 });
  const fields = apply(defaults, bundle, received);
  const validated = (name: FieldName): FieldItems =>
    received.get(name) ?? (name === 'uuid' ? [{ value: freshUuid }] : (fields[name] ?? []));
  const violations = [
    ...fixedViolations(received, bundle),
    ...sizeViolations(received, defaults, fields),
    ...violationsOf(bundle, validatedNames(bundle), validated, validationContext(context)),
  ];
  if (violations.length > 0) throw validationFailed(violations);
  const uuid = receivedUuid(bundle, received) ?? freshUuid;
  if (context.view.lookup(byUuid(bundle.entityType, uuid)).length > 0) {
    throw conflict(`The UUID "${uuid}" is already in use.`);
  }
  const id = context.view.nextId(bundle.entityType);
  const revision = identityFields[bundle.entityType].revision;
  const revised: Fields =
    revision === undefined
      ? fields
      : { ...fields, [revision]: [{ value: context.view.nextId(`${bundle.entityType}_revision`) }] };
  const entity: Entity = { type: bundle.entityType, id, uuid, bundle: bundle.id, fields: revised };
  return entity.type === 'media' ? saveMedia(entity, bundle, false, context) : entity;
};

/** All fields except those that the service assigns. */
const validatedNames = (bundle: Bundle): ReadonlySet<FieldName> => {
  const { id, bundle: bundleField, revision } = identityFields[bundle.entityType];
  return new Set([...bundle.fields.keys()].filter((name) => name !== id && name !== bundleField && name !== revision));
};

const receivedUuid = (bundle: Bundle, received: ReceivedFields): string | undefined => {
  const field = bundle.fields.get('uuid');
  const item = field === undefined ? undefined : stored(field, received.get('uuid') ?? [])[0];
  return typeof item?.['value'] === 'string' ? item['value'] : undefined;
};

/** Another revision id and `default_langcode` false are refused. The real site answers 500 to both. */
const fixedViolations = (changed: ReceivedFields, bundle: Bundle): Violation[] => {
  const revision = identityFields[bundle.entityType].revision;
  return [
    ...(revision !== undefined && changed.has(revision)
      ? [{ path: revision, message: 'The revision ID cannot be changed.' }]
      : []),
    ...(changed.get('default_langcode')?.some((item) => [false, 0, '0'].includes(item['value'] as never)) // any JSON value
      ? [{ path: 'default_langcode', message: 'The default translation flag cannot be removed.' }]
      : []),
  ];
};

const apply = (fields: Fields, bundle: Bundle, received: ReceivedFields): Fields => {
  const next: Record<FieldName, FieldItems> = { ...fields };
  for (const [name, receivedItems] of received) {
    const field = bundle.fields.get(name);
    if (field === undefined || name === 'uuid') continue;
    if (receivedItems.length === 0) Reflect.deleteProperty(next, name);
    else next[name] = stored(field, receivedItems);
  }
  return next;
};

/**
 * The record after a PATCH, or the same object when nothing changed. A field is replaced as a whole. A field may always
 * be sent with its present value. Throws 403 with the first field that may not change, 422.
 */
export const patchEntity = (
  entity: Entity,
  bundle: Bundle,
  received: ReceivedFields,
  context: DecisionContext,
): Entity => {
  const changed = new Map<FieldName, FieldItems>();
  for (const [name, receivedItems] of received) {
    const field = bundle.fields.get(name);
    if (field === undefined || isUnchanged(entity, field, receivedItems)) continue;
    const refusal = updatingRefusal(context.principal, entity.type, name);
    if (refusal !== undefined) throw refusal;
    changed.set(name, receivedItems);
  }
  if (changed.size === 0) return entity;
  const applied = apply(entity.fields, bundle, changed);
  const violations = [
    ...fixedViolations(changed, bundle),
    ...sizeViolations(changed, entity.fields, applied),
    ...violationsOf(bundle, new Set(changed.keys()), (name) => changed.get(name) ?? [], validationContext(context)),
  ];
  if (violations.length > 0) throw validationFailed(violations);
  const fields: Fields = { ...applied, changed: changedAt(entity, context.now) };
  const patched: Entity = { ...entity, fields };
  if (entity.type !== 'media') return patched;
  const source = bundle.source;
  const sourceChanged = source !== undefined && fileIn(entity, source.field) !== fileIn(patched, source.field);
  return saveMedia(patched, bundle, sourceChanged, context);
};

const isUnchanged = (entity: Entity, field: FieldDefinition, receivedItems: FieldItems): boolean => {
  // The real site sets an emptied language again before it compares.
  if (field.name === 'langcode' && receivedItems.length === 0) return true;
  return JSON.stringify(stored(field, receivedItems)) === JSON.stringify(stored(field, itemsOf(entity, field.name)));
};

const fileIn = (media: Entity, field: FieldName): EntityKey | undefined => {
  const id = items(media, field)[0]?.['target_id'];
  return typeof id === 'number' ? entityKey('file', id) : undefined;
};

/** The media with the fields that are computed from its file. */
export const saveMedia = (media: Entity, bundle: Bundle, sourceChanged: boolean, context: DecisionContext): Entity => {
  const key = bundle.source === undefined ? undefined : fileIn(media, bundle.source.field);
  const file = key === undefined ? undefined : context.view.get(key);
  return {
    ...media,
    fields: computeMedia(media.fields, bundle, file, { sourceChanged, iconFile: context.iconFile }),
  };
};

/** The keys that a decision about these fields reads: the record and everything that it refers to. */
export const readsOf = (entity: Entity | undefined, bundle: Bundle, received: ReceivedFields): EntityKey[] => {
  const referred = [...received].flatMap(([name, receivedItems]) => {
    const field = bundle.fields.get(name);
    const type = field && targetTypeOf(field);
    if (type === undefined) return [];
    return receivedItems.flatMap((item) => {
      const id = Number(item['target_id']);
      return Number.isSafeInteger(id) ? [entityKey(type, id)] : [];
    });
  });
  return [...(entity === undefined ? [] : [keyOf(entity)]), ...referred];
};
