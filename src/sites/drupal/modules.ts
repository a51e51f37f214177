/** Says of each module of a site whether it changes the answers of this interface, and whether that is emulated. */
import type { Configuration } from './configuration.ts';
import { dataOf } from '../../basics/exported/lenient-values.ts';
import type { Reporter } from './report.ts';

/** Whole families by the beginning of their names: they change pages, forms, searches or the work of administrators. */
const quietFamilies =
  /^(?:admin_|ckeditor|config_|facets?(?:_|$)|field_(?:group|ui|layout|report|formatter|tools)|jquery_|js_|layout_|menu_|migrate|search|views_|block|simple_sitemap|google_|devel|entity_(?:browser|print|clone|usage|embed)|image_|media_(?:library|thumbnails)|editor|toolbar|responsive_)/;

/** Modules that change no answer of this interface, or only settings that the import reads. */
const quiet: ReadonlySet<string> = new Set(
  `action advanced_search aggregator announcements_feed antibot automated_cron backup_migrate ban better_exposed_filters big_pipe blazy book
  breakpoint captcha chaos citation_select coi color config colorbox comment components contact context context_ui contextual controlled_access_terms
  controlled_access_terms_defaults crop csv_serialization ctools dashboards datetime datetime_range dblog dgi_image_discovery dropzonejs
  dynamic_page_cache easy_breadcrumb eva exif_orientation fences field file file_mdm file_replace filter flysystem focal_point fontawesome forum fpa
  geolocation geofield hal health_check help help_topics history honeypot imagemagick inline_entity_form inline_form_errors islandora_audio
  islandora_breadcrumbs islandora_core_feature islandora_fits islandora_image islandora_mirador islandora_text_extraction
  islandora_text_extraction_defaults islandora_video islandora_workbench_integration key leaflet libraries linkit link mail_login mailsystem masquerade
  maxlength mirador mysql navigation node_view_permissions openseadragon options page_cache pdf pgsql phpass plupload potx prepopulate queue_ui
  quickedit rdf recaptcha restui rules sdc serialization settings_tray shortcut smtp sqlite stage_file_proxy statistics structure_sync svg_image
  symfony_mailer syslog system taxonomy_manager telephone term_merge term_reference_change text theme_switcher time_field token token_filter tour
  tracker transliterate_filenames twig_tweak twig_field_value ultimate_cron update upgrade_status user views webform webform_ui webprofiler minimal standard
  workflows node taxonomy`.split(/\s+/),
);

/** Modules whose work on the answers is here, besides those of Islandora and of its tokens. */
const emulated: ReadonlySet<string> = new Set(
  'basic_auth content_moderation field_permissions filehash getjwtonlogin image islandora islandora_iiif jsonld jwt jwt_auth_consumer jwt_auth_issuer islandora_jwks language media path path_alias pathauto redirect rest rest_oai_pmh'.split(
    ' ',
  ),
);

const inPart: Readonly<Record<string, string>> = {
  content_translation: 'translations are read at their addresses, and none can be changed',
  entity_reference_revisions: 'values are kept as sent',
  flysystem_s3: 'its files are kept by the server',
  metatag: 'its member is shown, and no tag is made',
  paragraphs: 'values are kept as sent, and the paragraphs are not served',
  s3fs: 'its files are kept by the server',
};

const accessByRecord = 'it decides by record who may read or change it';
const signOn = 'accounts sign in elsewhere';
const identifier = 'it gives records an identifier after a write';
const otherInterface = 'an interface of its own';

const missing: Readonly<Record<string, string>> = {
  ...byName('content_access domain_access embargo embargoes group gnode islandora_hierarchical_access', accessByRecord),
  ...byName(
    'nodeaccess permissions_by_entity permissions_by_term tac_lite taxonomy_access_fix workspaces',
    accessByRecord,
  ),
  ...byName('cas ldap_authentication openid_connect samlauth shib_auth simplesamlphp_auth simple_oauth tfa', signOn),
  ...byName('ark dgi_actions dgi_actions_handle doi hdl persistent_identifiers', identifier),
  ...byName('graphql jsonapi jsonapi_extras', otherInterface),
  auto_entitylabel: 'it makes the titles of records',
  field_validation: 'it refuses values by rules of its own',
  layout_builder: 'its member is kept as sent',
  locale: 'messages are in English here',
  node_title_length: 'titles may be longer than 255 characters there',
  rabbit_hole: 'some pages lead elsewhere',
  require_on_publish: 'fields are required once a record is published',
  scheduler: 'records are published and hidden at their times',
  unique_content_field_validation: 'it refuses values that another record has',
};

function byName(names: string, why: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, why]));
}

/** Nothing that changes answers goes without a word, and no module that nobody here knows. */
export const reportModules = (configuration: Configuration, reporter: Reporter): void => {
  for (const name of Object.keys(dataOf(configuration.object('core.extension')?.['module']))) {
    const where = `core.extension: ${name.slice(0, 60)}`;
    const [part, gap] = [inPart, missing].map((table) => (Object.hasOwn(table, name) ? table[name] : undefined));
    if (part !== undefined) reporter.partly(where, `a module that is emulated in part: ${part}`);
    else if (gap !== undefined) reporter.partly(where, `a module that is not emulated: ${gap}`);
    else if (emulated.has(name)) reporter.taken('modules that change answers');
    else if (!quiet.has(name) && !quietFamilies.test(name))
      reporter.notJudged(where, 'a module that this program does not know, which may change answers');
  }
};
