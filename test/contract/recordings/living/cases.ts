/** The recorded stretches of the living repository, and what the site was like in each. No tests here. */
import type { JsonObject } from '../../../../src/basics/json.ts';

export type Case = {
  readonly file: string;
  /** The first and the last exchange, counted from 0. */
  readonly from?: number;
  readonly to?: number;
  /** What differs from the packaged site, by file. */
  readonly changes?: Readonly<Record<string, JsonObject>> | undefined;
  /** The number that the lab gave to the first node. */
  readonly firstNode?: number;
  /** What no row of the data can explain, because the site here is not that of the lab: number of the exchange and place. */
  readonly known?: readonly string[];
};

const modules = { islandora: true, path: true, dgi_image_discovery: true };
const usual = { 'site.yml': { modules } };

/** The editor of the lab wrote every object. */
const editor = (...others: readonly string[]): JsonObject => ({
  permissions: [
    ...['access content', 'create islandora_object content', 'edit any islandora_object content'],
    ...['delete any islandora_object content', 'view own unpublished content', ...others],
  ],
});

const writing = { ...usual, 'roles/content_editor.yml': editor('create url aliases') };

const object = { id: 'object', entity_type: 'node', bundles: ['islandora_object'], pattern: '/islandora/[node:title]' };

const ignored =
  'a an as at before but by for from is in into like of off on onto per since than the this that to up via with';

const withPatterns = (patterns: readonly JsonObject[], settings: JsonObject = {}): JsonObject => ({
  aliasPatterns: { settings: { ignore_words: ignored.split(' '), ...settings }, patterns },
});

const otherPatterns = withPatterns([
  object,
  { id: 'subject', entity_type: 'taxonomy_term', bundles: ['subject'], pattern: '/[term:vocabulary]/[term:name]' },
  {
    ...{ id: 'geo', entity_type: 'taxonomy_term', bundles: ['geo_location'] },
    pattern: '/geo/[term:parents:join-path]/[term:name]',
  },
  { id: 'media', entity_type: 'media', pattern: '/media/[media:name]' },
  {
    ...{ id: 'page', entity_type: 'node', bundles: ['page'] },
    pattern: '/p/[node:nid]/[node:created:custom:Y]/[node:author:name]/[node:title]',
  },
]);

/** The workflow of the lab, which its core brings along, for pages. */
const editorial: JsonObject = {
  label: 'Editorial',
  default_state: 'draft',
  states: {
    draft: { label: 'Draft', published: false, default_revision: false },
    published: { label: 'Published', published: true, default_revision: true },
    archived: { label: 'Archived', published: false, default_revision: true },
  },
  transitions: {
    create_new_draft: { from: ['draft', 'published'], to: 'draft' },
    publish: { from: ['draft', 'published'], to: 'published' },
    archive: { from: ['published'], to: 'archived' },
    archived_draft: { from: ['archived'], to: 'draft' },
    archived_published: { from: ['archived'], to: 'published' },
  },
  bundles: { node: ['page'] },
};

const moderating = (...others: readonly string[]): Case['changes'] => ({
  'site.yml': { modules: { ...modules, content_moderation: true } },
  'vocabularies/subject.yml': { label: 'Subject' },
  'living.yml': { ...otherPatterns, workflows: { editorial } },
  'roles/content_editor.yml': {
    permissions: [
      ...['access content', 'create page content', 'edit any page content'],
      ...['use editorial transition create_new_draft', ...others],
    ],
  },
});

const updating = (update: string): Case['changes'] => ({
  ...writing,
  'living.yml': withPatterns([object], { update }),
});

export const cases: readonly Case[] = [
  // The document does not have the path of a list of nodes.
  { file: 'pathauto-nodes', changes: writing, known: ['59 /status'] },
  { file: 'pathauto-state', changes: usual },
  { file: 'pathauto-by-alias', changes: usual },
  { file: 'pathauto-to-manual', changes: usual },
  { file: 'pathauto-update-action', from: 0, to: 6, changes: updating('add') },
  { file: 'pathauto-update-action', from: 7, to: 9, changes: updating('leave') },
  { file: 'pathauto-update-action', from: 10, to: 11, changes: writing },
  {
    ...{ file: 'pathauto-update-action', from: 12, to: 16 },
    changes: { ...usual, 'roles/content_editor.yml': editor() },
  },
  { file: 'pathauto-update-action', from: 17, to: 23, changes: usual },
  {
    file: 'pathauto-terms-media',
    changes: {
      'site.yml': { modules, media: { standalone_url: true } },
      'vocabularies/subject.yml': { label: 'Subject' },
      'living.yml': otherPatterns,
    },
    // The pattern has the number of the node, which has another one here.
    known: [
      ...['18 /headers/Location', '19 /headers/Link', '19 /headers/Link', '19 /body/path/0/alias'],
      // The picture is written down as text.
      '21 /body/field_file_size/0/value',
    ],
  },
  {
    ...{ file: 'content-moderation', changes: moderating(), firstNode: 115 },
    known: [
      // The page of a former revision.
      '61 /body/message',
      // The lab had no context that says this of pages.
      '57 /body/@graph/0/http:~1~1schema.org~1sameAs',
      // The lab gave the account the permission then.
      '59 /status',
    ],
  },
  { file: 'content-moderation-own-draft', changes: moderating('view own unpublished content'), firstNode: 140 },
];
