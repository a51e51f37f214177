/** The handlers that read bundles and fields as configuration. Beyond the contract: clients of today ask for them. */
import { emptyAsList } from '../src/basics/exported/lenient-values.ts';
import { fieldAt, formDisplayAt, storageAt } from '../src/repository/repository-sites.ts';
import { jsonReply } from '../src/openapi/openapi-host.ts';
import type { Reader } from '../src/repository/repository-engine.ts';
import type { components } from '../src/client/generated/contract.ts';
import { linkHeader } from '../src/repository/repository-content.ts';
import { may, type Principal, type World } from '../src/repository/repository.ts';
import { derivedUuid } from '../src/basics/secrets/derived-uuid.ts';
import { showMediaType, showNodeType, showVocabulary } from './content-model/bundle-config.ts';
import { showFieldConfig, showFieldStorageConfig } from './content-model/field-config.ts';
import { formWidgets, showFormDisplay } from './content-model/form-display.ts';
import { deniedWithout } from '../src/openapi/openapi-terms.ts';
import type { JsonObject } from '../src/basics/json.ts';

type Schemas = components['schemas'];
type Widgets = Schemas['FormWidgets'];

export const requirePermission = (principal: Principal, ...permissions: readonly string[]): void => {
  if (!permissions.some((permission) => may(principal, permission))) throw deniedWithout(permissions);
};

/** Anyone who may change the fields of a type may read how they are configured. */
const requireFields = (principal: Principal, type: string): void =>
  requirePermission(principal, `administer ${type} fields`);

/** Fields and forms have no uuid in a site's files, so theirs is made from their names where no export says it. */
const withUuid = <T extends { readonly id: string }>(prefix: string, shown: T): T & { readonly uuid: string } => ({
  uuid: derivedUuid(`${prefix}.${shown.id}`),
  ...shown,
});

/** The links of the platform to the pages that administer a configuration: relation and path. */
const adminLinks = (
  { site, baseUrl }: Pick<World, 'site' | 'baseUrl'>,
  links: readonly (readonly [relation: string, path: string])[],
): { readonly Link?: string[] } =>
  site.platformLinks
    ? { Link: links.map(([rel, path]) => linkHeader({ target: `${baseUrl}/admin/${path}`, rel })) }
    : {};

const registered: readonly string[] = ['edit-form', 'collection'];

/** The links of a bundle. The forms to add one and to see all are above its own page. */
const bundleLinks = (world: World, root: string, id: string, pages: readonly string[]) => {
  const own = `structure/${root}/manage/${id}`;
  const paths = new Map([
    ['add-form', `structure/${root}/add`],
    ['collection', `structure/${root}`],
    ['edit-form', own],
  ]);
  const links = pages.map((page) => {
    const name = page.replace(/^.*\//, '');
    const rel = registered.includes(name) ? name : `https://drupal.org/link-relations/${name}`;
    return [rel, paths.get(page) ?? `${own}/${page.replace(/-form$/, '')}`] as const;
  });
  return adminLinks(world, links);
};

export const getFormDisplay: Reader<'getFormDisplay'> = (request, { site }) => {
  const id = request.path.form_display_id;
  const found = formDisplayAt(site.model, id);
  const display = found && showFormDisplay(site, found.bundle, found.mode);
  const body =
    found === undefined || display === undefined
      ? (ofOtherType(site, 'core.entity_form_display', id) as Schemas['FormDisplay'] | undefined) // as a real site has it
      : {
          ...display,
          content: emptyAsList({ ...formWidgets(site, found.bundle, found.mode) } as JsonObject) as Widgets,
        }; // an empty one is a list, and its schema has no type
  if (body === undefined) throw request.absent('form_display_id');
  requirePermission(request.identity.principal, `administer ${body.targetEntityType} form display`);
  return () => jsonReply(withUuid('core.entity_form_display', body));
};

/** An exported object of records that are not served, such as comments. Their types decide nothing here. */
const ofOtherType = (site: World['site'], family: string, id: string): JsonObject | undefined => {
  const [type = ''] = id.split('.');
  return isServedType(type) ? undefined : site.exported.get(`${family}.${id}`);
};

const isServedType = (type: string): boolean => ['node', 'media', 'taxonomy_term', 'user'].includes(type);

export const getFieldConfig: Reader<'getFieldConfig'> = (request, { site }) => {
  const id = request.path.field_config_id;
  const found = fieldAt(site.model, id);
  const body =
    found === undefined
      ? (ofOtherType(site, 'field.field', id) as Schemas['FieldConfig'] | undefined) // as a real site has it
      : showFieldConfig(site, found.bundle, found.field);
  if (body === undefined) throw request.absent('field_config_id');
  requireFields(request.identity.principal, body.entity_type);
  return () => jsonReply(withUuid('field.field', body));
};

export const getFieldStorageConfig: Reader<'getFieldStorageConfig'> = (request, world) => {
  const { site } = world;
  const id = request.path.field_storage_config_id;
  const found = storageAt(site.model, id);
  const body =
    found === undefined
      ? // A storage may have no field.
        (site.exported.get(`field.storage.${id}`) as Schemas['FieldStorageConfig'] | undefined) // as a real site has it
      : showFieldStorageConfig(site, found.entityType, found.field);
  if (body === undefined) throw request.absent('field_storage_config_id');
  requireFields(request.identity.principal, body.entity_type);
  const headers = adminLinks(world, [['collection', 'reports/fields']]);
  return () => ({ ...jsonReply(withUuid('field.storage', body)), headers });
};

export const getMediaType: Reader<'getMediaType'> = (request, world) => {
  const bundle = world.site.model.bundle('media', request.path.media_type_id);
  if (bundle === undefined) throw request.absent('media_type_id');
  requirePermission(request.identity.principal, 'administer media types');
  const pages = ['add-form', 'edit-form', 'delete-form', 'permissions', 'collection'];
  const headers = bundleLinks(world, 'media', bundle.id, pages);
  return () => ({ ...jsonReply(showMediaType(world.site, bundle)), headers });
};

export const getNodeType: Reader<'getNodeType'> = (request, world) => {
  const bundle = world.site.model.bundle('node', request.path.node_type_id);
  if (bundle === undefined) throw request.absent('node_type_id');
  requirePermission(request.identity.principal, 'access content');
  const headers = bundleLinks(world, 'types', bundle.id, ['edit-form', 'delete-form', 'permissions', 'collection']);
  return () => ({ ...jsonReply(showNodeType(world.site, bundle)), headers });
};

export const getVocabulary: Reader<'getVocabulary'> = (request, world) => {
  const bundle = world.site.model.bundle('taxonomy_term', request.path.vocabulary_id);
  if (bundle === undefined) throw request.absent('vocabulary_id');
  requirePermission(request.identity.principal, 'access taxonomy overview', 'administer taxonomy');
  const pages = ['add-form', 'delete-form', 'reset-form', 'overview-form', 'edit-form', 'overview/permissions'];
  const headers = bundleLinks(world, 'taxonomy', bundle.id, [...pages, 'collection']);
  return () => ({ ...jsonReply(showVocabulary(world.site, bundle)), headers });
};
