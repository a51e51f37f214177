/** Makes the fields of a site from those of the configuration. */
import { fieldTypeOf, isFileType } from '../../../core/fields/field-types.ts';
import { other } from '../../../core/fields/types/other.ts';
import { referredTypes } from '../../../core/model/entity.ts';
import type { BaseFields } from '../../../core/site/base-definitions.ts';
import { reservedNames } from '../../../basics/yaml/read-yaml.ts';
import type { Reporter } from '../report.ts';
import { defaultItems } from './field-defaults.ts';
import { settingsOf } from './field-settings.ts';
import { type FieldContext, fieldedTypes, type FieldSource } from './field-sources.ts';
import { booleanOf, dataOf, filledTextOf, namesOf, textOf, wholeOf } from '../lenient-values.ts';
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
export const fieldsOf = (sources: readonly FieldSource[], context: FieldContext): Record<string, SiteField> =>
  Object.fromEntries(
    sources.map((source) => {
      context.reporter.taken('fields');
      return [source.name, fieldOf(source, context)] as const;
    }),
  );

const fieldOf = (source: FieldSource, context: FieldContext): SiteField => {
  const type = typeOf(source, context);
  const shared = sharedOf(source);
  if (type === other.name) return { ...shared, type, ...realNamesOf(source) };
  const items = defaultItems(source, type, context);
  return {
    ...shared,
    type,
    ...settingsOf(source, type, context),
    ...targetPart(source, type, context),
    ...(items.length === 0 ? {} : { default: items }),
  };
};

/** A target that has no records here is only named. */
const targetPart = (source: FieldSource, type: string, context: FieldContext): Partial<SiteField> => {
  if (!isReference(type)) return {};
  return isKnownTarget(source)
    ? targetOf(source, context)
    : { storage_settings: { target_type: targetTypeOf(source) } };
};

/** What the real site calls the type, and the module that has it. */
const realNamesOf = ({ type, storage }: FieldSource): Pick<SiteField, 'real_type' | 'module'> => {
  const isName = (text: string): boolean => /^[a-z][a-z0-9_]*$/.test(text);
  const module = filledTextOf(storage['module']);
  return {
    ...(isName(type) ? { real_type: type } : {}),
    ...(module !== undefined && isName(module) ? { module } : {}),
  };
};

/** Whether it leads to what the configuration names. */
const isReference = (type: string): boolean => {
  const known = fieldTypeOf({ type });
  return known.refers !== undefined && !isFileType(known);
};

/** Whether what it leads to need have no records here. */
const keepsAnyTarget = (type: string): boolean => fieldTypeOf({ type }).refers === 'with-revision';

/** The type here; that of a fallback field for an unknown one. */
const typeOf = (source: FieldSource, { reporter }: FieldContext): string => {
  const type = siteTypeOf(source.type);
  if (type !== undefined && (!isReference(type) || isKnownTarget(source) || keepsAnyTarget(type))) return type;
  const target = type === undefined ? '' : ` to ${targetTypeOf(source)}`;
  reporter.notJudged(source.where, `a field of type ${source.type}${target}: its values are kept as sent`);
  return other.name;
};

const sharedOf = ({ name, instance, storage, entityType }: FieldSource): Omit<SiteField, 'type'> => {
  const cardinality = wholeOf(storage['cardinality']) ?? 1;
  const description = filledTextOf(instance['description']);
  const isTranslatable = booleanOf(instance['translatable']) ?? false;
  const access = textOf(dataOf(dataOf(storage['third_party_settings'])['field_permissions'])['permission_type']);
  return {
    label: filledTextOf(instance['label']) ?? name,
    cardinality: cardinality < 1 ? 'unlimited' : cardinality,
    ...(booleanOf(instance['required']) === true ? { required: true } : {}),
    ...(isTranslatable && booleanOf(storage['translatable']) !== false && entityType !== ''
      ? { translatable: true }
      : {}),
    ...(description === undefined ? {} : { description }),
    ...(access === 'private' || access === 'custom' ? { access } : {}),
  };
};

const targetTypeOf = ({ storageSettings, settings }: FieldSource): string =>
  filledTextOf(storageSettings['target_type']) ??
  // The handler names the type too: `default:taxonomy_term`.
  filledTextOf(settings['handler'])?.split(':')[1] ??
  'nothing';

const isKnownTarget = (source: FieldSource): boolean =>
  (referredTypes as readonly string[]).includes(targetTypeOf(source)) &&
  (fieldTypeOf(source).refers !== 'with-role' || relationTargets.includes(targetTypeOf(source)));

/** What typed relations of the program lead to. */
const relationTargets: readonly string[] = ['taxonomy_term', 'node'];

/** `target_bundles`: nothing and null allow any, an empty map allows none. Names of missing bundles are left out. */
const targetOf = (
  source: FieldSource,
  { bundlesOf, reporter, isWhole }: FieldContext,
): Pick<SiteField, 'target' | 'bundles'> => {
  const target = targetTypeOf(source);
  const { where, settings } = source;
  const handler = filledTextOf(settings['handler']) ?? 'default';
  const { target_bundles: written } = dataOf(settings['handler_settings']);
  if (!handler.startsWith('default') && handler !== 'unpublished') {
    reporter.partly(where, `the handler ${handler.replace(/:.*/s, '')} chooses targets, here any ${target} is allowed`);
  }
  if (written === undefined || written === null) return { target };
  const known = bundlesOf(target);
  const named = namesOf(written);
  const missing = named.filter((name) => !known.includes(name));
  for (const name of missing) reporter.remark(where, `target_bundles names ${target} ${name}, which does not exist`);
  if (target === 'user' || target === 'file') return { target };
  // The bundles of a module's folder are often in another module's.
  if (!isWhole && named.length > 0 && missing.length === named.length) {
    reporter.partly(
      where,
      `none of its target bundles exists, so any ${target} is allowed; add the folder of their module with --also`,
    );
    return { target };
  }
  return { target, bundles: named.filter((name) => known.includes(name)) };
};
