/** Decides which fields a client sees, sets or changes. Those that are not for everybody have the permissions of the module `field_permissions`. */
import type { RepositoryType } from '../../model/entity.ts';
import { type Bundle, type FieldDefinition, oncePerBundle, workflowOf } from '../../model/bundle.ts';
import { may, type Principal } from '../../model/principal.ts';
import { identityOf, ownerOf } from '../../model/entity.ts';
import { forbidden, type Problem } from '../../../openapi/openapi-terms.ts';
import type { Entity, FieldName } from '../../../openapi/openapi-records.ts';

export const isRestricted = ({ access = 'public' }: FieldDefinition): boolean => access !== 'public';

const isOwner = ({ uid }: Principal, entity: Entity): boolean => uid !== 0 && ownerOf(entity) === uid;

const allows = (
  verb: 'view' | 'edit',
  principal: Principal,
  entity: Entity,
  { name, access = 'public' }: FieldDefinition,
): boolean => {
  if (access === 'public' || principal.mayEverything) return true;
  if (access === 'private') return isOwner(principal, entity) || may(principal, 'access private fields');
  return may(principal, `${verb} ${name}`) || (isOwner(principal, entity) && may(principal, `${verb} own ${name}`));
};

export const mayViewField = (principal: Principal, entity: Entity, field: FieldDefinition): boolean =>
  allows('view', principal, entity, field);

export const mayEditField = (principal: Principal, entity: Entity, field: FieldDefinition): boolean =>
  allows('edit', principal, entity, field);

/** Anyone who creates a record may fill its private fields. */
const mayCreateField = (principal: Principal, { name, access }: FieldDefinition): boolean =>
  access !== 'custom' || may(principal, `create ${name}`);

/** The fields of a bundle that are not for everybody. */
const restrictedFieldsOf = oncePerBundle((bundle): readonly FieldDefinition[] =>
  [...bundle.fields.values()].filter(isRestricted),
);

/** Whether an answer that shows a record of the bundle can depend on who owns the record. */
export const hasOwnersFields = (bundle: Bundle): boolean => restrictedFieldsOf(bundle).length > 0;

/**
 * The bundle with the fields that the viewer may see of a record: the same object where the viewer may see all. Without a
 * viewer no restricted field is there.
 */
export const visibleBundle = (bundle: Bundle, entity: Entity, viewer: Principal | undefined): Bundle => {
  const fields = restrictedFieldsOf(bundle);
  if (fields.length === 0) return bundle;
  const hidden = fields.filter((field) => viewer === undefined || !mayViewField(viewer, entity, field));
  return hidden.length === 0
    ? bundle
    : bundleWithout(
        bundle,
        hidden.map(({ name }) => name),
      );
};

/** Bundles are compared by identity, so that each combination of hidden fields is made once. */
const bundleWithout = (bundle: Bundle, hidden: readonly FieldName[]): Bundle => {
  const known = reduced.get(bundle) ?? new Map<string, Bundle>();
  reduced.set(bundle, known);
  const key = hidden.join();
  const made = known.get(key) ?? {
    ...bundle,
    fields: new Map([...bundle.fields].filter(([name]) => !hidden.includes(name))),
  };
  known.set(key, made);
  return made;
};

const reduced = new WeakMap<Bundle, Map<string, Bundle>>();

const administrative: readonly FieldName[] = ['created', 'uid', 'promote', 'sticky', 'status'];

const readOnly: { readonly [T in RepositoryType]: readonly FieldName[] } = {
  node: ['changed', 'revision_timestamp', 'revision_uid'],
  media: ['changed'],
  file: ['uri', 'filemime', 'filesize', 'status', 'changed'],
  taxonomy_term: ['changed'],
  user: ['changed'],
  path_alias: [],
  redirect: [],
};

const missingPermission = (principal: Principal, bundle: Bundle, field: FieldName): string | undefined => {
  // Whether people may comment on a record is for those to say who look after comments.
  const isOfComments = bundle.fields.get(field)?.type === 'comment';
  if (!isOfComments && (bundle.entityType !== 'node' || !administrative.includes(field))) return undefined;
  const permission = isOfComments ? 'administer comments' : 'administer nodes';
  return may(principal, permission) ? undefined : permission;
};

/** The language of a record, where the site lets nobody choose it. */
const isFixedLanguage = (bundle: Bundle, field: FieldName): boolean =>
  field === 'langcode' && !bundle.languageAlterable;

/** A path without an alias is dropped before (`denormalise.ts`). */
const isAlias = (bundle: Bundle, field: FieldName): boolean => bundle.fields.get(field)?.type === 'path';
const aliasPermissions = ['create url aliases', 'administer url aliases'] as const;
const mayMakeAliases = (principal: Principal): boolean => aliasPermissions.some((name) => may(principal, name));

const mayCreate = (principal: Principal, bundle: Bundle, field: FieldName): boolean => {
  const definition = bundle.fields.get(field);
  if (isAlias(bundle, field)) return mayMakeAliases(principal);
  return definition === undefined || mayCreateField(principal, definition);
};

/** The 403 for setting a field of a new entity, or undefined when it may be set. The message has no reason. */
export const creatingRefusal = (principal: Principal, bundle: Bundle, field: FieldName): Problem | undefined => {
  const type = bundle.entityType;
  return field === identityOf(type).id ||
    readOnly[type].includes(field) ||
    isFixedLanguage(bundle, field) ||
    isOfState(bundle, field) ||
    missingPermission(principal, bundle, field) !== undefined ||
    !mayCreate(principal, bundle, field)
    ? forbidden(`Access denied on creating field '${field}'.`)
    : undefined;
};

/** The 403 for changing a field to another value, or undefined when it may be changed. */
export const updatingRefusal = (
  principal: Principal,
  bundle: Bundle,
  field: FieldName,
  entity?: Entity,
): Problem | undefined => {
  const type = bundle.entityType;
  const refusal = (reason: string): Problem => forbidden(`Access denied on updating field '${field}'.${reason}`);
  if (field === identityOf(type).id) return refusal(' The entity ID cannot be changed.');
  if (field === 'uuid') return refusal(' The entity UUID cannot be changed.');
  if (readOnly[type].includes(field) || isFixedLanguage(bundle, field)) return refusal('');
  if (isOfState(bundle, field)) return refusal(' Cannot edit the published field of moderated entities.');
  const definition = bundle.fields.get(field);
  if (definition !== undefined && isRestricted(definition)) {
    if (entity === undefined || !mayEditField(principal, entity, definition)) return refusal('');
  }
  if (isAlias(bundle, field) && !mayMakeAliases(principal)) {
    return refusal(` The following permissions are required: '${aliasPermissions.join("' OR '")}'.`);
  }
  const permission = missingPermission(principal, bundle, field);
  return permission === undefined ? undefined : refusal(` The '${permission}' permission is required.`);
};

/** Whether a field follows from the state, so that nobody may set it. */
const isOfState = (bundle: Bundle, field: FieldName): boolean => field === 'status' && workflowOf(bundle) !== undefined;
