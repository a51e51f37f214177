/** Makes the fields of a new entity before the fields of the request are applied. */
import { identityFields, type EntityType, type Fields } from './entity.ts';
import type { Bundle } from './bundle.ts';

export type NewEntity = {
  readonly bundle: Bundle;
  readonly langcode: string;
  /** The account that creates it. */
  readonly uid: number;
  /** Seconds since 1970. */
  readonly now: number;
  readonly revision: number;
};

const owned: readonly EntityType[] = ['node', 'media', 'file', 'redirect'];
const revisionTimes: { readonly [T in EntityType]?: string } = {
  node: 'revision_timestamp',
  media: 'revision_created',
  taxonomy_term: 'revision_created',
};

/** The fields of a new entity: the site's defaults, then owner, times and revision. */
export const newFields = ({ bundle, langcode, uid, now, revision }: NewEntity): Fields => {
  const type = bundle.entityType;
  const revisionField = identityFields[type].revision;
  const revisionTime = revisionTimes[type];
  const time = [{ value: now }];
  return {
    ...definedDefaults(bundle),
    ...languageOf(bundle, langcode),
    ...(owned.includes(type) ? { uid: bundle.fields.get('uid')?.default ?? [{ target_id: uid }] } : {}),
    ...(bundle.fields.has('created') ? { created: time } : {}),
    ...(bundle.fields.has('changed') ? { changed: time } : {}),
    ...(revisionField === undefined ? {} : { [revisionField]: [{ value: revision }] }),
    ...(revisionTime === undefined ? {} : { [revisionTime]: time }),
    // Media from REST or an upload have no revision user.
    ...(type === 'node' ? { revision_uid: [{ target_id: uid }] } : {}),
    // Terms name their author in the translation fields only.
    ...(bundle.fields.has('content_translation_uid') && uid !== 0
      ? { content_translation_uid: [{ target_id: uid }], content_translation_created: time }
      : {}),
  };
};

/** The defaults that the site defines for a bundle. */
const definedDefaults = (bundle: Bundle): Fields => {
  const known = defined.get(bundle);
  if (known !== undefined) return known;
  const fields = Object.fromEntries(
    [...bundle.fields.values()].flatMap(({ name, default: usual }) => (usual === undefined ? [] : [[name, usual]])),
  );
  defined.set(bundle, fields);
  return fields;
};

const defined = new WeakMap<Bundle, Fields>();

/** The language of the site, under the name that the field has. An alias is for every language. */
const languageOf = ({ fields }: Bundle, langcode: string): Fields => {
  const name = fields.has('language') ? 'language' : 'langcode';
  return fields.get(name)?.default === undefined ? { [name]: [{ value: langcode }] } : {};
};
