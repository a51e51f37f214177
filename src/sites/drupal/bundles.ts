/** Makes the content types, media types and vocabularies of a site. */
import { given } from '../../basics/json.ts';
import { areEqual } from '../../basics/equal-values.ts';
import { booleanOf, dataOf, filledTextOf, textOf } from '../../basics/exported/lenient-values.ts';
import { readRows } from '../../basics/exported/rows.ts';
import { mediaTypeRows, nodeTypeRows, sourceKinds, vocabularyRows } from '../../repository/repository-sites.ts';
import { fieldTypeOf, type MediaSource, mediaSourceKinds, usualFieldMap } from '../../repository/repository.ts';
import { overridesOf } from './fields/base-field-overrides.ts';
import { hasModule, type Named } from './configuration.ts';
import type { ImportContext } from './import-context.ts';
import { derivedUuid } from '../../basics/secrets/derived-uuid.ts';
import { uuidOr } from './derived-ids.ts';
import { sourcesOfBundle } from './fields/field-sources.ts';
import { fieldsOf } from './fields/fields.ts';
import { sizeBytes } from './php-words.ts';
import { rdfOf } from './namespaces.ts';
import type { SiteBundle, SiteField, SiteTerm, SiteVocabulary } from './site-format.ts';

const describe = <R extends typeof mediaTypeRows>(
  context: ImportContext,
  type: 'node' | 'media' | 'taxonomy_term',
  { id, data }: Named,
  rows: R,
) => {
  const sources = sourcesOfBundle(context.sources, type, id);
  const fields = fieldsOf(sources, context);
  const taken = Object.keys(fields);
  const dates = Object.entries(fields).flatMap(([name, field]) => (fieldTypeOf(field).jsonldAgain ? [name] : []));
  const names = { taken, dates, known: sources.map(({ name }) => name) };
  const language = context.configuration.one('language.content_settings', `${type}.${id}`);
  return {
    id,
    label: id,
    uuid: uuidOr(data['uuid'], `${type} ${id}`),
    language_alterable: booleanOf(language?.['language_alterable']) ?? false,
    fields,
    ...rdfOf(context, type, id, names),
    ...context.graphAdditions(type, id, fields),
    ...readRows(rows, data),
    ...formModesOf(context, type, id),
    ...overridesOf(context, type, id),
  };
};

/** Which forms there are. Only the reads of the content model show it. */
const formModesOf = ({ configuration }: ImportContext, type: string, id: string): Pick<SiteBundle, 'form_modes'> => {
  const start = `${type}.${id}.`;
  const modes = configuration
    .ids('core.entity_form_display')
    .flatMap((display) => (display.startsWith(start) ? [display.slice(start.length)] : []));
  const isUsual = modes.join() === 'default' || (modes.length === 0 && !configuration.isWhole);
  return isUsual ? {} : { form_modes: modes };
};

export const nodeBundle = (context: ImportContext, type: Named): SiteBundle => {
  context.reporter.taken('content types');
  return {
    entity_type: 'node',
    ...describe(context, 'node', type, nodeTypeRows),
  };
};

export const mediaBundle = (context: ImportContext, type: Named): SiteBundle => {
  context.reporter.taken('media types');
  const described = describe(context, 'media', type, mediaTypeRows);
  return {
    entity_type: 'media',
    ...described,
    ...sourceOf(context, type, described.fields),
  };
};

/** Accounts have one bundle, which no object of the configuration is for. Undefined when they have no fields. */
export const accountBundle = (context: ImportContext): SiteBundle | undefined => {
  const fields = fieldsOf(sourcesOfBundle(context.sources, 'user', 'user'), context);
  if (Object.keys(fields).length === 0) return undefined;
  return { entity_type: 'user', id: 'user', label: 'User', uuid: derivedUuid('user user'), fields };
};

export const vocabulary = (context: ImportContext, named: Named, terms: readonly SiteTerm[]): SiteVocabulary => {
  context.reporter.taken('vocabularies');
  context.reporter.taken('terms', terms.length);
  return {
    ...describe(context, 'taxonomy_term', named, vocabularyRows),
    terms,
  };
};

/** The kind of source that a plugin is for, whatever follows a colon in its name. */
const kindOf = (plugin: string): MediaSource['kind'] | undefined =>
  mediaSourceKinds.find((kind) => sourceKinds[kind].plugin.replace(/:.*/, '') === plugin);

const sourceOf = (
  context: ImportContext,
  type: Named,
  fields: Readonly<Record<string, SiteField>>,
): Pick<SiteBundle, 'source'> => {
  const { reporter, sources } = context;
  const { id, name: where, data } = type;
  const written = filledTextOf(data['source']);
  const name = (written ?? '').replace(/:.*/s, '');
  const field = filledTextOf(dataOf(data['source_configuration'])['source_field']);
  const fieldType = field === undefined ? undefined : fields[field]?.type;
  if (field === undefined || fieldType === undefined) {
    reporter.partly(where, 'its source field is missing, so it has no source');
    return {};
  }
  const isFile = fieldTypeOf({ type: fieldType }).sourceOf === 'file';
  const kind = kindOf(name) ?? (isFile ? kindOf(fieldType) : undefined);
  if (kind === undefined || (kind !== 'oembed' && !isFile)) {
    reporter.partly(where, `the source plugin ${name} is unknown, so it has no source`);
    return {};
  }
  if (kindOf(name) === undefined)
    reporter.partly(where, `the source plugin ${name} is taken for that of a ${fieldType}`);
  const instance = sourcesOfBundle(sources, 'media', id).find((source) => source.name === field);
  return {
    source: {
      field,
      kind,
      icon: sourceKinds[kind].icon,
      ...given({ max_bytes: sizeBytes(textOf(instance?.settings['max_filesize']) ?? '') }),
      ...mapOf(context, type, kind, fields),
      ...extractedTextOf(context, id, fields),
    },
  };
};

/** The module of text extraction fills this field of this media type, and no setting says otherwise. */
const extractedTextOf = (
  { configuration }: ImportContext,
  id: string,
  fields: Readonly<Record<string, SiteField>>,
): { text_field?: string } =>
  id === 'extracted_text' &&
  Object.hasOwn(fields, 'field_edited_text') &&
  hasModule(configuration, 'islandora_text_extraction')
    ? { text_field: 'field_edited_text' }
    : {};

/** The map from attributes to fields, unless it is the program's own. */
const mapOf = (
  { reporter, baseFields }: ImportContext,
  { name: where, data }: Named,
  kind: MediaSource['kind'],
  fields: Readonly<Record<string, SiteField>>,
): { field_map?: Readonly<Record<string, string>> } => {
  const exists = (name: string): boolean => name === 'name' || Object.hasOwn(fields, name);
  const usual = Object.entries(usualFieldMap(kind)).filter(([, name]) => exists(name));
  const written = Object.entries(dataOf(data['field_map'])).flatMap(([attribute, target]) => {
    const name = filledTextOf(target);
    if (name === undefined) return [];
    if (exists(name)) return [[attribute, name] as const];
    if (baseFields('media').some((field) => field.name === name)) {
      reporter.partly(where, `its field map leads to the base field ${name}, which is not filled here`);
    } else {
      // Drupal passes over it too.
      reporter.remark(where, `its field map names ${name.slice(0, 60)}, which does not exist`);
    }
    return [];
  });
  const isUsual = kind !== 'oembed' && areEqual(Object.fromEntries(usual), Object.fromEntries(written));
  return isUsual ? {} : { field_map: Object.fromEntries(written) };
};
