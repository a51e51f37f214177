/** Shows content types, media types and vocabularies as the configuration of a real site. */
import { type Data, emptyAsList } from '../../src/basics/exported/lenient-values.ts';
import { type Rows, writeRows } from '../../src/basics/exported/rows.ts';
import { mediaTypeRows, nodeTypeRows, sourceKinds, vocabularyRows } from '../../src/repository/repository-sites.ts';
import type { components } from '../../src/client/generated/contract.ts';
import { usualFieldMap, type Bundle } from '../../src/repository/repository.ts';
import { asExported } from './exported.ts';
import { bundleConfigurations, type ModelSite } from './field-config.ts';

type Schemas = components['schemas'];

/** `others` are the members that no row writes. */
const shownBundle = (site: ModelSite, bundle: Bundle, rows: Rows<never, Bundle>, others: object): Data => {
  const { entityType, id, uuid } = bundle;
  const written = writeRows(rows, bundle);
  const made = { uuid, langcode: site.langcode, status: true, dependencies: [], ...written, ...others };
  return asExported(site, bundleConfigurations(entityType, [id]).join(), made, Object.keys(written));
};

export const showNodeType = (site: ModelSite, bundle: Bundle): Schemas['NodeTypeConfig'] =>
  shownBundle(site, bundle, nodeTypeRows, {
    type: bundle.id,
    preview_mode: 1,
    display_submitted: true,
  }) as Schemas['NodeTypeConfig']; // its members

export const showMediaType = (site: ModelSite, bundle: Bundle): Schemas['MediaTypeConfig'] => {
  const { id, source, fields } = bundle;
  const usual = source === undefined ? [] : Object.entries(usualFieldMap(source.kind));
  return shownBundle(site, bundle, mediaTypeRows, {
    id,
    source: source === undefined ? '' : (source.plugin ?? sourceKinds[source.kind].plugin),
    queue_thumbnail_downloads: false,
    source_configuration: source === undefined ? [] : { source_field: source.field },
    field_map: emptyAsList(source?.fieldMap ?? Object.fromEntries(usual.filter(([, field]) => fields.has(field)))),
  }) as Schemas['MediaTypeConfig']; // its members
};

export const showVocabulary = (site: ModelSite, bundle: Bundle): Schemas['VocabularyConfig'] =>
  shownBundle(site, bundle, vocabularyRows, { vid: bundle.id }) as Schemas['VocabularyConfig']; // its members
