/** Defines the settings that only some field types have, and what only the reads of the content model show: schemas, what becomes of them, what is wrong. */
import * as v from 'valibot';
import { isChoice, isOfIntegers } from '../content-model/field-rows.ts';
import { fieldTypeOf, fieldTypes } from '../fields/field-types.ts';
import type { Bundle, FieldDefinition } from '../model/bundle.ts';
import { jsonObject, machineName, positive } from '../site/schema-words.ts';

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
  // What only the reads of the content model show: what the real site's configuration says besides what this program does.
  settings: v.optional(jsonObject),
  storage_settings: v.optional(jsonObject),
  // Fields of the type `other`: what the real site calls the type, and the module that has it.
  real_type: v.optional(machineName),
  module: v.optional(machineName),
};

/** What only the reads of the content model show of a content type, a media type or a vocabulary. */
export const shownBundleKeys = {
  description: v.optional(v.string()),
  help: v.optional(v.string()),
  form_modes: v.optional(v.array(machineName), ['default']),
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

/** The relations of a field: a list, or a map of what people are shown for each. */
type Relations = readonly string[] | Readonly<Record<string, string>> | undefined;

const isList = (relations: Relations): relations is readonly string[] => Array.isArray(relations);

export const relationNames = (relations: Relations): readonly string[] | undefined =>
  relations === undefined || isList(relations) ? relations : Object.keys(relations);

/** What only the reads of the content model show; undefined when there is nothing. */
export const shownOfField = (input: FieldSettings & { readonly relations?: Relations }): FieldDefinition['shown'] => {
  const { settings, storage_settings: storageSettings, real_type: type, module, relations } = input;
  const relationLabels = isList(relations) ? undefined : relations;
  const shown = { settings, storageSettings, type, module, relationLabels };
  return Object.values(shown).some((value) => value !== undefined) ? shown : undefined;
};

type ShownKeys = v.InferOutput<v.ObjectSchema<typeof shownBundleKeys, undefined>>;

export const shownOfBundle = (
  input: Partial<ShownKeys> & { readonly weight?: number; readonly new_revision?: boolean },
): Bundle['shown'] => {
  const { description = '', help, form_modes: formModes = ['default'], weight = 0, new_revision: newRevision } = input;
  return { description, help, formModes, weight, newRevision: newRevision === true };
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

const choiceViolations = (where: string, field: FieldSettings): string[] => {
  const { allowed_values: choices = {} } = field;
  const type = fieldTypeOf(field);
  const remedy = isOfIntegers(type) ? 'is not a whole number' : 'must have 1 to 255 characters';
  return Object.keys(choices)
    .filter((key) => !isChoice(type, key))
    .map((key) => `${where}.allowed_values: "${key.slice(0, 50)}" ${remedy}. Correct it.`);
};

const rangeViolations = (where: string, field: FieldSettings): string[] => {
  const { min, max, precision, scale } = field;
  const fraction = isOfIntegers(fieldTypeOf(field)) ? [['min', min] as const, ['max', max] as const] : [];
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
