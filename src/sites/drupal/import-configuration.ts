/** Makes the files of a site from an exported Drupal configuration, and a report of what was not taken. */
import { given } from '../../basics/json.ts';
import * as v from 'valibot';
import { fieldTypes } from '../../repository/repository.ts';
import {
  baseFieldsFor,
  type BaseFields,
  type ListedType,
  type LivingInput,
  siteSchemas,
  exportedName,
} from '../../repository/repository-sites.ts';
import { accountBundle, mediaBundle, nodeBundle, vocabulary } from './bundles.ts';
import {
  bundleIdsOf,
  createConfiguration,
  type Configuration,
  type ConfigurationFiles,
  type ConfigurationText,
  type Named,
} from './configuration.ts';
import { exportedObjects } from './exported-objects.ts';
import { graphAdditionsReader } from './islandora-contexts.ts';
import { dataOf } from '../../basics/exported/lenient-values.ts';
import type { FamilyName } from './entity-kinds.ts';
import { livingOf } from './living/living-file.ts';
import { fieldSourcesOf } from './fields/field-sources.ts';
import { usableSources } from './fields/fields.ts';
import type { ImportContext } from './import-context.ts';
import { fittedFiles } from './fitted-files.ts';
import { siteSettingsOf } from './site-settings.ts';
import { migrationTerms } from './terms/migration-terms.ts';
import { namespacesOf } from './namespaces.ts';
import { placeTerms, type KnownTerm, type PlacedTerm } from './terms/placed-terms.ts';
import { createReporter, type Reporter } from './report.ts';
import type { ImportReport } from '../../openapi/openapi-host.ts';
import { resourcesOf } from './resources.ts';
import { demoAccounts, rolesOf } from './roles.ts';
import type { SiteFiles, SiteSettings } from './site-format.ts';
import { reportUnused } from './unused.ts';
import { standardTerms } from './terms/standard-terms.ts';
import { storagesOf } from './storages.ts';
import { structureSyncTerms } from './terms/structure-sync-terms.ts';
import { tableTerms } from './terms/table-terms.ts';
import { makeTerms, type Terms } from './terms/terms.ts';
import { siteLists } from './views/site-lists.ts';

export type ImportOptions = {
  /** Tables of terms that the user named. */
  readonly terms?: readonly ConfigurationText[];
  /** The terms of an earlier import, which keep their ids. */
  readonly known?: readonly KnownTerm[];
  /** See `ImportSource`. */
  readonly enable?: readonly string[] | undefined;
};

export type Imported = { readonly siteFiles: SiteFiles; readonly report: ImportReport };

/** Throws `ConfigurationError` for a file that is not YAML or not a table, and for a type that cannot be enabled. */
export const importConfiguration = (files: ConfigurationFiles, options: ImportOptions = {}): Imported => {
  const reporter = createReporter();
  const configuration = createConfiguration(files);
  const namespaces = namespacesOf(configuration, reporter);
  const written = fieldSourcesOf(configuration, reporter);
  const storages = storagesOf(configuration, written, reporter);
  const resources = resourcesOf(configuration, reporter, options.enable);
  const bundleIds = bundleIdsOf(configuration);
  const placed = placedTerms(configuration, files, options, reporter);
  const settings = siteSettingsOf({ configuration, reporter, namespaces, storages, resources });
  const schemes = new Set(Object.keys(storages.storages));
  const living = livingOf(configuration, { schemes, reporter });
  const baseFields = baseFieldsIn(settings, living.sections);
  const sources = usableSources(written, baseFields, reporter);
  const words = { languages: settings.languages, textFormats: Object.keys(settings.text_formats ?? usualFormats) };
  const terms = makeTerms(placed, sources, words, reporter);
  const context: ImportContext = {
    ...{ configuration, reporter, namespaces, sources, baseFields },
    graphAdditions: graphAdditionsReader(configuration, namespaces, reporter),
    schemes,
    bundlesOf: (type) => Object.entries(bundleIds).find(([name]) => name === type)?.[1] ?? [],
    termId: terms.termId,
  };
  const roles = rolesOf(configuration, reporter);
  const objects = exportedObjects(configuration);
  const siteFiles: SiteFiles = new Map<string, unknown>([
    ['site.yml', settings],
    ['accounts.yml', demoAccounts(roles, reporter)],
    ...(Object.keys(living.sections).length === 0 ? [] : [['living.yml', living.sections] as const]),
    ...bundleFiles(context, terms),
    ...(objects.length === 0 ? [] : [[exportedName, { objects }] as const]),
    ...roles.map((role) => [`roles/${role.id}.yml`, role] as const),
    ...resources.files.map((file) => [resourceFileName(file.resource), file] as const),
  ]);
  reportUnused(configuration, files, { bundleIds, baseFields }, reporter);
  const fitted = fittedFiles(siteFiles, reporter);
  // Lists name fields, and so they are made of what the site has in the end.
  const lists = siteLists(
    configuration,
    { taken: living.paths, hasField: fieldsIn(fitted, baseFields), roles },
    reporter,
  );
  return { siteFiles: new Map([...fitted, ...fittedFiles(lists, reporter)]), report: reporter.report(files.notRead) };
};

/** The terms of all sources, with their ids. */
const placedTerms = (
  configuration: Configuration,
  { tables }: ConfigurationFiles,
  { terms = [], known = [] }: ImportOptions,
  reporter: Reporter,
): readonly PlacedTerm[] => {
  const vocabularies = configuration.ids('taxonomy.vocabulary');
  const sources = {
    structureSync: structureSyncTerms(configuration, reporter),
    migrations: migrationTerms(configuration, tables, reporter),
    own: terms.map((table) => tableTerms(table, reporter)),
    standard: standardTerms(vocabularies),
  };
  return placeTerms(sources, vocabularies, known, reporter);
};

/** Whether records of a type may have a field whose items keep a property. */
const fieldsIn = (files: SiteFiles, baseFields: BaseFields) => {
  const own = [...files].flatMap(([file, content]) => {
    if (!/^(bundles|vocabularies)\//.test(file)) return [];
    const { entity_type: of = 'taxonomy_term', fields } = dataOf(content);
    return Object.entries(dataOf(fields)).map(([name, field]) => ({ of, name, type: dataOf(field)['type'] }));
  });
  return (of: ListedType, name: string, property?: string): boolean =>
    [...own.filter((field) => field.of === of), ...baseFields(of)].some(
      (field) => field.name === name && (property === undefined || keeps(field.type, property)),
    );
};

const keeps = (type: unknown, property: string): boolean => {
  const known = fieldTypes.find(({ name }) => name === type);
  return known !== undefined && (known.hasAnyMember ?? known.properties.includes(property));
};

/** The text formats of a site that names none. */
const usualFormats = { plain_text: {} };

type Files = readonly (readonly [name: string, content: object])[];

/** What has fields. Those of accounts are counted first. */
const bundleFiles = (context: ImportContext, terms: Terms): Files => {
  const accounts = accountBundle(context);
  const filesOfFamily = (family: FamilyName, start: string, make: (each: Named) => object): Files =>
    context.configuration.family(family).map((each) => [`${start}${each.id}.yml`, make(each)]);
  return [
    ...filesOfFamily('node.type', 'bundles/node.', (each) => nodeBundle(context, each)),
    ...filesOfFamily('media.type', 'bundles/media.', (each) => mediaBundle(context, each)),
    ...(accounts === undefined ? [] : [['bundles/user.user.yml', accounts] as const]),
    ...filesOfFamily('taxonomy.vocabulary', 'vocabularies/', (each) =>
      vocabulary(context, each, terms.ofVocabulary(each.id)),
    ),
  ];
};

/** The base fields of a site with these settings. */
const baseFieldsIn = ({ modules, content_translation }: SiteSettings, living: LivingInput): BaseFields =>
  baseFieldsFor(
    v.parse(v.pick(siteSchemas.site, ['modules', 'content_translation']), given({ modules, content_translation })),
    living,
  );

const resourceFileName = (resource: string): string =>
  resource === 'file_upload' ? 'resources/file.upload.yml' : `resources/entity.${resource}.yml`;
