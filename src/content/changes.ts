/** Decides what a POST or a PATCH makes of a record: field access, validation, the new record. Nothing is awaited here. */
import type { Principal } from '../model/principal.ts';
import { conflict, validationFailed, type Violation } from '../problem.ts';
import type { StoreView } from '../model/entity-store.ts';
import { mayReference } from './verdicts.ts';
import { computeMedia } from './uploads/computed-media.ts';
import { newFields, revisionCounter } from '../model/default-fields.ts';
import type { ReceivedFields } from './fields/denormalise.ts';
import { entityKey, identityFields, items, keyOf } from '../model/entity.ts';
import type { Entity, EntityKey, FieldItems, FieldName, Fields } from '../model/entity.ts';
import { creatingRefusal, updatingRefusal } from './fields/field-access.ts';
import { fieldTypes, type JudgeContext } from './fields/field-types.ts';
import { byUuid } from './index-keys.ts';
import type { Bundle, FieldDefinition } from '../model/bundle.ts';
import { violationsOf } from './fields/validate.ts';

/** What a decision stands on. `now` in seconds since 1970. */
export type DecisionContext = {
  readonly view: StoreView;
  readonly principal: Principal;
  readonly languages: readonly string[];
  readonly langcode: string;
  readonly now: number;
  newUuid(): string;
  /** Whether the principal may see an entity, as the records stand in this decision. */
  mayView(target: Entity): boolean;
  /** The file entity of a media type's generic icon, when the change may need one. */
  readonly iconFile: number | undefined;
};

const judgeContext = (ground: DecisionContext): JudgeContext => ({
  find: (key) => ground.view.get(key),
  mayReference: (target) => mayReference(ground.principal, target),
  mayView: (target) => ground.mayView(target),
  languages: ground.languages,
});

/** The items of any field of a record, those that stand above `fields` included. */
export const itemsOf = (entity: Entity, name: FieldName): FieldItems => {
  const identity = identityFields[entity.type];
  if (name === identity.id) return [{ value: entity.id }];
  if (name === 'uuid') return [{ value: entity.uuid }];
  if (name === identity.bundle) return [{ target_id: entity.bundle }];
  return items(entity, name);
};

const stored = (field: FieldDefinition, received: FieldItems): FieldItems =>
  received.map((item) => fieldTypes[field.type].store(item));

/** A new entity from what was sent. Throws 403 (field), 409 (uuid taken), 422. */
export const createEntity = (bundle: Bundle, received: ReceivedFields, ground: DecisionContext): Entity => {
  for (const name of received.keys()) {
    const refusal = creatingRefusal(ground.principal, bundle.entityType, name);
    if (refusal !== undefined) throw refusal;
  }
  const freshUuid = ground.newUuid();
  const counter = revisionCounter(bundle.entityType);
  const defaults = newFields({ ...ground, bundle, uid: ground.principal.uid, revision: 0 });
  const fields = apply(defaults, bundle, received);
  const judged = (name: FieldName): FieldItems =>
    received.get(name) ?? (name === 'uuid' ? [{ value: freshUuid }] : (fields[name] ?? []));
  const violations = [
    ...fixedViolations(received, bundle),
    ...violationsOf(bundle, judgedNames(bundle), judged, judgeContext(ground)),
  ];
  if (violations.length > 0) throw validationFailed(violations);
  const uuid = uuidIn(bundle, received) ?? freshUuid;
  if (ground.view.lookup(byUuid(bundle.entityType, uuid)).length > 0) {
    throw conflict(`The UUID "${uuid}" is already in use.`);
  }
  const id = ground.view.nextId(bundle.entityType);
  const revision = identityFields[bundle.entityType].revision;
  const revised: Fields =
    counter === undefined || revision === undefined
      ? fields
      : { ...fields, [revision]: [{ value: ground.view.nextId(counter) }] };
  const entity: Entity = { type: bundle.entityType, id, uuid, bundle: bundle.id, fields: revised };
  return entity.type === 'media' ? saveMedia(entity, bundle, false, ground) : entity;
};

/** Everything but what the service assigns. */
const judgedNames = (bundle: Bundle): ReadonlySet<FieldName> => {
  const { id, bundle: bundleField, revision } = identityFields[bundle.entityType];
  return new Set([...bundle.fields.keys()].filter((name) => name !== id && name !== bundleField && name !== revision));
};

const uuidIn = (bundle: Bundle, received: ReceivedFields): string | undefined => {
  const field = bundle.fields.get('uuid');
  const item = field === undefined ? undefined : stored(field, received.get('uuid') ?? [])[0];
  return typeof item?.['value'] === 'string' ? item['value'] : undefined;
};

/** What the reference answers with 500 (decisions: Different): another revision id, `default_langcode` false. */
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
  for (const [name, sent] of received) {
    const field = bundle.fields.get(name);
    if (field === undefined || name === 'uuid') continue;
    if (sent.length === 0) Reflect.deleteProperty(next, name);
    else next[name] = stored(field, sent);
  }
  return next;
};

/**
 * The record after a PATCH; the same object when nothing changed (R 2.4). A field is replaced as a whole; sending what
 * is there already is always allowed. Throws 403 naming the first field that may not change, 422.
 */
export const patchEntity = (
  entity: Entity,
  bundle: Bundle,
  received: ReceivedFields,
  ground: DecisionContext,
): Entity => {
  const changed = new Map<FieldName, FieldItems>();
  for (const [name, sent] of received) {
    const field = bundle.fields.get(name);
    if (field === undefined || isUnchanged(entity, field, sent)) continue;
    const refusal = updatingRefusal(ground.principal, entity.type, name);
    if (refusal !== undefined) throw refusal;
    changed.set(name, sent);
  }
  if (changed.size === 0) return entity;
  const violations = [
    ...fixedViolations(changed, bundle),
    ...violationsOf(bundle, new Set(changed.keys()), (name) => changed.get(name) ?? [], judgeContext(ground)),
  ];
  if (violations.length > 0) throw validationFailed(violations);
  const fields: Fields = { ...apply(entity.fields, bundle, changed), changed: [{ value: ground.now }] };
  const patched: Entity = { ...entity, fields };
  if (entity.type !== 'media') return patched;
  const source = bundle.source;
  const sourceChanged = source !== undefined && fileIn(entity, source.field) !== fileIn(patched, source.field);
  return saveMedia(patched, bundle, sourceChanged, ground);
};

const isUnchanged = (entity: Entity, field: FieldDefinition, sent: FieldItems): boolean => {
  // An emptied language is set again by the reference before anybody looks.
  if (field.name === 'langcode' && sent.length === 0) return true;
  return JSON.stringify(stored(field, sent)) === JSON.stringify(stored(field, itemsOf(entity, field.name)));
};

const fileIn = (media: Entity, field: FieldName): EntityKey | undefined => {
  const id = items(media, field)[0]?.['target_id'];
  return typeof id === 'number' ? entityKey('file', id) : undefined;
};

/** A media with what it draws from its file filled in. */
export const saveMedia = (media: Entity, bundle: Bundle, sourceChanged: boolean, ground: DecisionContext): Entity => {
  const key = bundle.source === undefined ? undefined : fileIn(media, bundle.source.field);
  const file = key === undefined ? undefined : ground.view.get(key);
  return {
    ...media,
    fields: computeMedia(media.fields, bundle, file, { sourceChanged, iconFile: ground.iconFile }),
  };
};

/** The keys that a decision about these fields reads: the record and whatever it refers to. */
export const readsOf = (entity: Entity | undefined, bundle: Bundle, received: ReceivedFields): EntityKey[] => {
  const referred = [...received].flatMap(([name, sent]) => {
    const type = bundle.fields.get(name)?.target?.type;
    if (type === undefined || type === 'node_type' || type === 'media_type' || type === 'taxonomy_vocabulary')
      return [];
    return sent.flatMap((item) => {
      const id = Number(item['target_id']);
      return Number.isSafeInteger(id) ? [entityKey(type, id)] : [];
    });
  });
  return [...(entity === undefined ? [] : [keyOf(entity)]), ...referred];
};
