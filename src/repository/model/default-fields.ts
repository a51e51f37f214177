/** Makes the fields of a new entity before the fields of the request are applied. */
import type { RepositoryType } from './entity.ts';
import { identityOf } from './entity.ts';
import type { Bundle } from './bundle.ts';
import type { FieldItems, FieldName, Fields } from '../../openapi/openapi-records.ts';

type NewEntity = {
  readonly bundle: Bundle;
  readonly langcode: string;
  /** The account that creates it. */
  readonly uid: number;
  /** Seconds since 1970. */
  readonly now: number;
  readonly revision: number;
};

const owned: readonly string[] = ['node', 'media', 'file', 'redirect'];
const revisionTimes: { readonly [T in RepositoryType]?: string } = {
  node: 'revision_timestamp',
  media: 'revision_created',
  taxonomy_term: 'revision_created',
};

/**
 * The fields of a new entity: the site's defaults, then owner, times and revision. Also an empty list for each field of `added`,
 * which the caller fills in.
 */
export const newFields = (entity: NewEntity, added: readonly FieldName[] = []): Record<FieldName, FieldItems> =>
  filled({ ...blankOf(entity, added) }, entity);

const filled = (fields: Record<FieldName, FieldItems>, entity: NewEntity): Record<FieldName, FieldItems> => {
  const { bundle, langcode, uid, now, revision } = entity;
  const { entityType: type, fields: known } = bundle;
  const revisionField = identityOf(type).revision;
  const revisionTime = revisionTimes[type];
  const time = [{ value: now }];
  // The language of the site, under the name that the field has. An alias is for every language.
  const language = known.has('language') ? 'language' : 'langcode';
  if (known.get(language)?.default === undefined) fields[language] = [{ value: langcode }];
  if (owned.includes(type)) fields['uid'] = known.get('uid')?.default ?? [{ target_id: uid }];
  if (known.has('created')) fields['created'] = time;
  if (known.has('changed')) fields['changed'] = time;
  if (revisionField !== undefined) fields[revisionField] = [{ value: revision }];
  if (revisionTime !== undefined) fields[revisionTime] = time;
  // Media from REST or an upload have no revision user.
  if (type === 'node') fields['revision_uid'] = [{ target_id: uid }];
  // Terms name their author in the translation fields only.
  if (known.has('content_translation_uid') && uid !== 0) {
    fields['content_translation_uid'] = [{ target_id: uid }];
    fields['content_translation_created'] = time;
  }
  return fields;
};

/**
 * The fields of any new entity of the bundle, with values to be replaced. V8 copies an object from `JSON.parse` at once. A name that
 * is added to such a copy costs a hundred times as much, and gives each record a hidden class of its own.
 */
const blankOf = (entity: NewEntity, added: readonly FieldName[]): Fields => {
  const { bundle } = entity;
  const ofBundle = blanks.get(bundle) ?? new Map<string, Fields>();
  blanks.set(bundle, ofBundle);
  const key = `${entity.uid === 0 ? '' : 'author '}${added.join()}`;
  const known = ofBundle.get(key);
  if (known !== undefined) return known;
  const fields = filled(definedDefaults(bundle), entity);
  for (const name of added) fields[name] ??= [];
  const blank = JSON.parse(JSON.stringify(fields)) as Fields; // fields are JSON
  // Programs send few combinations of fields. Someone who sends all of them must not fill the memory.
  if (ofBundle.size >= mostBlanks) ofBundle.clear();
  ofBundle.set(key, blank);
  return blank;
};

const mostBlanks = 256;
const blanks = new WeakMap<Bundle, Map<string, Fields>>();

/** The defaults that the site defines for a bundle. */
const definedDefaults = ({ fields }: Bundle): Record<FieldName, FieldItems> =>
  Object.fromEntries(
    [...fields.values()].flatMap(({ name, default: usual }) => (usual === undefined ? [] : [[name, usual]])),
  );
