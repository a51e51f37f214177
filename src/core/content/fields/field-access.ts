/** Decides which fields a client may set or change. */
import type { Bundle } from '../../model/bundle.ts';
import { may, type Principal } from '../../model/principal.ts';
import { forbidden, type Problem } from '../../problem.ts';
import { identityFields, type Entity, type EntityType, type FieldName } from '../../model/entity.ts';
import { isRestricted, mayCreateField, mayEditField } from './restricted-fields.ts';

const administrative: {
  readonly [T in EntityType]?: { readonly fields: readonly FieldName[]; readonly permission: string };
} = {
  node: { fields: ['created', 'uid', 'promote', 'sticky', 'status'], permission: 'administer nodes' },
};

const readOnly: { readonly [T in EntityType]: readonly FieldName[] } = {
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
  const rule = isOfComments
    ? { fields: [field], permission: 'administer comments' }
    : administrative[bundle.entityType];
  return rule !== undefined && rule.fields.includes(field) && !may(principal, rule.permission)
    ? rule.permission
    : undefined;
};

/** The language of a record, where the site lets nobody choose it. */
const isFixedLanguage = (bundle: Bundle, field: FieldName): boolean =>
  field === 'langcode' && !bundle.languageAlterable;

/** A path without an alias is dropped before (`computed-fields.ts`). */
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
  return field === identityFields[type].id ||
    readOnly[type].includes(field) ||
    isFixedLanguage(bundle, field) ||
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
  if (field === identityFields[type].id) return refusal(' The entity ID cannot be changed.');
  if (field === 'uuid') return refusal(' The entity UUID cannot be changed.');
  if (readOnly[type].includes(field) || isFixedLanguage(bundle, field)) return refusal('');
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
