/** Makes the files of a site from an exported Drupal configuration, and a report of what was not taken. */
import * as v from 'valibot';
import { baseFieldsFor, type BaseFields } from '../site/base-definitions.ts';
import { siteFile } from '../site/site-files.ts';
import { mediaBundle, nodeBundle, vocabulary, type BundleContext } from './bundles.ts';
import {
  createConfiguration,
  type Configuration,
  type ConfigurationFiles,
  type ConfigurationText,
} from './configuration.ts';
import { fieldSourcesOf } from './fields/field-sources.ts';
import { fittedFiles } from './fitted-files.ts';
import { generalOf } from './general.ts';
import { migrationTerms } from './terms/migration-terms.ts';
import { namespacesOf } from './namespaces.ts';
import { placeTerms, type KnownTerm } from './terms/placed-terms.ts';
import { createReporter, type ImportReport, type Reporter } from './report.ts';
import { resourcesOf } from './resources.ts';
import { demoAccounts, rolesOf } from './roles.ts';
import type { SiteFiles, SiteGeneral } from './site-format.ts';
import { standardTerms } from './terms/standard-terms.ts';
import { storagesOf } from './storages.ts';
import { structureSyncTerms } from './terms/structure-sync-terms.ts';
import { tableTerms } from './terms/table-terms.ts';
import { makeTerms } from './terms/terms.ts';

export type ImportOptions = {
  /** Tables of terms that the user named. */
  readonly terms?: readonly ConfigurationText[];
  /** The terms of an earlier import, which keep their ids. */
  readonly known?: readonly KnownTerm[];
};

export type Imported = { readonly siteFiles: SiteFiles; readonly report: ImportReport };

/** Throws `ConfigurationError` for a file that is no YAML or no table. */
export const importConfiguration = (files: ConfigurationFiles, options: ImportOptions = {}): Imported => {
  const reporter = createReporter();
  const configuration = createConfiguration(files);
  const namespaces = namespacesOf(configuration, reporter);
  const sources = fieldSourcesOf(configuration, reporter);
  const storages = storagesOf(configuration, sources, reporter);
  const resources = resourcesOf(configuration, reporter);
  const bundleIds = idsOfBundles(configuration);
  const placed = placeTerms(
    {
      structureSync: structureSyncTerms(configuration, reporter),
      migrations: migrationTerms(configuration, files.tables, reporter),
      own: (options.terms ?? []).map(tableTerms),
      standard: standardTerms(bundleIds.taxonomy_term),
    },
    bundleIds.taxonomy_term,
    options.known ?? [],
    reporter,
  );
  const general = generalOf({ configuration, reporter, namespaces, storages, resources });
  const words = { languages: general.languages, textFormats: general.text_formats ?? ['plain_text'] };
  const terms = makeTerms(placed, sources, words, reporter);
  const baseFields = baseFieldsIn(general);
  const context: BundleContext = {
    ...{ configuration, reporter, namespaces, sources, baseFields },
    isWhole: configuration.isWhole,
    schemes: new Set(Object.keys(storages.storages)),
    bundlesOf: (type) => Object.entries(bundleIds).find(([name]) => name === type)?.[1] ?? [],
    termId: terms.termId,
  };
  const roles = rolesOf(configuration, reporter);
  const siteFiles = new Map<string, unknown>([
    ['site.yml', general],
    ['accounts.yml', demoAccounts(roles, reporter)],
    ...configuration
      .family('node.type')
      .map((type) => [`bundles/node.${type.id}.yml`, nodeBundle(context, type)] as const),
    ...configuration
      .family('media.type')
      .map((type) => [`bundles/media.${type.id}.yml`, mediaBundle(context, type)] as const),
    ...configuration
      .family('taxonomy.vocabulary')
      .map((each) => [`vocabularies/${each.id}.yml`, vocabulary(context, each, terms.ofVocabulary(each.id))] as const),
    ...roles.map((role) => [`roles/${role.id}.yml`, role] as const),
    ...resources.files.map((resource) => [`resources/entity.${resource.resource}.yml`, resource] as const),
  ]);
  reportUnused(configuration, files, reporter);
  return { siteFiles: fittedFiles(siteFiles, reporter), report: reporter.report(files.notRead) };
};

/** The base fields of a site with these settings. */
const baseFieldsIn = (general: SiteGeneral): BaseFields =>
  baseFieldsFor(v.parse(v.pick(siteFile, ['modules', 'content_translation']), pick(general)));

const pick = ({ modules, content_translation: translated }: SiteGeneral) => ({
  ...(modules === undefined ? {} : { modules }),
  ...(translated === undefined ? {} : { content_translation: translated }),
});

const idsOfBundles = (configuration: Configuration) => {
  const idsOf = (...family: Parameters<Configuration['family']>): string[] =>
    configuration.family(...family).map(({ id }) => id);
  return {
    node: idsOf('node.type'),
    media: idsOf('media.type'),
    taxonomy_term: idsOf('taxonomy.vocabulary'),
    user: ['user'],
    file: ['file'],
  };
};

/** What is read, and has no place of its own in a site. */
const reportUnused = (configuration: Configuration, files: ConfigurationFiles, reporter: Reporter): void => {
  const site = configuration.object('system.site');
  for (const [language, objects] of files.translations) {
    if (language === (site?.['default_langcode'] ?? site?.['langcode'] ?? 'en')) continue;
    if (objects.size > 0) reporter.partly(`language/${language}`, 'labels have one language here, that of the site');
  }
  const jwt = configuration.object('jwt.config');
  if (typeof jwt?.['algorithm'] === 'string' && jwt['algorithm'] !== 'RS256') {
    reporter.partly('jwt.config', 'tokens are signed with RS256 here');
  }
};
