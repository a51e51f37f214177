/** Names what an import reads and has no place for in a site. Nothing of the closed list of kinds vanishes without a word. */
import { languageOf, type Configuration, type ConfigurationFiles } from './configuration.ts';
import { filledTextOf } from '../../basics/exported/lenient-values.ts';
import type { ImportContext } from './import-context.ts';
import type { FamilyName } from './entity-kinds.ts';
import { reportModules } from './modules.ts';
import type { Reporter } from './report.ts';

type BundleIds = Readonly<Record<string, readonly string[]>>;

/** Families whose objects are for one bundle, which their ids begin with: `node.article`. */
const ofBundles: readonly FamilyName[] = [
  'core.entity_form_display',
  'core.base_field_override',
  'language.content_settings',
  'rdf.mapping',
];

const served = ['node', 'media', 'taxonomy_term'] as const;
export const reportUnused = (
  configuration: Configuration,
  files: ConfigurationFiles,
  { bundleIds, baseFields }: Pick<ImportContext, 'baseFields'> & { readonly bundleIds: BundleIds },
  reporter: Reporter,
): void => {
  const placeOf = (id: string) => {
    const [type = '', bundle = '', name = ''] = id.split('.');
    const known = served.find((each) => each === type);
    return { type, known, name, isThere: bundleIds[type]?.includes(bundle) ?? false };
  };
  for (const family of ofBundles) {
    for (const id of configuration.ids(family)) {
      const { type, known, name, isThere } = placeOf(id);
      const where = `${family}.${id}`;
      if (type === 'user') reporter.remark(where, 'of accounts only the fields are read');
      else if (known === undefined) reporter.remark(where, `records of type ${type.slice(0, 40)} are not served`);
      else if (!isThere) reporter.remark(where, 'its bundle is not there');
      else if (family === 'core.base_field_override' && !baseFields(known).some((each) => each.name === name))
        reporter.remark(where, 'the program has no such base field');
      else if (family === 'core.entity_form_display') reporter.taken('forms');
    }
  }
  for (const id of configuration.ids('field.field')) {
    const { known, isThere } = placeOf(id);
    if (known !== undefined && !isThere) reporter.partly(`field.field.${id}`, 'the bundle of this field is not there');
  }
  reportSettings(configuration, files, reporter);
};

const reportSettings = (configuration: Configuration, files: ConfigurationFiles, reporter: Reporter): void => {
  const own = languageOf(configuration.object('system.site'));
  for (const [language, objects] of files.translations) {
    if (language !== own && objects.size > 0)
      reporter.partly(`language/${language}`, 'labels have one language here, that of the site');
  }
  reportTokens(configuration, reporter);
  reportModules(configuration, reporter);
};

/** The key itself is in no configuration: it would be secret. */
const reportTokens = (configuration: Configuration, reporter: Reporter): void => {
  const jwt = configuration.object('jwt.config');
  if (jwt === undefined) return;
  if (typeof jwt['algorithm'] === 'string' && jwt['algorithm'] !== 'RS256')
    reporter.partly('jwt.config', 'tokens are signed with RS256 here');
  reporter.remark(
    'jwt.config',
    filledTextOf(jwt['key_id']) === undefined
      ? 'it names no key, so the real site makes no tokens'
      : 'the key for tokens is made here; --jwt-key takes that of the real site',
  );
};
