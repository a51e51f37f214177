/** The records that a site brings along: its terms and its accounts. */
import { newFields } from '../model/default-fields.ts';
import type { Entity } from '../model/entity.ts';
import type { Site } from './site.ts';

/** Terms and accounts as records, dated with the site's seed time, so that two starts make the same ones. */
export const seedEntities = (site: Site): Entity[] => [...visitor(site), ...accounts(site), ...terms(site)];

/** The anonymous visitor as a record: what nobody owns refers to it (recording: "term json anon"). It cannot log in. */
const visitor = (site: Site): Entity[] => {
  const bundle = site.model.bundle('user', 'user');
  if (bundle === undefined) return [];
  const fields = newFields({ bundle, langcode: site.langcode, uid: 0, now: site.seedTime, revision: 0 });
  const named = { ...fields, name: [{ value: '' }], status: [{ value: false }] };
  return [{ type: 'user', id: 0, uuid: '6257814b-1f04-4846-be18-21439c5c67e7', bundle: 'user', fields: named }];
};

const terms = (site: Site): Entity[] =>
  site.terms.flatMap(({ tid, uuid, vocabulary, fields }) => {
    const bundle = site.model.bundle('taxonomy_term', vocabulary);
    if (bundle === undefined) return [];
    const defaults = newFields({ bundle, langcode: site.langcode, uid: 0, now: site.seedTime, revision: tid });
    const translated = {
      content_translation_uid: [{ target_id: 0 }],
      content_translation_created: [{ value: site.seedTime }],
    };
    return [
      { type: 'taxonomy_term', id: tid, uuid, bundle: vocabulary, fields: { ...defaults, ...translated, ...fields } },
    ];
  });

const accounts = (site: Site): Entity[] =>
  site.accounts.flatMap((account) => {
    const bundle = site.model.bundle('user', 'user');
    if (bundle === undefined) return [];
    const defaults = newFields({ bundle, langcode: site.langcode, uid: account.uid, now: site.seedTime, revision: 0 });
    return [
      {
        type: 'user',
        id: account.uid,
        uuid: account.uuid,
        bundle: 'user',
        password: account.passwordHash,
        fields: {
          ...defaults,
          name: [{ value: account.name }],
          mail: [{ value: account.mail }],
          status: [{ value: account.active }],
          ...(account.roles.length === 0 ? {} : { roles: account.roles.map((role) => ({ value: role })) }),
        },
      },
    ];
  });
