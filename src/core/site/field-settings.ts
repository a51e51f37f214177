/** Defines the settings that only some field types have: their schemas, what they become, and what is wrong with them. */
import * as v from 'valibot';
import { fieldTypeOf, fieldTypes } from '../fields/field-types.ts';
import { integer } from '../fields/rules.ts';
import type { FieldDefinition } from '../model/bundle.ts';
import { machineName, positive } from './schema-words.ts';

const number = v.pipe(v.number(), v.finite('must be a number'));
const digits = v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(0, 'must be at least 0'));
const labels = v.record(v.string(), v.string());

/** The keys of a field in a site's file. */
export const fieldSettings = {
  description: v.optional(v.string()),
  allowed_values: v.optional(labels),
  min: v.optional(number),
  max: v.optional(number),
  unsigned: v.optional(v.boolean()),
  precision: v.optional(positive),
  scale: v.optional(digits),
  date_only: v.optional(v.boolean()),
  sources: v.optional(labels),
  link: v.optional(v.picklist(['internal', 'external', 'both'])),
  link_title: v.optional(v.picklist(['disabled', 'optional', 'required'])),
  alt_required: v.optional(v.boolean()),
  formats: v.optional(v.array(machineName)),
};

type FieldSettings = v.InferOutput<v.ObjectSchema<typeof fieldSettings, undefined>> & { readonly type: string };

/** A decimal of the real site has these digits unless it says otherwise. */
const decimalDigits = { precision: 10, scale: 2 };

/** The settings as a definition has them. */
export const settingsOfField = (input: FieldSettings): Partial<FieldDefinition> => {
  const { sources, link_title: linkTitle, alt_required: altRequired, formats } = input;
  const forms = { sources, linkTitle, altRequired, formats };
  return {
    description: input.description,
    allowedValues: input.allowed_values,
    min: input.min,
    max: input.max,
    unsigned: input.unsigned,
    ...(fieldTypeOf(input).keys?.includes('precision') === true
      ? { precision: input.precision ?? decimalDigits.precision, scale: input.scale ?? decimalDigits.scale }
      : {}),
    dateOnly: input.date_only,
    link: input.link,
    ...(Object.values(forms).some((rule) => rule !== undefined) ? { forms } : {}),
  };
};

/** The field types that have a key. */
const holdersOf = (key: string): readonly string[] =>
  fieldTypes.filter(({ keys = [] }) => keys.includes(key)).map(({ name }) => name);

/** What is wrong with the settings of a field. `where` names the file and the field. */
export const fieldSettingViolations = (where: string, field: FieldSettings): string[] => [
  ...Object.keys(fieldSettings).flatMap((key) => {
    const types = holdersOf(key);
    return types.length === 0 || !Object.hasOwn(field, key) || types.includes(field.type)
      ? []
      : [
          `${where}.${key}: a field of type ${field.type} has no such key. Remove it, or change the type to ${types.join(' or ')}.`,
        ];
  }),
  ...choiceViolations(where, field),
  ...rangeViolations(where, field),
];

/** Whether the values of a field are whole numbers. */
const isWhole = (field: FieldSettings): boolean => fieldTypeOf(field).rules?.['value']?.includes(integer) === true;

const choiceViolations = (where: string, field: FieldSettings): string[] => {
  const { allowed_values: choices = {} } = field;
  const [isWrong, remedy] = isWhole(field)
    ? [(key: string) => !/^-?(0|[1-9]\d{0,14})$/.test(key), 'is not a whole number']
    : [(key: string) => key === '' || Array.from(key).length > 255, 'must have 1 to 255 characters'];
  return Object.keys(choices)
    .filter(isWrong)
    .map((key) => `${where}.allowed_values: "${key.slice(0, 50)}" ${remedy}. Correct it.`);
};

const rangeViolations = (where: string, field: FieldSettings): string[] => {
  const { min, max, precision, scale } = field;
  const fraction = isWhole(field) ? [['min', min] as const, ['max', max] as const] : [];
  const whole = precision ?? decimalDigits.precision;
  return [
    ...fraction.flatMap(([key, value]) =>
      value === undefined || Number.isInteger(value) ? [] : [`${where}.${key}: must be a whole number. Correct it.`],
    ),
    ...(min !== undefined && max !== undefined && min > max
      ? [`${where}.min: is above max. Correct one of them.`]
      : []),
    ...(scale !== undefined && scale > whole
      ? [`${where}.scale: is above precision (${whole}). Correct one of them.`]
      : []),
  ];
};
