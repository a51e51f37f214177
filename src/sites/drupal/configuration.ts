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
    const whole = override === undefined ? data : merged(data, parseData(override));
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

/** An override names only the members that it changes, and of a list the elements in their places, as the real site reads it. */
const merged = (base: Data, over: Data): Data => {
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) result[key] = overridden(result[key], value);
  return result;
};

const overridden = (before: unknown, value: unknown): unknown => {
  if (Array.isArray(before) && Array.isArray(value)) {
    const [elements, over]: readonly unknown[][] = [before, value];
    return [
      ...(over ?? []).map((each, index) => overridden(elements?.[index], each)),
      ...(elements ?? []).slice(value.length),
    ];
  }
  return isRecord(before) && isRecord(value) ? merged(before, value) : value;
};

/** A patch of config_split takes members away and adds others. */
const patched = (base: Data, patch: Data): Data =>
  mergedLists(without(base, dataOf(patch['removing'])), dataOf(patch['adding']));

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

const mergedLists = (base: Data, adding: Data): Data => {
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(adding)) {
    const before = result[key];
    if (Array.isArray(before)) result[key] = [...listOf(before), ...listOf(value)];
    else result[key] = isRecord(before) && isRecord(value) ? mergedLists(before, value) : value;
  }
  return result;
};

/** A part of a configuration does not say which modules its site has: then it has them all. */
export const hasModule = (configuration: Configuration, name: string): boolean =>
  !configuration.isWhole || Object.hasOwn(dataOf(configuration.object('core.extension')?.['module']), name);
