/** Makes the base fields of a bundle: those of the site's modules, with what the bundle says otherwise of them. */
import { baseFieldsOf } from '../model/base-fields.ts';
import { identityOf, stateField, type RepositoryType } from '../model/entity.ts';
import { fieldTypeOf } from '../fields/field-types.ts';
import type { FieldDefinition } from '../model/bundle.ts';
import type { BundleInput, SiteInput } from './site-files.ts';
import type { LivingInput } from '../site/living-file.ts';
import { workflowsInEffect } from '../site/workflows.ts';
import type { SiteModules } from '../site/site.ts';
import type { FieldItems } from '../../openapi/openapi-records.ts';

type ModuleSettings = Pick<SiteInput, 'modules'>;

export const modulesOf = ({ modules }: ModuleSettings, living: LivingInput): SiteModules => {
  const { islandora, path, metatag } = modules;
  const moderated = [...new Set(workflowsInEffect(living.workflows).map(({ type }) => type))];
  const contentModeration = modules.content_moderation || moderated.length > 0;
  const { dgi_image_discovery: imageDiscovery, jwt_auth_issuer: tokenIssuer } = modules;
  const automaticPaths = living.aliasPatterns !== undefined;
  const { algorithms = [], original = false } = living.fileHashes ?? {};
  const hashes = algorithms.flatMap((name) => (original ? [name, `original_${name}`] : [name]));
  const fields = { path, metatag, contentModeration, moderated, imageDiscovery, automaticPaths, hashes };
  return { islandora, tokenIssuer, ...fields };
};

/** The base fields of a type, which depend on the settings of the site. */
export type BaseFields = (type: RepositoryType) => readonly FieldDefinition[];

export const baseFieldsFor = (
  siteSettings: ModuleSettings & Pick<SiteInput, 'content_translation'>,
  living: LivingInput,
): BaseFields => {
  const modules = modulesOf(siteSettings, living);
  return (type) => baseFieldsOf(type, modules, siteSettings.content_translation);
};

type Overrides = BundleInput['base_fields'];

/** The base fields of a bundle. The parents of a term are terms of its own vocabulary. */
export const baseDefinitions = (
  fields: readonly FieldDefinition[],
  bundle: string,
  overrides: Overrides,
): readonly FieldDefinition[] =>
  fields.map((field) => {
    const own = field.name === 'parent' ? { ...field, target: targetOfParent(bundle) } : field;
    const override = overrides[field.name];
    if (override === undefined) return own;
    const { label = own.label, required = own.required, default: items } = override;
    return { ...own, label, required, ...(items === undefined ? {} : { default: itemsOf(items, own) }) };
  });

const targetOfParent = (bundle: string): FieldDefinition['target'] => ({ type: 'taxonomy_term', bundles: [bundle] });

type Default = NonNullable<Overrides[string]['default']>;

const itemsOf = (value: Default, field: FieldDefinition): FieldItems =>
  typeof value === 'object' ? value : [{ [fieldTypeOf(field).main]: value }];

/** Fields that the server sets whatever a bundle says, so a default would have no effect. */
const assigned: ReadonlySet<string> = new Set([
  ...['uuid', 'vid', 'revision_id', 'langcode', 'type', 'bundle', 'created', 'changed', 'default_langcode'],
  ...['revision_timestamp', 'revision_created', 'revision_uid', 'revision_user', 'thumbnail', 'parent'],
  ...['path', 'metatag', stateField, 'did_image'],
]);

/** What is wrong with the overrides of a bundle: key and remedy. */
export const overrideViolations = (
  fields: readonly FieldDefinition[],
  type: string,
  overrides: Overrides,
): string[] => {
  const known = fields.map(({ name }) => name);
  return Object.entries(overrides).flatMap(([name, { default: value }]) => {
    if (!known.includes(name)) {
      return [`base_fields.${name}: no ${type} has such a base field. Choose from: ${known.join(', ')}.`];
    }
    const isAssigned = assigned.has(name) || name === identityOf(type).id;
    return value !== undefined && isAssigned
      ? [`base_fields.${name}.default: the server sets this field. Remove the default.`]
      : [];
  });
};
