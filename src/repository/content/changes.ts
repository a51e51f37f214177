/** Decides what a POST or a PATCH makes of a record: field access, validation, the new record. Nothing here waits. */
import type { Advise } from '../../openapi/openapi-host.ts';
import { may, type Principal } from '../model/principal.ts';
import { mayReference } from './verdicts.ts';
import { computeMedia, type MediaSave } from './uploads/computed-media.ts';
import { withImageSizes } from './uploads/image-sizes.ts';
import { textIn, type FileText } from './uploads/file-text.ts';
import { nextRevision } from './revisions.ts';
import { changedAt } from '../model/changed-at.ts';
import { newFields } from '../model/default-fields.ts';
import type { ReceivedFields } from './fields/denormalise.ts';
import { identityOf, revisionOf, stateField } from '../model/entity.ts';
import { stateItems, tellState, withState } from './fields/moderation.ts';
import { creatingRefusal, mayEditField, mayViewField, updatingRefusal } from './fields/field-access.ts';
import type { ValidationContext } from '../fields/rule.ts';
import { areEmpty, fieldTypeOf } from '../fields/field-types.ts';
import { byRevision, byUuid } from '../model/index-keys.ts';
import { oncePerBundle, type Bundle, type FieldDefinition } from '../model/bundle.ts';
import {
  addressViolations,
  computedViolations,
  fixedViolations,
  sizeViolations,
  violationsOf,
} from './fields/field-violations.ts';
import { conflict, validationFailed, type Violation } from '../../openapi/openapi-terms.ts';
import {
  type StoreView,
  entityKey,
  items,
  type Entity,
  type FieldItem,
  type FieldItems,
  type FieldName,
  type Fields,
} from '../../openapi/openapi-records.ts';
import type { JsonObject } from '../../basics/json.ts';

/** What a decision about a record can use. `now` in seconds since 1970. */
export type DecisionContext = {
  readonly view: StoreView;
  readonly principal: Principal;
  readonly languages: readonly string[];
  /** The site's text formats. Everybody may use the first, the others need a permission. */
  readonly textFormats: readonly string[];
  readonly langcode: string;
  readonly now: number;
  newUuid(): string;
  /** Whether the principal may see an entity, by the records of `view`. */
  mayView(target: Entity): boolean;
  /** The file entity of a media type's generic icon, when the change may need one. */
  readonly iconFile?: number | undefined;
  /** The text of the media's file, when the change may need it. */
  readonly fileText?: FileText | undefined;
  /** The fields that the client sent. */
  readonly sent?: ReceivedFields | undefined;
  /** What the answer shows of fields of which the site stores something else. A reaction adds to it. */
  readonly shown?: Record<FieldName, readonly JsonObject[]> | undefined;
  /** Tells what the decision does not store as it was sent. Only the advices of the run that is stored are delivered. */
  readonly advise?: Advise;
};

const validationContext = (context: DecisionContext, before?: Entity): ValidationContext => ({
  find: (key) => context.view.get(key),
  mayReference: (target) => mayReference(context.principal, target),
  mayView: (target) => context.mayView(target),
  languages: context.languages,
  textFormats: context.textFormats.filter(
    (format, index) => index === 0 || may(context.principal, `use text format ${format}`),
  ),
  state: { before, may: (permission) => may(context.principal, permission) },
});

/** The items of any field of a record, also of id, uuid and bundle, which are not in `fields`. */
const itemsOf = (entity: Entity, name: FieldName): FieldItems => {
  const identity = identityOf(entity.type);
  if (name === identity.id) return [{ value: entity.id }];
  if (name === 'uuid') return [{ value: entity.uuid }];
  if (name === identity.bundle) return [{ target_id: entity.bundle }];
  return items(entity, name);
};

/** The received items as they are stored. Empty ones are dropped. */
const stored = (field: FieldDefinition, received: FieldItems): FieldItems => {
  const type = fieldTypeOf(field);
  return received.filter((item) => !type.isEmpty(item)).map((item) => type.store(item));
};

/** A new entity from received fields. Throws 403 for a field, 409 for a uuid that is in use, 422. */
export const createEntity = (bundle: Bundle, received: ReceivedFields, context: DecisionContext): Entity => {
  for (const name of received.keys()) {
    const refusal = creatingRefusal(context.principal, bundle, name);
    if (refusal !== undefined) throw refusal;
  }
  const freshUuid = context.newUuid();
  const { langcode, now } = context;
  const made = { bundle, langcode, now, uid: context.principal.uid, revision: 0 };
  const kept = keptFields(bundle, received);
  const filled = withFixedValues(replaced(newFields(made, filledNames(kept)), kept), bundle);
  const fields = bundle.fields.has(stateField) ? withState(filled, bundle) : filled;
  const given = (name: FieldName): FieldItems =>
    received.get(name) ?? (name === 'uuid' ? [{ value: freshUuid }] : (fields[name] ?? []));
  throwIfAny(
    sizeViolations(received, () => newFields(made), fields),
    violationsOf(bundle, validatedNames(bundle), given, validationContext(context)),
  );
  throwIfAny(addressViolations(bundle, received), computedViolations(bundle, received));
  if (received.has(stateField)) tellState(bundle, received, context);
  const uuid = receivedUuid(bundle, received) ?? freshUuid;
  if (context.view.lookup(byUuid(bundle.entityType, uuid)).length > 0) {
    throw conflict(`The UUID "${uuid}" is already in use.`);
  }
  const revision = revisionFor(bundle, received, context.view);
  const id = context.view.nextId(bundle.entityType);
  const { revision: revisionField } = identityOf(bundle.entityType);
  const revised: Record<FieldName, FieldItems> = { ...fields };
  if (revisionField !== undefined) revised[revisionField] = [{ value: revision }];
  // The owner of a new node is the author of its first revision, even when someone else creates it.
  if (bundle.entityType === 'node') revised['revision_uid'] = fields['uid'] ?? [];
  const entity: Entity = { type: bundle.entityType, id, uuid, bundle: bundle.id, fields: revised };
  return entity.type === 'media'
    ? saveMedia(entity, bundle, { isNew: true, sourceChanged: false }, context)
    : withImageSizes(entity, bundle, context);
};

const throwIfAny = (...found: readonly (readonly Violation[])[]): void => {
  if (found.some((violations) => violations.length > 0)) throw validationFailed(found.flat());
};

/** All fields except those that the service assigns. */
const validatedNames = oncePerBundle((bundle): ReadonlySet<FieldName> => {
  const { id, bundle: bundleField } = identityOf(bundle.entityType);
  return new Set([...bundle.fields.keys()].filter((name) => name !== id && name !== bundleField));
});

/** Two fields have a value even when a client takes theirs away. A redirect may have no owner. */
const withFixedValues = (fields: Fields, bundle: Bundle): Fields => {
  const hasOwner = bundle.fields.has('uid') && bundle.entityType !== 'redirect';
  const isOwnerMissing = hasOwner && fields['uid'] === undefined;
  const isFlagMissing =
    bundle.fields.has('revision_translation_affected') && fields['revision_translation_affected'] === undefined;
  return {
    ...fields,
    ...(isOwnerMissing ? { uid: [{ target_id: 0 }] } : {}),
    ...(isFlagMissing ? { revision_translation_affected: [{ value: true }] } : {}),
  };
};

/** The columns of ids and revision ids in the real site's database have 32 bits without a sign. */
const largestRevision = 2 ** 32 - 1;

/**
 * The revision id that was sent, when no record has it and a database could store it, else the next one. Throws 422. The real
 * site answers 500.
 */
const revisionFor = (bundle: Bundle, received: ReceivedFields, view: StoreView): number => {
  const type = bundle.entityType;
  const field = bundle.fields.get(identityOf(type).revision ?? '');
  const sent = field === undefined ? undefined : stored(field, received.get(field.name) ?? [])[0]?.['value'];
  if (typeof sent !== 'number') return view.nextId(`${type}_revision`);
  const present = view.get(entityKey(type, sent));
  const isUsed = view.lookup(byRevision(type, sent)).length > 0 || (present && revisionOf(present)) === sent;
  if (sent > 0 && sent <= largestRevision && !isUsed) return sent;
  throw validationFailed([{ path: field?.name ?? '', message: `The revision ID ${sent} cannot be used.` }]);
};

export const receivedUuid = (bundle: Bundle, received: ReceivedFields): string | undefined => {
  const field = bundle.fields.get('uuid');
  const item = field === undefined ? undefined : stored(field, received.get('uuid') ?? [])[0];
  return typeof item?.['value'] === 'string' ? item['value'] : undefined;
};

/** The received fields as they are stored: without empty items. */
const keptFields = (bundle: Bundle, received: ReceivedFields): ReadonlyMap<FieldName, FieldItems> => {
  const kept = new Map<FieldName, FieldItems>();
  for (const [name, receivedItems] of received) {
    const field = bundle.fields.get(name);
    if (field !== undefined && name !== 'uuid') kept.set(name, stored(field, receivedItems));
  }
  return kept;
};

const filledNames = (kept: ReadonlyMap<FieldName, FieldItems>): FieldName[] => {
  const names: FieldName[] = [];
  for (const [name, { length }] of kept) if (length > 0) names.push(name);
  return names;
};

/** Changes the fields. A field without items is left out. */
const replaced = (fields: Record<FieldName, FieldItems>, kept: ReadonlyMap<FieldName, FieldItems>): Fields => {
  for (const [name, fieldItems] of kept) {
    if (fieldItems.length > 0) fields[name] = fieldItems;
    else Reflect.deleteProperty(fields, name);
  }
  return fields;
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
    if (field === undefined) continue;
    // Someone who does not see a field must not learn its value by sending it.
    const mayLearn = mayViewField(context.principal, entity, field) || mayEditField(context.principal, entity, field);
    if (mayLearn && isUnchanged(entity, field, receivedItems)) continue;
    const refusal = updatingRefusal(context.principal, bundle, name, entity);
    if (refusal !== undefined) throw refusal;
    changed.set(name, receivedItems);
  }
  if (changed.size === 0) return entity;
  const kept = withFixedValues(replaced({ ...entity.fields }, keptFields(bundle, changed)), bundle);
  const applied = bundle.fields.has(stateField) ? withState(kept, bundle, entity) : kept;
  throwIfAny(
    fixedViolations(changed, bundle),
    sizeViolations(changed, () => entity.fields, applied),
    violationsOf(
      bundle,
      new Set(changed.keys()),
      (name) => changed.get(name) ?? [],
      validationContext(context, entity),
    ),
    addressViolations(bundle, changed),
  );
  if (changed.has(stateField)) tellState(bundle, changed, context);
  const patched: Entity = { ...entity, fields: applied };
  const sourceChanged = bundle.source !== undefined && changed.has(bundle.source.field);
  const saved =
    entity.type === 'media'
      ? saveMedia(patched, bundle, { isNew: false, sourceChanged }, context)
      : withImageSizes(patched, bundle, context);
  const marks = timeOrFlag(entity, saved.fields, { bundle, changed, now: context.now });
  return { ...saved, fields: { ...saved.fields, ...marks, ...nextRevision(bundle, context) } };
};

/**
 * The time of the change. A save that changes nothing keeps the time, and a revision of it affects no translation. To a term every
 * description and every list of parents that is not the one it has is a change, also when nothing of it is stored (`countedItems`).
 */
export const timeOrFlag = (
  entity: Entity,
  applied: Fields,
  { bundle, changed, now }: { readonly bundle: Bundle; readonly changed: ReceivedFields; readonly now: number },
): Fields => {
  const isSet =
    changed.get('revision_translation_affected')?.some(({ value = null }) => value !== null) === true ||
    (entity.type === 'taxonomy_term' && (changed.has('description') || changed.has('parent')));
  const time = bundle.fields.has('changed') ? { changed: changedAt(entity, now) } : {};
  if (isSet || !areSame(entity.fields, applied)) return { ...time, ...(isUnaffected(entity) ? affected : {}) };
  return bundle.newRevision === true ? { revision_translation_affected: [] } : {};
};

/** Whether the save before changed nothing. */
const isUnaffected = ({ fields }: Entity): boolean => fields['revision_translation_affected']?.length === 0;
const affected: Fields = { revision_translation_affected: [{ value: true }] };

/** Words about a revision do not change the record. An alias is a record of its own, and so is a state. */
const besides: ReadonlySet<FieldName> = new Set([
  ...['path', stateField, 'revision_translation_affected', 'revision_log', 'revision_log_message'],
  ...['revision_created', 'revision_timestamp', 'revision_uid', 'revision_user'],
]);

const areSame = (before: Fields, after: Fields): boolean =>
  Object.keys({ ...before, ...after }).every(
    (name) =>
      before[name] === after[name] ||
      besides.has(name) ||
      JSON.stringify(before[name] ?? []) === JSON.stringify(after[name] ?? []),
  );

const isUnchanged = (entity: Entity, field: FieldDefinition, receivedItems: FieldItems): boolean => {
  // The real site sets an emptied language again before it compares.
  if (field.name === 'langcode' && areEmpty(receivedItems, field)) return true;
  const present = field.name === stateField ? stateItems(entity, field.workflow) : itemsOf(entity, field.name);
  // Empty items count: a value next to an empty one is another list.
  if (receivedItems.length !== countedItems(entity, field, present)) return false;
  return JSON.stringify(stored(field, receivedItems)) === JSON.stringify(stored(field, present));
};

/**
 * A term's own row holds its description. Read from there, a missing one is an item without a value, which counts. A term without a
 * parent has the root of its vocabulary, and a record without an alias a path.
 */
const countedItems = ({ type }: Entity, { name, automatic }: FieldDefinition, present: FieldItems): number =>
  automatic === true || (type === 'taxonomy_term' && (name === 'description' || name === 'parent'))
    ? Math.max(1, present.length)
    : present.length;

/** What a save of a media begins with: see `MediaSave`. */
type SourceChange = Pick<MediaSave, 'isNew' | 'sourceChanged' | 'bytesReplaced'>;

/** The media with the fields that are computed from its file. */
export const saveMedia = (media: Entity, bundle: Bundle, change: SourceChange, context: DecisionContext): Entity => {
  const fileOf = (item: FieldItem | undefined): Entity | undefined => {
    const id = item?.['target_id'];
    return typeof id === 'number' ? context.view.get(entityKey('file', id)) : undefined;
  };
  const textOf = (file: Entity) => textIn(context.fileText, file);
  const save = {
    ...change,
    unnamed: `media:${media.bundle}:${media.uuid}`,
    iconFile: context.iconFile,
    fileOf,
    textOf,
  };
  return { ...media, fields: computeMedia(media.fields, bundle, save) };
};
