/** The handlers that read bundles and fields as configuration. Beyond the contract: clients of today ask for them. */
import { showMediaType, showNodeType, showVocabulary } from '../src/core/content-model/bundle-config.ts';
import { fieldAt, formDisplayAt, storageAt } from '../src/core/content-model/find.ts';
import { showFieldConfig, showFieldStorageConfig } from '../src/core/content-model/field-config.ts';
import { formContent, showFormDisplay } from '../src/core/content-model/form-display.ts';
import type { Reader } from '../src/core/engine/handler.ts';
import { may, type Principal } from '../src/core/model/principal.ts';
import { deniedWithout } from '../src/core/problem.ts';
import { derivedUuid } from '../src/core/site/derived-uuid.ts';

const requirePermission = (principal: Principal, ...permissions: readonly string[]): void => {
  if (!permissions.some((permission) => may(principal, permission))) throw deniedWithout(permissions);
};

/** Anyone who may change the fields of a type may read how they are configured. */
const requireFields = (principal: Principal, type: string): void =>
  requirePermission(principal, `administer ${type} fields`);

/** Fields and forms have no uuid in a site's files, so theirs is made from their names. */
const withUuid = <T extends { readonly id: string }>(prefix: string, shown: T): T & { readonly uuid: string } => ({
  uuid: derivedUuid(`${prefix}.${shown.id}`),
  ...shown,
});

export const getFormDisplay: Reader<'getFormDisplay'> = (request, { site }) => {
  const found = formDisplayAt(site.model, request.path.form_display_id);
  const display = found && showFormDisplay(site, found.bundle, found.mode);
  if (found === undefined || display === undefined) throw request.absent('form_display_id');
  requirePermission(request.identity.principal, `administer ${display.targetEntityType} form display`);
  const body = { ...display, content: formContent(found.bundle) };
  return () => ({ status: 200, mediaType: 'application/json', body: withUuid('core.entity_form_display', body) });
};

export const getFieldConfig: Reader<'getFieldConfig'> = (request, { site }) => {
  const found = fieldAt(site.model, request.path.field_config_id);
  if (found === undefined) throw request.absent('field_config_id');
  requireFields(request.identity.principal, found.bundle.entityType);
  return () => ({
    status: 200,
    mediaType: 'application/json',
    body: withUuid('field.field', showFieldConfig(site, found.bundle, found.field)),
  });
};

export const getFieldStorageConfig: Reader<'getFieldStorageConfig'> = (request, { site }) => {
  const found = storageAt(site.model, request.path.field_storage_config_id);
  if (found === undefined) throw request.absent('field_storage_config_id');
  requireFields(request.identity.principal, found.entityType);
  return () => ({
    status: 200,
    mediaType: 'application/json',
    body: withUuid('field.storage', showFieldStorageConfig(site, found.entityType, found.field)),
  });
};

export const getMediaType: Reader<'getMediaType'> = (request, { site }) => {
  const bundle = site.model.bundle('media', request.path.media_type_id);
  if (bundle === undefined) throw request.absent('media_type_id');
  requirePermission(request.identity.principal, 'administer media types');
  return () => ({ status: 200, mediaType: 'application/json', body: showMediaType(site, bundle) });
};

export const getNodeType: Reader<'getNodeType'> = (request, { site }) => {
  const bundle = site.model.bundle('node', request.path.node_type_id);
  if (bundle === undefined) throw request.absent('node_type_id');
  requirePermission(request.identity.principal, 'access content');
  return () => ({ status: 200, mediaType: 'application/json', body: showNodeType(site, bundle) });
};

export const getVocabulary: Reader<'getVocabulary'> = (request, { site }) => {
  const bundle = site.model.bundle('taxonomy_term', request.path.vocabulary_id);
  if (bundle === undefined) throw request.absent('vocabulary_id');
  requirePermission(request.identity.principal, 'access taxonomy overview', 'administer taxonomy');
  return () => ({ status: 200, mediaType: 'application/json', body: showVocabulary(site, bundle) });
};
