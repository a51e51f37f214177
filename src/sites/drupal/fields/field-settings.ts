/** Reads the settings of each field type. */
import type { FieldContext, FieldSource } from './field-sources.ts';
import { booleanOf, filledTextOf, labelsOf, numberOf, textsOf, textOf, wholeOf, type Data } from '../lenient-values.ts';
import { sizeBytes } from '../php-words.ts';
import type { SiteField } from '../site-format.ts';

type Settings = Partial<SiteField>;

/** The settings of a field besides those that every type has, and its target. */
export const settingsOf = (source: FieldSource, type: string, context: FieldContext): Settings => {
  switch (type) {
    case 'string':
    case 'text':
    case 'edtf':
    case 'email':
      return { ...lengthOf(source), ...(type === 'text' ? formatsOf(source) : {}) };
    case 'text_long':
    case 'text_with_summary':
      return formatsOf(source);
    case 'integer':
    case 'decimal':
    case 'float':
      return numbersOf(source, type, context);
    case 'list_string':
    case 'list_integer':
      return choicesOf(source, type, context);
    case 'datetime':
      return textOf(source.storageSettings['datetime_type']) === 'date' ? { date_only: true } : {};
    case 'link':
      return linkOf(source, 17);
    case 'authority_link':
      // The module's own default is external addresses.
      return { ...linkOf(source, 16), sources: labelsOf(source.settings['authority_sources']) };
    case 'typed_relation':
      return relationsOf(source);
    case 'file':
    case 'image':
    case 'media_track':
      return filesOf(source, context);
    default:
      return {};
  }
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
const numbersOf = (
  { settings, storageSettings, where }: FieldSource,
  type: string,
  { reporter }: FieldContext,
): Settings => {
  const bound = (name: 'min' | 'max') => (type === 'integer' ? wholeOf(settings[name]) : numberOf(settings[name]));
  const [min, max] = [bound('min'), bound('max')];
  const isUnsigned = type === 'integer' && booleanOf(storageSettings['unsigned']) === true;
  const digits = type === 'decimal' ? digitsOf(storageSettings) : {};
  if (min !== undefined && max !== undefined && min > max) {
    reporter.partly(where, 'its min is above its max, so it has neither');
    return { ...(isUnsigned ? { unsigned: true } : {}), ...digits };
  }
  return {
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(isUnsigned ? { unsigned: true } : {}),
    ...digits,
  };
};

const digitsOf = (storageSettings: Data): Settings => {
  const [precision = 10, scale = 2] = [wholeOf(storageSettings['precision']), wholeOf(storageSettings['scale'])];
  return scale < 0 || precision < 1 || scale > precision ? {} : { precision, scale };
};

/** The values of a list. One that the type cannot have is none. */
const choicesOf = ({ storageSettings, where }: FieldSource, type: string, { reporter }: FieldContext): Settings => {
  const written = Object.entries(labelsOf(storageSettings['allowed_values']));
  const isFit = (key: string): boolean =>
    type === 'list_integer' ? /^-?(0|[1-9]\d{0,14})$/.test(key) : key !== '' && Array.from(key).length <= 255;
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

const linkOf = ({ settings }: FieldSource, usual: number): Settings => {
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
  const { settings, storageSettings, where, type } = source;
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
    ...(type === 'image' && booleanOf(settings['alt_field_required']) === true ? { alt_required: true } : {}),
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
