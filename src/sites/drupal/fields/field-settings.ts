/** Reads the settings of a field, as far as its type has them. */
import type { FieldType } from '../../../core/fields/field-type.ts';
import { fieldTypeOf } from '../../../core/fields/field-types.ts';
import { integer } from '../../../core/fields/rules.ts';
import type { FieldContext, FieldSource } from './field-sources.ts';
import { booleanOf, filledTextOf, labelsOf, numberOf, textsOf, textOf, wholeOf, type Data } from '../lenient-values.ts';
import { sizeBytes } from '../php-words.ts';
import type { SiteField } from '../site-format.ts';

type Settings = Partial<SiteField>;

/** How the keys of a field in a site's file are read. Those that depend on each other are read together. */
const readers: readonly (readonly [
  readonly string[],
  (source: FieldSource, type: FieldType, context: FieldContext) => Settings,
])[] = [
  [['max_length'], (source) => lengthOf(source)],
  [['formats'], (source) => formatsOf(source)],
  [['min', 'max'], (source, type, context) => boundsOf(source, type, context)],
  [['unsigned'], ({ storageSettings }) => (booleanOf(storageSettings['unsigned']) === true ? { unsigned: true } : {})],
  [['precision', 'scale'], ({ storageSettings }) => digitsOf(storageSettings)],
  [['allowed_values'], (source, type, context) => choicesOf(source, type, context)],
  [
    ['date_only'],
    ({ storageSettings }) => (textOf(storageSettings['datetime_type']) === 'date' ? { date_only: true } : {}),
  ],
  [['link', 'link_title'], (source, type) => linkOf(source, type)],
  [['sources'], ({ settings }) => ({ sources: labelsOf(settings['authority_sources']) })],
  [['relations'], (source) => relationsOf(source)],
  [['extensions', 'scheme'], (source, _type, context) => filesOf(source, context)],
  [
    ['alt_required'],
    ({ settings }) => (booleanOf(settings['alt_field_required']) === true ? { alt_required: true } : {}),
  ],
];

/** The settings of a field besides those that every type has, and its target. */
export const settingsOf = (source: FieldSource, type: string, context: FieldContext): Settings => {
  const known = fieldTypeOf({ type });
  const read = readers.filter(([names]) => names.some((key) => known.keys?.includes(key)));
  return Object.assign({}, ...read.map(([, of]) => of(source, known, context))) as Settings; // of spread settings
};

const lengthOf = ({ storageSettings }: FieldSource): Settings => {
  const length = wholeOf(storageSettings['max_length']);
  return length === undefined || length < 1 ? {} : { max_length: length };
};

const formatsOf = ({ settings }: FieldSource): Settings => {
  const formats = textsOf(settings['allowed_formats']).filter((name) => name !== '0' && name !== '');
  return formats.length === 0 ? {} : { formats };
};

/** A bound that the type cannot have, or that no number can keep, is none. */
const boundsOf = ({ settings, where }: FieldSource, type: FieldType, { reporter }: FieldContext): Settings => {
  const isWhole = type.keys?.includes('unsigned') === true;
  const [min, max] = ['min', 'max'].map((name) => (isWhole ? wholeOf : numberOf)(settings[name]));
  if (min !== undefined && max !== undefined && min > max) {
    reporter.partly(where, 'its min is above its max, so it has neither');
    return {};
  }
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
};

const digitsOf = (storageSettings: Data): Settings => {
  const [precision = 10, scale = 2] = [wholeOf(storageSettings['precision']), wholeOf(storageSettings['scale'])];
  return scale < 0 || precision < 1 || scale > precision ? {} : { precision, scale };
};

/** The values of a list. One that the type cannot have is none. */
const choicesOf = (
  { storageSettings, where }: FieldSource,
  { rules }: FieldType,
  { reporter }: FieldContext,
): Settings => {
  const written = Object.entries(labelsOf(storageSettings['allowed_values']));
  const isOfNumbers = rules?.['value']?.includes(integer) === true;
  const isFit = (key: string): boolean =>
    isOfNumbers ? /^-?(0|[1-9]\d{0,14})$/.test(key) : key !== '' && Array.from(key).length <= 255;
  if (written.some(([key]) => !isFit(key)))
    reporter.partly(where, 'an allowed value is none that the field type takes');
  if (filledTextOf(storageSettings['allowed_values_function']) !== undefined) {
    reporter.partly(where, 'a function makes the allowed values, here any is allowed');
    return {};
  }
  return { allowed_values: Object.fromEntries(written.filter(([key]) => isFit(key))) };
};

const linkTypes: Readonly<Record<number, SiteField['link']>> = { 1: 'internal', 16: 'external', 17: 'both' };
const linkTitles = ['disabled', 'optional', 'required'] as const;

const linkOf = ({ settings }: FieldSource, { keys }: FieldType): Settings => {
  // The own default of authority links is external addresses.
  const usual = keys?.includes('sources') === true ? 16 : 17;
  const link = linkTypes[wholeOf(settings['link_type']) ?? usual];
  const title = linkTitles[wholeOf(settings['title']) ?? 1];
  return {
    ...(link === undefined || link === 'both' ? {} : { link }),
    ...(title === undefined || title === 'optional' ? {} : { link_title: title }),
  };
};

/** `rel_types` is a map of labels, or a list. Without any, every relation is allowed. */
const relationsOf = ({ settings }: FieldSource): Settings => {
  const labelled = Object.entries(labelsOf(settings['rel_types']))
    .map(withLabel)
    .filter(([name]) => name !== '');
  if (labelled.length === 0) return {};
  const isPlain = labelled.every(([name, label]) => name === label);
  return { relations: isPlain ? labelled.map(([name]) => name) : Object.fromEntries(labelled) };
};

/** A bare element of a list may have its label behind the key, as the form has it: `relators:aut|Author`. */
const withLabel = ([name, label]: readonly [string, string]): readonly [string, string] => {
  const [, key, text] = (name === label ? /^([^|]*)\|(.*)$/s.exec(name) : null) ?? [];
  return key === undefined || text === undefined ? [name, label] : [key.trim(), text.trim()];
};

const filesOf = (source: FieldSource, { schemes, reporter }: FieldContext): Settings => {
  const { settings, storageSettings, where } = source;
  const scheme = filledTextOf(storageSettings['uri_scheme']);
  const limit = sizeBytes(textOf(settings['max_filesize']) ?? '');
  const written = extensionsIn(filledTextOf(settings['file_extensions']) ?? '');
  const extensions = written.filter((extension) => /^[a-z0-9]+$/.test(extension));
  for (const extension of written.filter((each) => !extensions.includes(each))) {
    reporter.partly(where, `the file extension "${extension.slice(0, 20)}" is left out`);
  }
  if (limit !== undefined && source.entityType !== 'media') {
    reporter.partly(where, 'max_filesize holds for the source of a media type only');
  }
  return {
    ...(extensions.length === 0 ? {} : { extensions }),
    ...(scheme !== undefined && schemes.has(scheme) ? { scheme } : {}),
  };
};

/** Extensions stand in one text, with blanks or commas, sometimes in upper case or with dots. */
const extensionsIn = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .map((extension) => extension.replace(/^\./, ''))
      .filter((extension) => extension !== ''),
  ),
];
