/** The sites whose repositories are moved: the two of the package, and one that an import makes of a configuration. */
import { join } from 'node:path';
import { runHere } from '../../support/command.ts';
import { editorial } from '../../support/invented-sites.ts';
import type { Objects } from '../../drupal/exported-site.ts';
import { fieldObjects } from '../../drupal/imported.ts';
import { wholeSite } from '../../drupal/whole-site.ts';
import { writeObjects } from '../../drupal/written-folder.ts';

/** What writes need to know of a site. */
export type MovedSite = {
  readonly name: string;
  /** What `--site` names. Undefined: the default site. `folder` is a new one. */
  readonly written: (folder: string) => Promise<string | undefined>;
  /** The folder of its configuration in that folder, where it is imported. */
  readonly configuration?: string;
  /** The content that the repository begins with. */
  readonly fixture: string;
  readonly node: { readonly bundle: string; readonly fields: object };
  readonly term: { readonly vocabulary: string };
  readonly file: { readonly type: string; readonly field: string };
  readonly image: { readonly type: string; readonly field: string };
  /** How aliases are made. `records`: only as records of their own. */
  readonly aliases: 'records' | 'by hand' | 'by pattern';
  /** What records hold once all is written, as their files in an archive have it. */
  readonly traces: readonly string[];
  /** Whether aliases can be changed and deleted over REST. */
  readonly changesAliases: boolean;
};

const accepted = { supported_formats: ['json', 'jsonld'], supported_auth: ['basic_auth', 'cookie'] };
const resource = (name: string): Objects => ({
  [`rest.resource.entity.${name}`]: {
    ...{ id: `entity.${name}`, granularity: 'method' },
    configuration: { GET: accepted, POST: accepted, PATCH: accepted, DELETE: accepted },
  },
});

const modules = [
  ...['node', 'media', 'taxonomy', 'islandora', 'path', 'path_alias', 'redirect', 'metatag', 'filehash'],
  ...['content_moderation', 'workflows', 'language', 'content_translation', 'rest', 'basic_auth'],
];

const inOrder = (entries: object): object =>
  Object.fromEntries(Object.entries(entries).map(([id, entry], weight) => [id, { weight, from: [], ...entry }]));

/** Fields of every type, aliases by hand, hashes, a workflow, a second language: what the sites of the package do not have. */
const configuration: Objects = {
  ...wholeSite,
  'core.extension': { module: Object.fromEntries(modules.map((name) => [name, 0])) },
  ...['node', 'media', 'taxonomy_term', 'file', 'user', 'path_alias', 'redirect']
    .map(resource)
    .reduce((all, one) => ({ ...all, ...one }), {}),
  'rest.resource.file.upload': { id: 'file.upload', plugin_id: 'file:upload', granularity: 'resource' },
  'language.entity.fr': { id: 'fr', label: 'French' },
  'language.negotiation': { url: { source: 'path_prefix', prefixes: { en: '', fr: 'fr' } } },
  'filehash.settings': { algorithms: { sha1: true, sha256: true }, original: true, rehash: true, dedupe: 0 },
  'node.type.charter': { type: 'charter', name: 'Charter', new_revision: true },
  ...fieldObjects('node', 'charter', 'field_note', 'string_long'),
  'language.content_settings.node.charter': {
    ...{ target_entity_type_id: 'node', target_bundle: 'charter', language_alterable: true },
    third_party_settings: { content_translation: { enabled: true } },
  },
  'workflows.workflow.editorial': {
    ...{ id: 'editorial', label: 'Editorial', type: 'content_moderation' },
    type_settings: {
      states: inOrder(editorial.states),
      transitions: inOrder(
        Object.fromEntries(
          Object.entries(editorial.transitions).map(([id, { from, to }]) => [id, { label: id, from: [...from], to }]),
        ),
      ),
      ...{ entity_types: { node: ['charter'] }, default_moderation_state: 'draft' },
    },
  },
};

const importSite = async (folder: string): Promise<string> => {
  const [config, site] = [join(folder, 'config'), join(folder, 'site')];
  await writeObjects(config, configuration);
  const { code, error } = await runHere(['site', 'import', config, '--out', site]);
  if (code !== 0) throw new Error(error);
  return site;
};

const starterSite: MovedSite = {
  ...{ name: 'the starter site', fixture: 'empty', written: async () => 'starter-site' },
  node: { bundle: 'islandora_object', fields: { field_model: [{ target_id: 12 }] } },
  term: { vocabulary: 'subject' },
  file: { type: 'document', field: 'field_media_document' },
  image: { type: 'image', field: 'field_media_image' },
  ...{ aliases: 'by pattern', changesAliases: false },
  traces: [
    ...['"alias":"/islandora/pattern-0"', '"path":[{"pathauto":0}]', '"path":[{"pathauto":2}]', '"pid":'],
    ...['"original_sha1":', 'media-icons/generic/', '-Service File.jpg', '-Thumbnail Image.', '"type":"redirect"'],
    '"revision_translation_affected":[]',
  ],
};

export const movedSites: readonly MovedSite[] = [
  {
    ...{ name: 'the default site', fixture: 'empty', written: async () => undefined },
    node: { bundle: 'islandora_object', fields: { field_model: [{ target_id: 24 }] } },
    term: { vocabulary: 'subject' },
    file: { type: 'file', field: 'field_media_file' },
    image: { type: 'image', field: 'field_media_image' },
    ...{ aliases: 'records', changesAliases: true },
    traces: ['"type":"path_alias"', '"type":"redirect"', 'media-icons/generic/', '"status":[{"value":false}]'],
  },
  starterSite,
  {
    ...{ name: 'an imported site', fixture: 'sample:4', written: importSite, configuration: 'config' },
    node: { bundle: 'charter', fields: { moderation_state: [{ value: 'published' }] } },
    term: { vocabulary: 'harbours' },
    file: { type: 'sound', field: 'field_sound' },
    image: { type: 'scan', field: 'field_scan' },
    ...{ aliases: 'by hand', changesAliases: true },
    traces: [
      ...['"alias":"/hello-again"', '"alias":"/changed"', '"path":[]', '"sha256":[', 'media-icons/generic/'],
      ...['"moderation_state":[{"value":"archived"}]', '"translations":{"fr":', '"revision_translation_affected":[]'],
    ],
  },
];
