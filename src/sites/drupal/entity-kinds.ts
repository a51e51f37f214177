/** Lists the kinds of configuration that an import reads. It keeps nothing of the others: they may hold secrets. */

/** One file each, by its whole name. */
const objects = [
  'core.extension',
  'jsonld.settings',
  'islandora.settings',
  'filehash.settings',
  'jwt.config',
  'system.site',
  'system.date',
  'system.file',
  'user.flood',
  'media.settings',
  'structure_sync.data',
  'islandora_iiif.settings',
  'rest_oai_pmh.settings',
  'pathauto.settings',
] as const;

/** Many files each, by the start of their names. */
const families = [
  'node.type',
  'media.type',
  'taxonomy.vocabulary',
  'field.storage',
  'field.field',
  'core.base_field_override',
  'core.entity_form_display',
  'rest.resource',
  'user.role',
  'rdf.mapping',
  'language.entity',
  'language.content_settings',
  'filter.format',
  'context.context',
  'system.action',
  'views.view',
  'migrate_plus.migration',
  'pathauto.pattern',
  'workflows.workflow',
] as const;

export type ObjectName = (typeof objects)[number];
export type FamilyName = (typeof families)[number];
type Kind = ObjectName | FamilyName;

/** Patches of config_split lie over another object. */
const patchPrefix = 'config_split.patch.';

/** The object that a patch changes. Undefined for any other file. */
export const patchedName = (name: string): string | undefined =>
  name.startsWith(patchPrefix) ? name.slice(patchPrefix.length) : undefined;

/** The kind of a configuration object, if an import reads it. */
export const kindOf = (name: string): Kind | undefined =>
  objects.find((each) => each === name) ?? families.find((family) => name.startsWith(`${family}.`));

/** What a report calls the kind of an object that is not read: at most two plain words of its name. */
export const foreignKindOf = (name: string): string => {
  const [module = '', type = ''] = name.split('.');
  const isPlain = (word: string): boolean => /^[a-z][a-z0-9_]{0,60}$/.test(word);
  if (!isPlain(module)) return 'other';
  // With two parts only, the second may be a name that somebody gave.
  const isType = name.split('.').length > 2 || type === 'settings';
  return isType && isPlain(type) ? `${module}.${type}` : module;
};
