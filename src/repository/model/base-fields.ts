/** Lists the fields that every entity of a type has, in the contract's order, and those that modules of a site add or take away. */
import type { RepositoryType } from './entity.ts';
import { stateField } from './entity.ts';
import type { FieldDefinition } from './bundle.ts';

type Traits = Partial<Omit<FieldDefinition, 'name' | 'label' | 'type' | 'configured'>>;

const base = (name: string, label: string, type: string, traits: Traits = {}): FieldDefinition => ({
  name,
  label,
  type,
  cardinality: 1,
  // A record always has a value here unless the trait says otherwise, so a client cannot empty it.
  required: true,
  configured: false,
  translatable: false,
  ...traits,
});

const optional: Traits = { required: false };
const uuid = base('uuid', 'UUID', 'uuid', { maxLength: 128 });
const langcode = base('langcode', 'Language', 'language');
/** An owner that is taken away becomes the anonymous visitor. */
const owner = base('uid', 'Authored by', 'entity_reference', { ...optional, target: { type: 'user' } });
const created = base('created', 'Authored on', 'timestamp', { translatable: true });
const changed = base('changed', 'Changed', 'changed', { translatable: true });
const yes = [{ value: true }];
const no = [{ value: false }];

/** The types whose records can be translated. */
export const translatedTypes = ['node', 'media', 'taxonomy_term'] as const;

const translation: readonly FieldDefinition[] = [
  base('default_langcode', 'Default translation', 'boolean', { default: yes }),
  base('revision_translation_affected', 'Revision translation affected', 'boolean', { ...optional, default: yes }),
  base('content_translation_source', 'Translation source', 'language', { default: [{ value: 'und' }] }),
  base('content_translation_outdated', 'Translation outdated', 'boolean', { default: no }),
];

/** Media and terms have these in this order. */
const revision: readonly FieldDefinition[] = [
  base('revision_created', 'Revision create time', 'timestamp'),
  base('revision_user', 'Revision user', 'entity_reference', { ...optional, target: { type: 'user' } }),
  base('revision_log_message', 'Revision log message', 'string_long', optional),
  base('status', 'Published', 'boolean', { default: yes }),
  base('name', 'Name', 'string', { translatable: true, maxLength: 255 }),
];

/** Terms are as recorded in test/contract/recordings/observed-terms-login-cookie-fileupload.json, "term json anon". */
export const baseFields: { readonly [T in RepositoryType]: readonly FieldDefinition[] } = {
  node: [
    base('nid', 'ID', 'integer'),
    uuid,
    base('vid', 'Revision ID', 'integer', { ...optional, unsigned: true }),
    langcode,
    base('type', 'Content type', 'entity_reference', { target: { type: 'node_type' } }),
    base('revision_timestamp', 'Revision create time', 'timestamp'),
    base('revision_uid', 'Revision user', 'entity_reference', { target: { type: 'user' } }),
    base('revision_log', 'Revision log message', 'string_long', optional),
    base('status', 'Published', 'boolean', { default: yes }),
    base('title', 'Title', 'string', { translatable: true, maxLength: 255 }),
    owner,
    created,
    changed,
    base('promote', 'Promoted to front page', 'boolean', { default: yes }),
    base('sticky', 'Sticky at top of lists', 'boolean', { default: no }),
    ...translation,
  ],
  media: [
    base('mid', 'ID', 'integer'),
    uuid,
    base('vid', 'Revision ID', 'integer', { ...optional, unsigned: true }),
    langcode,
    base('bundle', 'Media type', 'entity_reference', { target: { type: 'media_type' } }),
    ...revision,
    base('thumbnail', 'Thumbnail', 'image', {
      ...optional,
      target: { type: 'file' },
      extensions: ['png', 'gif', 'jpg', 'jpeg'],
    }),
    owner,
    created,
    changed,
    ...translation,
  ],
  file: [
    base('fid', 'File ID', 'integer'),
    uuid,
    langcode,
    owner,
    base('filename', 'Filename', 'string', { maxLength: 255 }),
    base('uri', 'URI', 'file_uri', { maxLength: 1024 }),
    base('filemime', 'File MIME type', 'string', { maxLength: 255 }),
    base('filesize', 'File size', 'integer'),
    base('status', 'Status', 'boolean'),
    created,
    changed,
  ],
  taxonomy_term: [
    base('tid', 'Term ID', 'integer'),
    uuid,
    base('revision_id', 'Revision ID', 'integer', { ...optional, unsigned: true }),
    langcode,
    base('vid', 'Vocabulary', 'entity_reference', { target: { type: 'taxonomy_vocabulary' } }),
    ...revision,
    base('description', 'Description', 'text_long', { ...optional, translatable: true }),
    base('weight', 'Weight', 'integer', { default: [{ value: 0 }] }),
    base('parent', 'Term Parents', 'entity_reference', {
      ...optional,
      cardinality: Infinity,
      target: { type: 'taxonomy_term' },
    }),
    changed,
    ...translation,
    base('content_translation_uid', 'Translation author', 'entity_reference', {
      ...optional,
      target: { type: 'user' },
    }),
    base('content_translation_created', 'Translation created time', 'timestamp', optional),
  ],
  user: [
    base('uid', 'User ID', 'integer'),
    uuid,
    langcode,
    base('preferred_langcode', 'Preferred language code', 'language', optional),
    base('preferred_admin_langcode', 'Preferred admin language code', 'language', optional),
    base('name', 'Name', 'string', { maxLength: 60 }),
    base('mail', 'Email', 'string', { ...optional, maxLength: 254 }),
    base('timezone', 'Timezone', 'string', { ...optional, maxLength: 32 }),
    base('status', 'User status', 'boolean'),
    created,
    changed,
    base('access', 'Last access', 'timestamp', optional),
    base('login', 'Last login', 'timestamp', optional),
    base('init', 'Initial email', 'string', { ...optional, maxLength: 254 }),
    base('roles', 'Roles', 'entity_reference', { ...optional, cardinality: Infinity, target: { type: 'user_role' } }),
    base('default_langcode', 'Default translation', 'boolean', { default: yes }),
  ],
  path_alias: [
    base('id', 'ID', 'integer'),
    uuid,
    base('revision_id', 'Revision ID', 'integer', { ...optional, unsigned: true }),
    base('langcode', 'Language', 'language', { default: [{ value: 'und' }] }),
    base('path', 'System path', 'string', { maxLength: 255 }),
    base('alias', 'URL alias', 'string', { maxLength: 255 }),
    base('status', 'Published', 'boolean', { default: yes }),
  ],
  redirect: [
    base('enabled', 'Enabled', 'boolean', { default: yes }),
    base('rid', 'Redirect ID', 'integer'),
    uuid,
    base('hash', 'Hash', 'string', { ...optional, maxLength: 64 }),
    base('type', 'Type', 'string', { maxLength: 255 }),
    base('uid', 'User ID', 'entity_reference', { ...optional, target: { type: 'user' } }),
    base('redirect_source', 'From', 'redirect_source'),
    base('redirect_redirect', 'To', 'link'),
    base('language', 'Language', 'language'),
    // open: a redirect without a code, which the module keeps as 0 and fails to answer, and codes that redirect nobody.
    base('status_code', 'Status code', 'integer', { default: [{ value: 301 }], min: 300, max: 308 }),
    base('created', 'Created', 'timestamp'),
  ],
};

/** The modules of a site that add base fields. */
export type FieldModules = {
  readonly path: boolean;
  readonly metatag: boolean;
  /** Whether drafts have permissions and links of their own. */
  readonly contentModeration: boolean;
  /** The types of which a bundle has a workflow. */
  readonly moderated: readonly string[];
  readonly imageDiscovery: boolean;
  /** Whether aliases are made by patterns. */
  readonly automaticPaths: boolean;
  /** The members of files that have hashes. */
  readonly hashes: readonly string[];
};

const moduleFields = (type: string, modules: FieldModules): readonly FieldDefinition[] => {
  const isShown = translatedTypes.some((each) => each === type);
  const hasMetatag = modules.metatag && (isShown || type === 'user');
  return [
    ...(modules.moderated.includes(type) ? [base(stateField, 'Moderation state', 'string', optional)] : []),
    ...(modules.imageDiscovery && type === 'node'
      ? [base('did_image', 'Discovered image', 'entity_reference', { ...optional, target: { type: 'media' } })]
      : []),
    ...(type === 'file' ? modules.hashes.map((name) => base(name, name, 'string', optional)) : []),
    ...(hasMetatag ? [base('metatag', 'Metatags', 'metatag', { ...optional, cardinality: Infinity })] : []),
    ...(modules.path && isShown
      ? [base('path', 'URL alias', 'path', { ...optional, automatic: modules.automaticPaths })]
      : []),
  ];
};

/** The base fields of a type on a site. Those of modules stand before those of translation, as on the real site. */
export const baseFieldsOf = (
  type: RepositoryType,
  modules: FieldModules,
  translated: readonly string[],
): readonly FieldDefinition[] => {
  const isOfTranslation = ({ name }: FieldDefinition): boolean => name.startsWith('content_translation_');
  return [
    ...baseFields[type].filter((field) => !isOfTranslation(field)),
    ...moduleFields(type, modules),
    ...(translated.includes(type) ? baseFields[type].filter(isOfTranslation) : []),
  ];
};
