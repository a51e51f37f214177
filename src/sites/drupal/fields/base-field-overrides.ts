/** Reads the overrides of base fields: label, required and default of a title, of `status`, of `promote`. */
import type { RepositoryType, FieldDefinition } from '../../../repository/repository.ts';
import { filled, given } from '../../../basics/json.ts';
import { areEqual } from '../../../basics/equal-values.ts';
import type { ImportContext } from '../import-context.ts';
import { itemOf } from './field-defaults.ts';
import { booleanOf, dataOf, filledTextOf, listOf, type Data } from '../../../basics/exported/lenient-values.ts';
import type { SiteBaseField, SiteBundle } from '../site-format.ts';

/** Fields whose default a new record takes. Owner, language and times have rules of their own. */
const withDefault = ['title', 'name', 'status', 'promote', 'sticky', 'revision_log', 'revision_log_message'];

/** What differs from the program's own base fields. */
export const overridesOf = (
  { configuration, reporter, baseFields }: ImportContext,
  type: RepositoryType,
  bundle: string,
): Pick<SiteBundle, 'base_fields'> => {
  const overrides = baseFields(type).flatMap((base) => {
    const where = `${type}.${bundle}.${base.name}`;
    const data = configuration.one('core.base_field_override', where);
    if (data === undefined) return [];
    const override = differences(data, base);
    if (hasOwnDefault(data, base.name)) {
      reporter.partly(`core.base_field_override.${where}`, 'the default of this base field has a rule of its own');
    }
    reporter.taken('base field overrides');
    return Object.keys(override).length === 0 ? [] : [[base.name, override] as const];
  });
  return filled({ base_fields: Object.fromEntries(overrides) });
};

const differences = (data: Data, { name, label, required, type, default: usual }: FieldDefinition): SiteBaseField => {
  const written = filledTextOf(data['label']);
  const isRequired = booleanOf(data['required']);
  const hasText = name === 'title' || name === 'name';
  const items = listOf(data['default_value'])
    .map((item) => itemOf(type, dataOf(item), () => undefined))
    .filter((item) => item !== undefined);
  const hasDefault = withDefault.includes(name) && items.length > 0 && !areEqual(items, usual);
  return given({
    label: written === label ? undefined : written,
    required: hasText && isRequired !== required ? isRequired : undefined,
    default: hasDefault ? items : undefined,
  });
};

const hasOwnDefault = (data: Data, name: string): boolean =>
  !withDefault.includes(name) &&
  filledTextOf(data['default_value_callback']) === undefined &&
  listOf(data['default_value']).some((item) => {
    const value = filledTextOf(Object.values(dataOf(item))[0]);
    // Language and owner of a new record are usually written out.
    return value !== undefined && value !== '0' && name !== 'langcode' && booleanOf(value) !== false;
  });
