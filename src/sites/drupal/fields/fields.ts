/** Makes the fields of a site from those of the configuration. */
import { filled, given } from '../../../basics/json.ts';
import {
  fieldRows,
  settingRowsOf,
  otherType,
  type BaseFields,
  fieldedTypes,
} from '../../../repository/repository-sites.ts';
import { fieldTypeOf, isFileType, referredTypes, type ReferredType } from '../../../repository/repository.ts';
import { reservedNames } from '../../../basics/yaml/read-yaml.ts';
import { sizeBytes } from '../php-words.ts';
import type { Reporter } from '../report.ts';
import { defaultItems } from './field-defaults.ts';
import type { ImportContext } from '../import-context.ts';
import type { FieldSource } from './field-sources.ts';
import { booleanOf, dataOf, filledTextOf, namesOf, textOf } from '../../../basics/exported/lenient-values.ts';
import { readRows } from '../../../basics/exported/rows.ts';
import { siteTypeOf, type SiteField } from '../site-format.ts';

/** The sources without those whose name a field cannot have: that of a base field, or one that every object has. */
export const usableSources = (
  sources: readonly FieldSource[],
  baseFields: BaseFields,
  reporter: Reporter,
): readonly FieldSource[] => {
  const taken = new Set(fieldedTypes.flatMap((type) => baseFields(type).map(({ name }) => `${type} ${name}`)));
  return sources.filter(({ entityType, name, where }) => {
    if (taken.has(`${entityType} ${name}`)) {
      reporter.partly(where, 'its name is that of a base field, so it is left out');
    } else if (reservedNames.has(name)) {
      reporter.partly(where, 'its name is one that every object has already, so it is left out');
    } else {
      return true;
    }
    return false;
  });
};

/** The fields of one bundle. */
export const fieldsOf = (sources: readonly FieldSource[], context: ImportContext): Record<string, SiteField> =>
  Object.fromEntries(
    sources.map((source) => {
      context.reporter.taken('fields');
      return [source.name, fieldOf(source, context)] as const;
    }),
  );

const fieldOf = (source: FieldSource, context: ImportContext): SiteField => {
  const type = typeOf(source, context);
  const read = { label: source.name, ...rowsOf(source, type, context), ...translatablePart(source), type };
  if (type === otherType.name) return { ...read, ...realNamesOf(source) };
  return { ...read, ...targetPart(source, type, context), ...filled({ default: defaultItems(source, type, context) }) };
};

/** What the rows say of a field. A key that does not fit another one, or that nobody keeps, is left out. */
const rowsOf = (
  { where, entityType, instance, storage, ...source }: FieldSource,
  name: string,
  context: ImportContext,
) => {
  const { reporter, schemes } = context;
  const type = fieldTypeOf({ type: name });
  const lost = (why: string): void => reporter.partly(where, why);
  const rows = { ...fieldRows, ...settingRowsOf(type) };
  const {
    min,
    max,
    precision,
    scale,
    allowed_values: choices,
    ...read
  } = readRows(rows, { field: instance, storage }, { type, schemes, lost });
  const isUpsideDown = min !== undefined && max !== undefined && min > max;
  if (isUpsideDown) lost('its min is above its max, so it has neither');
  const isOfDigits = precision !== undefined && scale !== undefined && scale >= 0 && precision >= Math.max(scale, 1);
  const isMade = choices !== undefined && filledTextOf(source.storageSettings['allowed_values_function']) !== undefined;
  if (isMade) lost('a function makes the allowed values, here any is allowed');
  if (
    isFileType(type) &&
    entityType !== 'media' &&
    sizeBytes(textOf(source.settings['max_filesize']) ?? '') !== undefined
  )
    lost('max_filesize holds for the source of a media type only');
  return {
    ...read,
    ...(isUpsideDown ? {} : given({ min, max })),
    ...(isOfDigits ? { precision, scale } : {}),
    ...(isMade ? {} : given({ allowed_values: choices })),
  };
};

const translatablePart = ({ instance, storage }: FieldSource): Pick<SiteField, 'translatable'> =>
  booleanOf(instance['translatable']) === true && booleanOf(storage['translatable']) !== false
    ? { translatable: true }
    : {};

/** A target that has no records here is only named. */
const targetPart = (source: FieldSource, type: string, context: ImportContext): Partial<SiteField> => {
  if (!isReference(type)) return {};
  const target = knownTargetOf(source);
  return target === undefined
    ? { storage_settings: { target_type: targetTypeOf(source) } }
    : { target, ...targetBundles(source, target, context) };
};

/** What the real site calls the type, and the module that has it. */
const realNamesOf = ({ type, storage }: FieldSource): Pick<SiteField, 'real_type' | 'module'> => {
  const [realType, module] = [type, storage['module']].map((text) => /^[a-z][a-z0-9_]*$/.exec(textOf(text) ?? '')?.[0]);
  return given({ real_type: realType, module });
};

/** Whether it leads to what the configuration names. */
const isReference = (type: string): boolean => {
  const known = fieldTypeOf({ type });
  return known.refers !== undefined && !isFileType(known);
};

/** Whether what it leads to need have no records here. */
const keepsAnyTarget = (type: string): boolean => fieldTypeOf({ type }).refers === 'with-revision';

/** The type here; that of a fallback field for an unknown one. */
const typeOf = (source: FieldSource, { reporter }: ImportContext): string => {
  const type = siteTypeOf(source.type);
  if (type !== undefined && (!isReference(type) || knownTargetOf(source) !== undefined || keepsAnyTarget(type)))
    return type;
  const target = type === undefined ? '' : ` to ${targetTypeOf(source)}`;
  reporter.notJudged(source.where, `a field of type ${source.type}${target}: its values are kept as sent`);
  return otherType.name;
};

const targetTypeOf = ({ storageSettings, settings }: FieldSource): string =>
  filledTextOf(storageSettings['target_type']) ??
  // The handler names the type too: `default:taxonomy_term`.
  filledTextOf(settings['handler'])?.split(':')[1] ??
  'nothing';

/** Undefined for records that it cannot lead to here. */
const knownTargetOf = (source: FieldSource): ReferredType | undefined => {
  const target = referredTypes.find((type) => type === targetTypeOf(source));
  const isOfRelation = fieldTypeOf(source).refers === 'with-role';
  return isOfRelation && target !== 'taxonomy_term' && target !== 'node' ? undefined : target;
};

/** `target_bundles`: nothing and null allow any, an empty map allows none. Names of missing bundles are left out. */
const targetBundles = (
  { where, settings }: FieldSource,
  target: ReferredType,
  { bundlesOf, reporter, configuration }: ImportContext,
): Pick<SiteField, 'bundles'> => {
  const handler = filledTextOf(settings['handler']) ?? 'default';
  const { target_bundles: written } = dataOf(settings['handler_settings']);
  if (!handler.startsWith('default') && handler !== 'unpublished') {
    reporter.partly(where, `the handler ${handler.replace(/:.*/s, '')} chooses targets, here any ${target} is allowed`);
  }
  if (written === undefined || written === null) return {};
  const known = bundlesOf(target);
  const named = namesOf(written);
  const missing = named.filter((name) => !known.includes(name));
  for (const name of missing) reporter.remark(where, `target_bundles names ${target} ${name}, which does not exist`);
  if (target === 'user' || target === 'file') return {};
  // The bundles of a module's folder are often in another module's.
  if (!configuration.isWhole && named.length > 0 && missing.length === named.length) {
    reporter.partly(
      where,
      `none of its target bundles exists, so any ${target} is allowed; add the folder of their module with --also`,
    );
    return {};
  }
  return { bundles: named.filter((name) => known.includes(name)) };
};
