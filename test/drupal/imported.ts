/** Imports objects of a configuration and loads the site that they make. */
import { importConfiguration, type ImportOptions } from '../../src/sites/drupal/import-configuration.ts';
import type { ImportReport } from '../../src/openapi/openapi-host.ts';
import type { ConfigurationFiles } from '../../src/sites/drupal/configuration.ts';
import { loadSiteFolder } from '../../src/repository/repository-sites.ts';
import { memoryFolder, type Site, type FieldDefinition } from '../../src/repository/repository.ts';
import { diskFolder } from '../../src/application/application-disk.ts';
import { siteFolder } from './built-in-site.ts';
import { filesOf, type Objects } from './exported-site.ts';

export type ImportedSite = {
  readonly site: Site;
  readonly report: ImportReport;
  /** A field as the program sees it. */
  readonly field: (type: string, bundle: string, name: string) => FieldDefinition | undefined;
  /** The places of a note, by a word of its cause. Empty when there is none. */
  readonly places: (word: string) => readonly string[];
};

export type Importing = ImportOptions & { readonly files?: Partial<ConfigurationFiles> };

export const imported = async (objects: Objects, { files, ...options }: Importing = {}): Promise<ImportedSite> => {
  const { siteFiles, report } = importConfiguration(filesOf(objects, files), options);
  const site = await loadSiteFolder(memoryFolder('config', siteFiles, diskFolder(siteFolder)));
  return {
    ...{ site, report },
    field: (type, bundle, name) => site.model.bundle(type, bundle)?.fields.get(name),
    places: (word) =>
      [...report.partly, ...report.notJudged, ...report.outside]
        .filter(({ why }) => why.includes(word))
        .flatMap(({ where }) => where),
  };
};

/** A small whole site: one content type with one field, one media type, one vocabulary. Names are invented. */
export const smallSite: Objects = {
  'core.extension': { module: { node: 0, media: 0, taxonomy: 0, islandora: 0, path: 0 } },
  'system.site': { name: 'Gull Island Papers', default_langcode: 'en' },
  'node.type.ledger': { uuid: '11111111-2222-4333-8444-555555555501', type: 'ledger', name: 'Ledger' },
  'media.type.scan': {
    ...{ id: 'scan', label: 'Scan', uuid: '11111111-2222-4333-8444-555555555502', source: 'image' },
    ...{ source_configuration: { source_field: 'field_scan' }, field_map: { name: 'name' } },
  },
  'taxonomy.vocabulary.harbours': { vid: 'harbours', name: 'Harbours', uuid: '11111111-2222-4333-8444-555555555503' },
  ...fieldObjects('media', 'scan', 'field_scan', 'image', {
    storage: { settings: { target_type: 'file', uri_scheme: 'public' } },
    instance: { label: 'Scan', settings: { file_extensions: 'png jpg' } },
  }),
};

export type FieldParts = { readonly storage?: object; readonly instance?: object };

/** A field with its storage. */
export function fieldObjects(
  entityType: string,
  bundle: string,
  name: string,
  type: string,
  parts: FieldParts = {},
): Objects {
  return {
    [`field.storage.${entityType}.${name}`]: {
      ...{ id: `${entityType}.${name}`, field_name: name, entity_type: entityType, type, cardinality: 1, settings: {} },
      ...parts.storage,
    },
    [`field.field.${entityType}.${bundle}.${name}`]: {
      ...{ id: `${entityType}.${bundle}.${name}`, field_name: name, entity_type: entityType, bundle, field_type: type },
      ...{ label: name, required: false, translatable: false, default_value: [], settings: {} },
      ...parts.instance,
    },
  };
}

/** A field of the content type of the small site. */
export const ledgerField = (name: string, type: string, parts: FieldParts = {}): Objects => ({
  ...smallSite,
  ...fieldObjects('node', 'ledger', name, type, parts),
});
