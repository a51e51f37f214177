/** Holds the configuration of a Drupal site: texts by the names of their objects, parsed when somebody asks. */
import { LineCounter, parseDocument } from 'yaml';
import { isRecord } from '../../basics/json.ts';
import { flawError } from '../../basics/configuration-error.ts';
import { dataOf, listOf, type Data } from '../../basics/exported/lenient-values.ts';
import { kindOf, type FamilyName, type ObjectName } from './entity-kinds.ts';

/** A text and the file that it came from. */
export type ConfigurationText = { readonly file: string; readonly text: string };

/** The objects that were read from folders: only those of the kinds that `entity-kinds.ts` lists. */
export type ConfigurationFiles = {
  /** By the name of the object, such as `node.type.article`. */
  readonly objects: ReadonlyMap<string, ConfigurationText>;
  /** Overrides of objects by language and name: `language/fr/…`. */
  readonly translations: ReadonlyMap<string, ReadonlyMap<string, ConfigurationText>>;
  /** Patches of config_split by the name of the object that they change, in their order. */
  readonly patches: ReadonlyMap<string, readonly ConfigurationText[]>;
  /** Tables in CSV by the path that a migration names. */
  readonly tables: ReadonlyMap<string, ConfigurationText>;
  /** The versions of the core and of modules by package, where a lock file lies around the folders. */
  readonly versions: ReadonlyMap<string, string>;
  /** Files that were not read, by kind. */
  readonly notRead: ReadonlyMap<string, number>;
};

/** An object of a family: `field.field` has `node.article.body`. */
export type Named = { readonly id: string; readonly name: string; readonly data: Data };

export type Configuration = {
  object(name: ObjectName): Data | undefined;
  /** The objects of a family that are in effect, by name: a bundle always, others when they are switched on. `mentions` leaves out texts without this word, unparsed. */
  family(family: FamilyName, mentions?: RegExp): readonly Named[];
  /** The ids of a family, unparsed. */
  ids(family: FamilyName): readonly string[];
  one(family: FamilyName, id: string): Data | undefined;
  /** The version of a package, such as `drupal/core`. */
  version(name: string): string | undefined;
  /** Whether it is a whole site, not a module's or a split's part. What a whole site does not name, it does not have. */
  readonly isWhole: boolean;
};

/** `language` is the one whose overrides apply: that of the site. */
export const createConfiguration = (files: ConfigurationFiles): Configuration => {
  const parsed = new Map<string, Data>();
  const bare = (name: string): Data | undefined => {
    const source = files.objects.get(name);
    if (source === undefined) return undefined;
    return (files.patches.get(name) ?? []).reduce((data, patch) => patched(data, parseData(patch)), parseData(source));
  };
  const overrides = files.translations.get(languageOf(bare('system.site')));
  const read = (name: string): Data | undefined => {
    const known = parsed.get(name);
    if (known !== undefined) return known;
    const data = bare(name);
    if (data === undefined) return undefined;
    const override = overrides?.get(name);
    const whole = override === undefined ? data : merged(data, parseData(override), inPlaces);
    parsed.set(name, whole);
    return whole;
  };
  const names = [...files.objects.keys()].sort();
  return {
    object: read,
    one: (family, id) => read(`${family}.${id}`),
    ids: (family) => names.flatMap((name) => (kindOf(name) === family ? [name.slice(family.length + 1)] : [])),
    family: (family, mentions) =>
      names
        .filter((name) => kindOf(name) === family && (mentions?.test(files.objects.get(name)?.text ?? '') ?? true))
        .map((name) => ({ id: name.slice(family.length + 1), name, data: read(name) ?? {} }))
        .filter(({ data }) => isBundleFamily(family) || data['status'] !== false),
    version: (name) => files.versions.get(name),
    isWhole: files.objects.has('core.extension'),
  };
};

/** The real site lists all bundles, whatever their status. */
const isBundleFamily = (family: FamilyName): boolean =>
  family === 'node.type' || family === 'media.type' || family === 'taxonomy.vocabulary';

/** The names of the bundles of each type of record. Files and accounts have one, which is named like them. */
export const bundleIdsOf = (configuration: Configuration) => ({
  node: configuration.ids('node.type'),
  media: configuration.ids('media.type'),
  taxonomy_term: configuration.ids('taxonomy.vocabulary'),
  user: ['user'],
  file: ['file'],
});

/** The default language of `system.site`. */
export const languageOf = (site: Data | undefined): string => {
  const written = site?.['default_langcode'] ?? site?.['langcode'];
  return typeof written === 'string' && written !== '' ? written : 'en';
};

/**
 * Throws `ConfigurationError` without an excerpt of the text, which may be nobody's business. Exports have bytes and objects of PHP
 * here and there, in places that an import does not look at: an unknown tag is a warning of the library, and nothing to us.
 */
export const parseData = ({ file, text }: ConfigurationText): Data => {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, resolveKnownTags: false });
  const [error] = document.errors;
  if (error === undefined) return dataOf(document.toJS({ maxAliasCount: -1 }));
  const { line } = lineCounter.linePos(error.pos[0]);
  throw flawError({ file, line, rule: 'yaml', message: `is not valid YAML: ${error.message}`, remedy: '' });
};

/** What becomes of a list where something lies over it. */
type JoinLists = (below: readonly unknown[], over: unknown) => unknown;

/** A map that lies over another one names only the members that it changes. */
const merged = (below: Data, over: Data, lists: JoinLists): Data => ({
  ...below,
  ...Object.fromEntries(Object.entries(over).map(([key, value]) => [key, mergedValue(below[key], value, lists)])),
});

const mergedValue = (below: unknown, over: unknown, lists: JoinLists): unknown => {
  if (Array.isArray(below)) return lists(below, over);
  return isRecord(below) && isRecord(over) ? merged(below, over, lists) : over;
};

/** The override of a language has the elements of a list in their places, as the real site reads it. */
const inPlaces: JoinLists = (below, over) =>
  Array.isArray(over)
    ? [...over.map((each, place) => mergedValue(below[place], each, inPlaces)), ...below.slice(over.length)]
    : over;

/** A patch adds elements. */
const behind: JoinLists = (below, over) => [...below, ...listOf(over)];

/** A patch of config_split takes members away and adds others. */
const patched = (base: Data, patch: Data): Data =>
  merged(without(base, dataOf(patch['removing'])), dataOf(patch['adding']), behind);

const without = (base: Data, removing: Data): Data =>
  Object.fromEntries(
    Object.entries(base).flatMap(([key, value]) => {
      const gone = removing[key];
      if (gone === undefined) return [[key, value]];
      if (Array.isArray(value)) {
        const names = new Set(listOf(gone).map((each) => JSON.stringify(each)));
        return [[key, value.filter((each) => !names.has(JSON.stringify(each)))]];
      }
      return isRecord(value) && isRecord(gone) ? [[key, without(value, gone)]] : [];
    }),
  );

/** A part of a configuration does not say which modules its site has: then it has them all. */
export const hasModule = (configuration: Configuration, name: string): boolean =>
  !configuration.isWhole || Object.hasOwn(dataOf(configuration.object('core.extension')?.['module']), name);
