/** Makes `site.yml`: name, languages, lifetimes, switches. What no configuration says is as on the default site. */
import { translatedTypes } from '../model/base-fields.ts';
import { languageOf, type Configuration } from './configuration.ts';
import { booleanOf, dataOf, filledTextOf, wholeOf, type Data } from './forgiving-values.ts';
import { durationSeconds } from './php-words.ts';
import type { Reporter } from './report.ts';
import type { Resources } from './resources.ts';
import type { SiteGeneral } from './site-format.ts';
import type { Storages } from './storages.ts';
import { viewSwitches } from './views.ts';

type Parts = {
  readonly configuration: Configuration;
  readonly reporter: Reporter;
  readonly namespaces: Readonly<Record<string, string>>;
  readonly storages: Storages;
  readonly resources: Resources;
};

export const generalOf = ({ configuration, reporter, namespaces, storages, resources }: Parts): SiteGeneral => {
  const langcode = languageOf(configuration.object('system.site'));
  const islandora = configuration.object('islandora.settings');
  const headers = booleanOf(islandora?.['allow_header_links']);
  const jsonld = configuration.object('jsonld.settings');
  const hasNoSuffix = jsonld === undefined || booleanOf(jsonld['remove_jsonld_format']) === true;
  return {
    name: nameOf(configuration, reporter),
    langcode,
    languages: [...new Set([langcode, ...configuration.family('language.entity').map(({ id }) => id)])],
    ...textFormatsOf(configuration),
    leniency: 'reference',
    method_override: true,
    flood: floodOf(configuration.object('user.flood') ?? {}),
    links: {
      platform: true,
      relations_base: 'https://drupal.org/link-relations',
      ...(headers === false ? { headers } : {}),
    },
    jsonld: { format_suffix: !hasNoSuffix },
    tokens: { lifetime: tokenLifetime(islandora, reporter), of_today: true },
    sessions: { lifetime: 2_000_000 },
    limits: { json_bytes: 1_048_576, upload_bytes: 1_073_741_824 },
    ...modulesOf(configuration),
    ...translationOf(configuration),
    ...mediaSwitches(configuration, reporter, resources),
    ...storages,
    seed_time: '2019-03-01T19:00:00+00:00',
    namespaces: { ...namespaces },
  };
};

/** The realm of `WWW-Authenticate` shows the name, so it has Latin letters and no quotation mark. */
const nameOf = (configuration: Configuration, reporter: Reporter): string => {
  const written = filledTextOf(configuration.object('system.site')?.['name']) ?? 'Imported site';
  const bare = /^[\x20-\x7e\xa0-\xff]*$/.test(written) ? written : written.normalize('NFD');
  const name = bare
    .replace(/[^\x20-\x7e\xa0-\xff]/g, '')
    .replace(/["\\]/g, "'")
    .trim();
  if (name !== written.trim()) reporter.remark('system.site', 'the name is changed: a header must be able to carry it');
  return name === '' ? 'Imported site' : name;
};

/** Everybody may use the first format, which core always has. Roles name the others in their permissions. */
const textFormatsOf = (configuration: Configuration): Pick<SiteGeneral, 'text_formats'> => {
  const named = configuration.family('filter.format').map(({ id }) => id);
  return named.length === 0 ? {} : { text_formats: [...new Set(['plain_text', ...named])] };
};

const floodOf = (flood: Data): SiteGeneral['flood'] => ({
  user_limit: wholeOf(flood['user_limit']) ?? 5,
  user_window: wholeOf(flood['user_window']) ?? 21_600,
  address_limit: wholeOf(flood['ip_limit']) ?? 50,
  address_window: wholeOf(flood['ip_window']) ?? 3600,
});

const usualLifetime = 7200;

const tokenLifetime = (islandora: Data | undefined, reporter: Reporter): number => {
  const written = filledTextOf(islandora?.['jwt_expiry']);
  if (written === undefined) return usualLifetime;
  const seconds = durationSeconds(written);
  if (seconds === undefined) reporter.partly('islandora.settings', 'jwt_expiry is no duration, so tokens last 2 hours');
  return seconds ?? usualLifetime;
};

/** The modules that decide which routes and base fields exist. Only a whole configuration says what is missing. */
const modulesOf = (configuration: Configuration): Pick<SiteGeneral, 'modules'> => {
  const installed = configuration.object('core.extension')?.['module'];
  if (installed === undefined) return {};
  const has = (name: string): boolean => Object.hasOwn(dataOf(installed), name);
  return {
    modules: {
      islandora: has('islandora'),
      path: has('path'),
      metatag: has('metatag'),
      content_moderation: has('content_moderation'),
    },
  };
};

/** The entity types whose records show `content_translation_*`. */
const translationOf = (configuration: Configuration): Pick<SiteGeneral, 'content_translation'> => {
  if (!configuration.isWhole) return {};
  const enabled = configuration.family('language.content_settings').flatMap(({ data, id }) => {
    const settings = dataOf(dataOf(data['third_party_settings'])['content_translation']);
    return booleanOf(settings['enabled']) === true
      ? [filledTextOf(data['target_entity_type_id']) ?? id.split('.')[0]]
      : [];
  });
  return {
    content_translation: translatedTypes.filter((type) => enabled.includes(type)),
  };
};

/** The address of a media, and the switches of what the contract does not have. */
const mediaSwitches = (
  configuration: Configuration,
  reporter: Reporter,
  resources: Resources,
): Pick<SiteGeneral, 'media' | 'beyond'> => {
  const standalone = booleanOf(configuration.object('media.settings')?.['standalone_url']);
  const views = viewSwitches(configuration, reporter);
  const isOn = (name: 'term_lookup' | 'node_lists'): boolean => views.has(name) || !configuration.isWhole;
  return {
    ...(standalone === undefined ? {} : { media: { standalone_url: standalone } }),
    beyond: {
      file_upload: resources.hasFileUpload,
      term_lookup: isOn('term_lookup'),
      node_lists: isOn('node_lists'),
      media_edit_alias: standalone !== true,
      session_token_alias: true,
    },
  };
};
