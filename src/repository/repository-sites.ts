/** The door for those that make, compare and export sites: a site's files, lists, and its content model as configuration. */

/** The rows of a media type in exported configuration: key, how it is read, how it is written. */
export { mediaTypeRows } from './content-model/bundle-rows.ts';
/** The same of a content type. */
export { nodeTypeRows } from './content-model/bundle-rows.ts';
/** What a real site calls each kind of media source, and the file name of its icon. */
export { sourceKinds } from './content-model/bundle-rows.ts';
/** The same of a vocabulary. */
export { vocabularyRows } from './content-model/bundle-rows.ts';
/** The rows of the settings that a field type has. */
export { settingRowsOf } from './content-model/field-rows.ts';
/** The rows that each field has. */
export { fieldRows } from './content-model/field-rows.ts';
/** The types whose bundles a site describes. */
export { fieldedTypes } from './content-model/find.ts';
/** The field that an id of exported configuration names, `node.article.body`. Undefined where there is none. */
export { fieldAt } from './content-model/find.ts';
/** The bundle and mode of a form, by its id. */
export { formDisplayAt } from './content-model/find.ts';
/** The storage that all bundles of a type share, by its id. */
export { storageAt } from './content-model/find.ts';
/** The bundle that has fields and forms, by type and name. */
export { bundleAt } from './content-model/find.ts';
/** One of them. */
export type { FieldedType } from './content-model/find.ts';

/** A rule of a property of an item: returns the message when it is broken. */
export type { PropertyRule } from './fields/rule.ts';
/** The rule of booleans. */
export { boolean as booleanRule } from './fields/rules.ts';
/** The rule of numbers. */
export { float as floatRule } from './fields/rules.ts';
/** The rule of whole numbers. */
export { integer as integerRule } from './fields/rules.ts';
/** The field type in place of those that are not known here. */
export { other as otherType } from './fields/types/other.ts';

/** The base fields of a site with these modules and settings. */
export { baseFieldsFor } from './site-files/base-definitions.ts';
/** The base fields of a type. */
export type { BaseFields } from './site-files/base-definitions.ts';
/** Whether a name is an IRI itself, and no prefix with a name. */
export { isWholeIri } from './site-files/graph-definition.ts';
/** The records of a site's accounts and terms. Each start makes the same. */
export { initialRecords } from './site-files/initial-records.ts';
/** Loads a site from its files. Throws `ConfigurationError` with file and key. */
export { loadSiteFolder } from './site-files/load-site.ts';
/** The content of `site.yml`. */
export type { SiteInput } from './site-files/site-files.ts';
/** The schema of each kind of file of a site's folder. */
export { siteSchemas } from './site-files/site-schemas.ts';

/** The file of exported configuration that decides nothing: the content model shows it. */
export { exportedName } from './site/exported-configuration.ts';
/** The content of `living.yml`. */
export type { LivingInput } from './site/living-file.ts';
/** A section of it. */
export type { LivingSection } from './site/living-file.ts';
/** A type whose records can be listed. */
export type { ListedType } from './site/record-list.ts';
/** Whether a list as such may be refused. */
export { isGuarded } from './site/record-list.ts';
/** What two addresses have in common whose parameters have other names. */
export { pathShape } from './site/record-list.ts';
/** A list of a site: its path, its records and columns, and who may ask for it. */
export type { RecordList } from './site/record-list.ts';
/** The column that a file hash has. */
export { hashField } from './site/record-list.ts';
/** How a column is written. */
export type { ColumnForm } from './site/record-list.ts';
/** All of them. */
export { listedTypes } from './site/record-list.ts';
