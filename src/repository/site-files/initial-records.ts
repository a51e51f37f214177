/** Makes the records that a site begins with: its accounts and its terms. */
import { newFields } from '../model/default-fields.ts';
import type { Site } from '../site/site.ts';
import type { Entity, Fields } from '../../openapi/openapi-records.ts';

/** The records of a site's accounts and terms. All are dated by `seedTime`, so that each start makes the same records. */
export const initialRecords = (site: Site): Entity[] => [
  // The anonymous visitor. Records without an owner refer to it. It cannot log in.
  ...user(site, 0, '6257814b-1f04-4846-be18-21439c5c67e7', { name: [{ value: '' }], status: [{ value: false }] }),
  ...accounts(site),
  ...terms(site),
];

/** A site can have thousands of terms. What those of a vocabulary have in common is made once. */
const terms = (site: Site): Entity[] => {
  const common = new Map<string, Fields | undefined>();
  const fieldsOf = (vocabulary: string): Fields | undefined => {
    if (!common.has(vocabulary)) common.set(vocabulary, newTermFields(site, vocabulary));
    return common.get(vocabulary);
  };
  return site.terms.flatMap(({ tid, uuid, vocabulary, fields }): Entity[] => {
    const defaults = fieldsOf(vocabulary);
    if (defaults === undefined) return [];
    const own = { ...defaults, revision_id: [{ value: tid }], ...fields };
    return [{ type: 'taxonomy_term', id: tid, uuid, bundle: vocabulary, fields: own }];
  });
};

const newTermFields = (site: Site, vocabulary: string): Fields | undefined => {
  const bundle = site.model.bundle('taxonomy_term', vocabulary);
  if (bundle === undefined) return undefined;
  const defaults = newFields({ bundle, langcode: site.langcode, uid: 0, now: site.seedTime, revision: 0 });
  if (!bundle.fields.has('content_translation_uid')) return defaults;
  const author = site.accounts.some(({ uid }) => uid === site.seedAuthor) ? site.seedAuthor : 0;
  return {
    ...defaults,
    content_translation_uid: [{ target_id: author }],
    content_translation_created: [{ value: site.seedTime }],
  };
};

const accounts = (site: Site): Entity[] =>
  site.accounts.flatMap(({ uid, uuid, name, mail, active, roles, passwordHash }) =>
    user(site, uid, uuid, {
      name: [{ value: name }],
      mail: [{ value: mail }],
      status: [{ value: active }],
      preferred_langcode: [{ value: site.langcode }],
      timezone: [{ value: site.timezone }],
      init: [{ value: mail }],
      // Nothing counts when an account was there last.
      access: [{ value: 0 }],
      login: [{ value: 0 }],
      ...(roles.length === 0 ? {} : { roles: roles.map((role) => ({ target_id: role })) }),
    }).map((entity) => ({ ...entity, password: passwordHash })),
  );

const user = (site: Site, uid: number, uuid: string, fields: Fields): Entity[] => {
  const bundle = site.model.bundle('user', 'user');
  if (bundle === undefined) return [];
  const defaults = newFields({ bundle, langcode: site.langcode, uid, now: site.seedTime, revision: 0 });
  return [{ type: 'user', id: uid, uuid, bundle: 'user', fields: { ...defaults, ...fields } }];
};
