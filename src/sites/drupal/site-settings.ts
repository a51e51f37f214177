/** Makes `site.yml`: name, languages, lifetimes, switches. What no configuration says is as on the default site. */
import { given } from '../../basics/json.ts';
import { readRows, type Rows } from '../../basics/exported/rows.ts';
import { translatedTypes, prefixLanguages } from '../../repository/repository.ts';
import { hasModule, languageOf, type Configuration } from './configuration.ts';
import { booleanOf, dataOf, filledTextOf, wholeOf, type Data } from '../../basics/exported/lenient-values.ts';
import { durationSeconds } from './php-words.ts';
import type { Reporter } from './report.ts';
import type { Resources } from './resources.ts';
import type { SiteSettings } from './site-format.ts';
import type { Storages } from './storages.ts';

type Parts = {
  readonly configuration: Configuration;
  readonly reporter: Reporter;
  readonly namespaces: Readonly<Record<string, string>>;
  readonly storages: Storages;
  readonly resources: Resources;
};

export const siteSettingsOf = ({ configuration, reporter, namespaces, storages, resources }: Parts): SiteSettings => {
  const langcode = languageOf(configuration.object('system.site'));
  const languages = [...new Set([langcode, ...configuration.family('language.entity').map(({ id }) => id)])];
  const islandora = configuration.object('islandora.settings');
  const timezone = filledTextOf(dataOf(configuration.object('system.date')?.['timezone'])['default'])?.slice(0, 32);
  const headers = booleanOf(islandora?.['allow_header_links']);
  const jsonld = configuration.object('jsonld.settings');
  const hasNoSuffix = jsonld === undefined || booleanOf(jsonld['remove_jsonld_format']) === true;
  return {
    name: nameOf(configuration, reporter),
    langcode,
    languages,
    ...(prefixLanguages(languages, langcode).length > 0 ? { language_prefixes: true } : {}),
    ...textFormatsOf(configuration, reporter),
    leniency: 'reference',
    method_override: true,
    flood: readRows(floodRows, configuration.object('user.flood')),
    links: {
      platform: true,
      relations_base: 'https://drupal.org/link-relations',
      media: 'pcdm_use',
      ...(headers === false ? { headers } : {}),
    },
    jsonld: { format_suffix: !hasNoSuffix },
    tokens: {
      lifetime: tokenLifetime(islandora, reporter),
      of_today: true,
      ...(hasModule(configuration, 'getjwtonlogin') ? {} : { at_login: false }),
    },
    sessions: { lifetime: 2_000_000 },
    limits: { json_bytes: 1_048_576, upload_bytes: 1_073_741_824 },
    ...modulesOf(configuration),
    ...translationOf(configuration),
    ...versionsOf(configuration, reporter),
    ...mediaSwitches(configuration, reporter, resources),
    ...storages,
    seed_time: '2019-03-01T19:00:00+00:00',
    // The first account runs the migrations of the official site.
    seed_author: 1,
    ...given({ timezone }),
    namespaces: { ...namespaces },
  };
};

/** The realm of `WWW-Authenticate` shows the name, so it is one line and has no quotation mark. */
const nameOf = (configuration: Configuration, reporter: Reporter): string => {
  const written = filledTextOf(configuration.object('system.site')?.['name']) ?? 'Imported site';
  const name = written
    .replace(/\p{Cc}/gu, '')
    .replace(/["\\]/g, "'")
    .trim();
  if (name !== written.trim()) reporter.remark('system.site', 'the name is changed: a header must be able to carry it');
  return name === '' ? 'Imported site' : name;
};

/** What the filters of a format do that plain text has not: nothing here, or what changes no word. */
const quietFilters: readonly string[] = [
  ...['filter_htmlcorrector', 'filter_align', 'filter_caption', 'filter_html_image_secure', 'filter_image_lazy_load'],
  ...['editor_file_reference', 'media_embed'],
];

/** Everybody may use the first format, which core always has. Roles name the others in their permissions. */
const textFormatsOf = (configuration: Configuration, reporter: Reporter): Pick<SiteSettings, 'text_formats'> => {
  const named = configuration.family('filter.format');
  if (named.length === 0) return {};
  const formats = named.map(({ id, name, data }) => {
    const filters = Object.entries(dataOf(data['filters'])).flatMap(([filter, settings]) =>
      booleanOf(dataOf(settings)['status']) === true ? [filter] : [],
    );
    // Without any filter in the file nothing is known, and plain text is safe to show.
    const isHtml = filters.length > 0 && !filters.includes('filter_html_escape');
    const left = isHtml ? filters.filter((filter) => !quietFilters.includes(filter)) : [];
    for (const filter of left)
      reporter.remark(name, `the filter ${filter.slice(0, 60)} of this text format is not run`);
    return [id, given({ label: filledTextOf(data['name']), html: isHtml || undefined })] as const;
  });
  return { text_formats: { plain_text: {}, ...Object.fromEntries(formats) } };
};

const floodRows = {
  user_limit: ['user_limit', (value) => wholeOf(value) ?? 5],
  user_window: ['user_window', (value) => wholeOf(value) ?? 21_600],
  address_limit: ['ip_limit', (value) => wholeOf(value) ?? 50],
  address_window: ['ip_window', (value) => wholeOf(value) ?? 3600],
} satisfies Rows;

const mediaRows = {
  standalone_url: ['standalone_url', booleanOf],
  icon_scheme: ['icon_base_uri', (value) => /^(\w+):\/\//.exec(filledTextOf(value) ?? '')?.[1]],
} satisfies Rows;

const usualLifetime = 7200;

const tokenLifetime = (islandora: Data | undefined, reporter: Reporter): number => {
  const written = filledTextOf(islandora?.['jwt_expiry']);
  if (written === undefined) return usualLifetime;
  const seconds = durationSeconds(written);
  if (seconds === undefined)
    reporter.partly('islandora.settings', 'jwt_expiry is not a duration, so tokens last 2 hours');
  return seconds ?? usualLifetime;
};

/** The modules that decide which routes and base fields exist. Only a whole configuration says which are missing. */
const modulesOf = (configuration: Configuration): Pick<SiteSettings, 'modules'> => {
  const installed = configuration.object('core.extension')?.['module'];
  if (installed === undefined) return {};
  const names = [
    'islandora',
    'path',
    'metatag',
    'content_moderation',
    'dgi_image_discovery',
    'jwt_auth_issuer',
  ] as const;
  const modules = names.map((name) => [name, Object.hasOwn(dataOf(installed), name)]);
  return { modules: Object.fromEntries(modules) as SiteSettings['modules'] & object }; // all of the names
};

/** What the module of Workbench answers, by which its clients choose their ways. */
const versionsOf = (configuration: Configuration, reporter: Reporter): Pick<SiteSettings, 'workbench'> => {
  const core = configuration.version('drupal/core');
  if (core === undefined) return {};
  reporter.taken('version of the core', 1);
  const module = configuration.version('mjordan/islandora_workbench_integration');
  return { workbench: given({ core_version: core, integration_module_version: module }) };
};

/**
 * Whether the core is older than version 10, which has no `/rest/session/token` (third lab). Where no file names the version: the
 * older ones have themes that 10 took away, and before 9.4 the driver of the database was not a module.
 */
const isBeforeCore10 = (configuration: Configuration): boolean => {
  const version = configuration.version('drupal/core');
  if (version !== undefined) return Number.parseInt(version, 10) < 10;
  const { module, theme } = configuration.object('core.extension') ?? {};
  const hasDriver = ['mysql', 'pgsql', 'sqlite'].some((name) => Object.hasOwn(dataOf(module), name));
  return !hasDriver || ['bartik', 'seven', 'classy'].some((name) => Object.hasOwn(dataOf(theme), name));
};

/** The entity types whose records show `content_translation_*`. */
const translationOf = (configuration: Configuration): Pick<SiteSettings, 'content_translation'> => {
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
): Pick<SiteSettings, 'media' | 'beyond'> => {
  const settings = configuration.object('media.settings');
  const media = readRows(mediaRows, settings);
  return {
    ...(settings === undefined ? {} : { media }),
    beyond: {
      file_upload: resources.hasFileUpload,
      // A part of a configuration does not say which views its site has: then it has the usual lists, too.
      ...(configuration.isWhole ? {} : { term_lookup: true, node_lists: true }),
      media_edit_alias: media.standalone_url !== true,
      session_token_alias: !configuration.isWhole || isBeforeCore10(configuration),
      workbench_integration: hasModule(configuration, 'islandora_workbench_integration'),
      token_keys: hasModule(configuration, 'islandora_jwks'),
      linkset: !configuration.isWhole,
    },
  };
};
