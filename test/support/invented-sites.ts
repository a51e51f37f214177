/** Two invented sites that share no bundle and hardly a field with the default one, as folders that can be loaded. */
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './atoll.ts';

type Described = Readonly<Record<string, unknown>>;
/** The bundles and vocabularies of a site by the names of their files. JSON is YAML. */
export type InventedSite = Readonly<Record<string, Described>>;

const uuid = (name: string): string => {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const node = (id: string, fields: Described, more: Described = {}): Described => ({
  ...{ entity_type: 'node', id, label: `The ${id}`, uuid: uuid(id), fields },
  ...more,
});
const media = (id: string, source: Described, fields: Described): Described => ({
  ...{ entity_type: 'media', id, label: `The ${id}`, uuid: uuid(`media ${id}`), source, fields },
});
const vocabulary = (id: string, fields: Described, terms: readonly string[], firstId: number): Described => ({
  ...{ id, label: `The ${id}`, uuid: uuid(`vocabulary ${id}`), fields },
  terms: terms.map((name, index) => ({ tid: firstId + index, uuid: uuid(`${id} ${name}`), name })),
});

const one = { cardinality: 1 };
const any = { cardinality: 'unlimited' };
const toTerm = (...bundles: string[]): Described => ({ type: 'entity_reference', target: 'taxonomy_term', bundles });
const toNode = (...bundles: string[]): Described => ({
  ...{ type: 'entity_reference', target: 'node' },
  ...(bundles.length > 0 && { bundles }),
});

/** A required field of each type that has values of its own. */
const everyType: Described = Object.fromEntries(
  Object.entries({
    ...{ text: {}, text_with_summary: {}, email: {}, geolocation: {}, comment: {}, name: {}, float: {}, other: {} },
    list_string: { allowed_values: { oil: 'Oil', ink: 'Ink' } },
    list_integer: { allowed_values: { 1: 'Low', 5: 'High' } },
    authority_link: { sources: { viaf: 'VIAF', lcsh: 'LCSH' } },
    datetime: {},
    decimal: { precision: 4, scale: 2, min: 5, max: 50 },
    integer: { min: -5, max: 3 },
  }).map(([type, settings]) => [
    `field_the_${type}`,
    { label: `A ${type}`, type, cardinality: type === 'comment' ? 1 : 'unlimited', required: true, ...settings },
  ]),
);

/** Several content types that demand each other, and vocabularies without terms. */
export const museum: InventedSite = {
  'bundles/node.artwork.yml': node('artwork', {
    field_inventory_number: { label: 'Inventory number', type: 'string', ...one, max_length: 12, required: true },
    field_technique: { label: 'Technique', ...toTerm('technique'), cardinality: 2, required: true },
    field_shown_in: { label: 'Shown in', ...toNode('exhibit'), ...any },
    field_made: { label: 'Made', type: 'edtf', ...any, required: true },
    field_weight_in_grams: { label: 'Weight', type: 'integer', ...one, required: true },
    field_is_on_loan: { label: 'On loan', type: 'boolean', ...one, required: true },
    field_page: { label: 'Page about it', type: 'link', cardinality: 3 },
    field_story: { label: 'Story', type: 'text_long', ...one, required: true },
    field_last_cleaned: { label: 'Last cleaned', type: 'timestamp', ...one },
    field_portrait: { label: 'Portrait', type: 'image', ...one, extensions: ['gif', 'jpg'], scheme: 'public' },
    field_papers: { label: 'Papers', type: 'file', ...any, extensions: ['pdf', 'txt'], scheme: 'fedora' },
    field_telephone_of_lender: { label: 'Telephone of the lender', type: 'telephone', ...one },
    field_order: { label: 'Order', type: 'weight', ...one },
    field_on_show: { label: 'On show', type: 'daterange', ...one, date_only: true },
    field_sections: {
      ...{ label: 'Sections', type: 'entity_reference_revisions', ...any },
      storage_settings: { target_type: 'paragraph' },
    },
    field_keeper: { label: 'Keeper', type: 'entity_reference', target: 'user', ...one },
    field_hand: {
      ...{ label: 'Hand', type: 'typed_relation', target: 'taxonomy_term', bundles: ['maker'], ...any },
      relations: ['relators:art', 'relators:prt'],
    },
  }),
  'bundles/node.exhibit.yml': node('exhibit', {
    field_centre: { label: 'Centre', ...toNode('artwork'), ...one, required: true },
    field_member_of: { label: 'Part of', ...toNode('exhibit'), ...any },
    field_cover: { label: 'Cover', type: 'entity_reference', target: 'media', bundles: ['photo'], ...one },
  }),
  'bundles/node.note.yml': node('note', everyType),
  'bundles/media.photo.yml': media(
    'photo',
    { field: 'field_picture', kind: 'image', icon: 'generic.png' },
    {
      field_picture: { label: 'Picture', type: 'image', ...one, required: true, extensions: ['jpg'], scheme: 'fedora' },
      field_media_of: { label: 'Shows', ...toNode('artwork', 'exhibit'), ...one },
      field_width: { label: 'Width', type: 'integer', ...one },
    },
  ),
  'bundles/media.guide.yml': media(
    'guide',
    { field: 'field_recording', kind: 'audio', icon: 'audio.png' },
    {
      field_recording: { label: 'Recording', type: 'file', ...one, required: true, extensions: ['mp3'] },
      field_spoken_by: { label: 'Spoken by', ...toTerm('maker'), ...one, required: true },
    },
  ),
  'bundles/media.scan.yml': media(
    'scan',
    { field: 'field_scan', kind: 'file', icon: 'generic.png' },
    {
      field_scan: { label: 'Scan', type: 'file', ...one, required: true, extensions: ['tif', 'jp2'], scheme: 'fedora' },
      field_media_of: { label: 'Of', ...toNode('artwork'), ...one, required: true },
      field_mime_type: { label: 'MIME type', type: 'string', ...one, max_length: 255 },
      field_file_size: { label: 'File size', type: 'integer', ...one },
    },
  ),
  'vocabularies/technique.yml': vocabulary(
    'technique',
    { field_tool: { label: 'Tool', type: 'string', ...one, required: true } },
    [],
    1,
  ),
  'vocabularies/maker.yml': vocabulary('maker', {}, [], 1),
};

/** The workflow that the core of the real site brings along. */
export const editorial = {
  label: 'Editorial',
  states: {
    draft: { label: 'Draft' },
    published: { label: 'Published', published: true, default_revision: true },
    archived: { label: 'Archived', default_revision: true },
  },
  transitions: {
    create_new_draft: { from: ['draft', 'published'], to: 'draft' },
    publish: { from: ['draft', 'published'], to: 'published' },
    archive: { from: ['published'], to: 'archived' },
    archived_draft: { from: ['archived'], to: 'draft' },
    archived_published: { from: ['archived'], to: 'published' },
  },
};

/** The names of Islandora's fields on other bundles, in other forms. */
export const press: InventedSite = {
  'site.yml': {
    modules: { path: true, metatag: true, content_moderation: true },
    content_translation: ['media'],
    media: { standalone_url: false },
    text_formats: { basic_html: { label: 'Basic', roles: ['anonymous', 'authenticated'] }, plain_text: {} },
  },
  'living.yml': { workflows: { editorial: { ...editorial, bundles: { node: ['issue'] } } } },
  'bundles/node.issue.yml': node(
    'issue',
    {
      field_model: { label: 'Kind', ...toTerm('kinds'), ...one, required: true },
      field_member_of: { label: 'Of', ...toNode(), ...any },
      field_editor_in_chief: { label: 'Editor', type: 'entity_reference', target: 'user', ...one, required: true },
      field_description: { label: 'Description', type: 'string_long', ...one, translatable: true },
      field_weight: { label: 'Weight', type: 'integer', ...one },
    },
    { rdf: { types: ['schema:Periodical'], fields: { title: 'dc:title', field_member_of: 'pcdm:memberOf' } } },
  ),
  'bundles/node.sheet.yml': node(
    'sheet',
    {
      field_member_of: { label: 'Sheet of', ...toNode('issue'), ...one, required: true },
      field_weight: { label: 'Number', type: 'integer', ...one, required: true },
      field_printing_place: { label: 'Place', ...toTerm('places'), ...any },
      field_facsimile: { label: 'Facsimile', type: 'entity_reference', target: 'media', ...one, required: true },
    },
    { language_alterable: false },
  ),
  'bundles/media.facsimile.yml': media(
    'facsimile',
    { field: 'field_media_image', kind: 'image', icon: 'generic.png' },
    {
      field_media_image: {
        label: 'Image',
        type: 'image',
        ...one,
        required: true,
        extensions: ['png'],
        scheme: 'fedora',
      },
      field_media_of: { label: 'Media of', ...toNode(), ...one },
      field_media_use: { label: 'Use', ...toTerm('uses'), ...any },
    },
  ),
  'bundles/media.newsreel.yml': media(
    'newsreel',
    { field: 'field_media_video_file', kind: 'video', icon: 'video.png' },
    {
      field_words: { label: 'Words', type: 'media_track', ...any, extensions: ['vtt'], scheme: 'public' },
      field_media_video_file: { label: 'Film', type: 'file', ...one, required: true, extensions: ['webm', 'mp4'] },
      field_media_of: { label: 'Media of', ...toNode(), ...one },
      field_media_use: { label: 'Use', ...toTerm('uses'), ...one, required: true },
      field_place: { label: 'Place', ...toTerm('places'), ...one },
    },
  ),
  'bundles/media.broadcast.yml': media(
    'broadcast',
    { field: 'field_address', kind: 'oembed', icon: 'video.png' },
    {
      field_address: { label: 'Address', type: 'string', ...one, required: true, max_length: 255 },
      field_media_of: { label: 'Media of', ...toNode('issue'), ...one },
      field_media_use: { label: 'Use', ...toTerm('uses'), ...one },
    },
  ),
  'vocabularies/kinds.yml': vocabulary('kinds', {}, ['Collection of newspapers', 'Newspaper', 'Advert'], 1),
  'vocabularies/uses.yml': vocabulary(
    'uses',
    { field_external_uri: { label: 'URI', type: 'link', ...one } },
    ['Original', 'Copy'],
    10,
  ),
  'vocabularies/places.yml': vocabulary(
    'places',
    {
      field_within: { label: 'Within', ...toTerm('places'), ...one },
      field_since: { label: 'Since', type: 'edtf', ...one },
    },
    [],
    1,
  ),
};

/** Writes the folder of a site: settings, roles, accounts and resources are those of the default one. */
export const writeSite = async (folder: string, site: InventedSite): Promise<string> => {
  await cp(join(root, 'data/site'), folder, { recursive: true });
  for (const part of ['bundles', 'vocabularies']) {
    await rm(join(folder, part), { recursive: true });
    await mkdir(join(folder, part));
  }
  const general = parse(await readFile(join(folder, 'site.yml'), 'utf8')) as Described; // the default site's file
  const own = { ...site, 'site.yml': { ...general, name: 'Invented Site', ...site['site.yml'] } };
  for (const [name, content] of Object.entries(own)) await writeFile(join(folder, name), JSON.stringify(content));
  return folder;
};
