/** Shows content types, media types and vocabularies as the configuration of a real site. */
import type { components } from '../../src/core/generated/contract.ts';
import type { Bundle, MediaSource } from '../../src/core/model/bundle.ts';
import { emptyAsList } from '../../src/core/content-model/field-settings.ts';
import { asExported } from './exported.ts';
import type { ModelSite } from './field-config.ts';

type Schemas = components['schemas'];

const described = ({ uuid, shown }: Bundle, { langcode }: ModelSite) => ({
  uuid,
  langcode,
  status: true,
  dependencies: [],
  description: shown?.description ?? '',
});

export const showNodeType = (site: ModelSite, bundle: Bundle): Schemas['NodeTypeConfig'] => {
  const made = {
    ...described(bundle, site),
    name: bundle.label,
    type: bundle.id,
    help: bundle.shown?.help ?? null,
    new_revision: bundle.shown?.newRevision === true,
    preview_mode: 1,
    display_submitted: true,
  };
  return asExported(site, `node.type.${bundle.id}`, made, ['name', 'description', 'help', 'new_revision']);
};

/** What a real site calls the kinds of source. */
const sourcePlugins: Readonly<Record<MediaSource['kind'], string>> = {
  image: 'image',
  audio: 'audio_file',
  video: 'video_file',
  file: 'file',
  oembed: 'oembed:video',
};

export const showMediaType = (site: ModelSite, bundle: Bundle): Schemas['MediaTypeConfig'] => {
  const { source } = bundle;
  const made: Schemas['MediaTypeConfig'] = {
    ...described(bundle, site),
    id: bundle.id,
    label: bundle.label,
    source: source === undefined ? '' : (source.plugin ?? sourcePlugins[source.kind]),
    queue_thumbnail_downloads: false,
    new_revision: bundle.shown?.newRevision === true,
    source_configuration: source === undefined ? [] : { source_field: source.field },
    field_map: emptyAsList({ ...(source?.fieldMap ?? usualMap(bundle)) }),
  };
  return asExported(site, `media.type.${bundle.id}`, made, ['label', 'description', 'new_revision']);
};

/** What the program fills without a map, as far as the bundle has the fields. */
const usualMap = ({ source, fields }: Bundle): Readonly<Record<string, string>> => {
  if (source === undefined || source.kind === 'oembed') return {};
  const map = { name: 'name', mimetype: 'field_mime_type', filesize: 'field_file_size' };
  const all = source.kind === 'image' ? { ...map, width: 'field_width', height: 'field_height' } : map;
  return Object.fromEntries(Object.entries(all).filter(([, field]) => fields.has(field)));
};

export const showVocabulary = (site: ModelSite, bundle: Bundle): Schemas['VocabularyConfig'] => {
  const made = {
    ...described(bundle, site),
    name: bundle.label,
    vid: bundle.id,
    weight: bundle.shown?.weight ?? 0,
    new_revision: bundle.shown?.newRevision === true,
  };
  const own = ['name', 'description', 'weight', 'new_revision'] as const;
  return asExported(site, `taxonomy.vocabulary.${bundle.id}`, made, own);
};
