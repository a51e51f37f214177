/**
 * Lists what a site's file and the configuration of a real site both say of a field: `field` is its configuration in a bundle,
 * `storage` that which all bundles share.
 */
import {
  barredLabelsOf,
  filledTextOf,
  labelsOf,
  numberOf,
  textOf,
  textsOf,
  wholeOf,
  wordsOf,
  yesOf,
} from '../../basics/exported/lenient-values.ts';
import type { FieldType } from '../fields/field-type.ts';
import { integer } from '../fields/rules.ts';
import type { FieldDefinition } from '../model/bundle.ts';
import type { Rows } from '../../basics/exported/rows.ts';

/** The field whose value is read. `lost` says what its file cannot have. */
type Reading = {
  readonly type: FieldType;
  readonly schemes: ReadonlySet<string>;
  readonly lost: (why: string) => void;
};

/** What every field has. */
export const fieldRows = {
  label: ['field.label', filledTextOf, ({ label }) => label],
  cardinality: [
    'storage.cardinality',
    (value) => ((wholeOf(value) ?? 1) < 1 ? 'unlimited' : (wholeOf(value) ?? 1)),
    ({ cardinality }) => (Number.isFinite(cardinality) ? cardinality : -1),
  ],
  required: ['field.required', yesOf, ({ required }) => required],
  description: ['field.description', filledTextOf, ({ description }) => description ?? ''],
  access: [
    'storage.third_party_settings.field_permissions.permission_type',
    (value) => (['private', 'custom'] as const).find((each) => each === textOf(value)),
  ],
} satisfies Rows<Reading, FieldDefinition>;

/** Whether the values of a field are whole numbers. */
export const isOfIntegers = ({ rules }: FieldType): boolean => rules?.['value']?.includes(integer) === true;

/** Whether a list of this type can have the value. */
export const isChoice = (type: FieldType, key: string): boolean =>
  isOfIntegers(type) ? /^-?(0|[1-9]\d{0,14})$/.test(key) : key !== '' && Array.from(key).length <= 255;

const choices = (value: unknown, { type, lost }: Reading): Record<string, string> | undefined => {
  const written = Object.entries(labelsOf(value));
  const fit = written.filter(([key]) => isChoice(type, key));
  if (fit.length < written.length) lost('an allowed value is none that the field type takes');
  return Object.fromEntries(fit);
};

/** No number can keep a bound that its type cannot have. */
const bound = (value: unknown, { type }: Reading): number | undefined =>
  (type.keys?.includes('unsigned') === true ? wholeOf : numberOf)(value);

// Not every type has one.
const digits =
  (usual: number) =>
  (value: unknown): number | undefined =>
    wholeOf(value) ?? usual;
const labels = (value: unknown): Readonly<Record<string, string>> | undefined => labelsOf(value);

/** The words for the numbers of a configuration. Any other number means what is usual, which no file says. */
const linkTypes: Readonly<Record<number, 'internal' | 'external'>> = { 1: 'internal', 16: 'external' };
const linkTitles: Readonly<Record<number, 'disabled' | 'required'>> = { 0: 'disabled', 2: 'required' };

const numberOfWord = (words: Readonly<Record<number, string>>, word: string | undefined, usual: number): number =>
  Number(Object.entries(words).find(([, each]) => each === word)?.[0] ?? usual);

const relations = (value: unknown): string[] | Record<string, string> | undefined => {
  const named = barredLabelsOf(value).filter(([name]) => name !== '');
  if (named.length === 0) return undefined;
  return named.every(([name, label]) => name === label) ? named.map(([name]) => name) : Object.fromEntries(named);
};

const extensions = (value: unknown, { lost }: Reading): string[] | undefined => {
  const isFit = (word: string): boolean => /^[a-z0-9]+$/.test(word);
  for (const word of wordsOf(value)) if (!isFit(word)) lost(`the file extension "${word.slice(0, 20)}" is left out`);
  return filledList(wordsOf(value).filter(isFit));
};

const filledList = (names: string[]): string[] | undefined => (names.length === 0 ? undefined : names);

/** What a field has whose type has the key. */
export const settingRows = {
  max_length: [
    'storage.settings.max_length',
    (value) => ((wholeOf(value) ?? 0) < 1 ? undefined : wholeOf(value)),
    ({ maxLength }) => maxLength,
  ],
  formats: [
    'field.settings.allowed_formats',
    (value) => filledList(textsOf(value).filter((name) => name !== '0' && name !== '')),
    ({ forms }) => forms?.formats ?? [],
  ],
  min: ['field.settings.min', bound, ({ min }) => min ?? null],
  max: ['field.settings.max', bound, ({ max }) => max ?? null],
  unsigned: ['storage.settings.unsigned', yesOf, ({ unsigned }) => unsigned === true],
  precision: ['storage.settings.precision', digits(10), ({ precision }) => precision],
  scale: ['storage.settings.scale', digits(2), ({ scale }) => scale],
  allowed_values: ['storage.settings.allowed_values', choices, ({ allowedValues }) => allowedValues ?? {}],
  date_only: [
    'storage.settings.datetime_type',
    (value) => textOf(value) === 'date' || undefined,
    ({ dateOnly }) => (dateOnly === true ? 'date' : 'datetime'),
  ],
  // The own default of authority links is external addresses.
  link: [
    'field.settings.link_type',
    (value, { type }) => linkTypes[wholeOf(value) ?? (type.keys?.includes('sources') === true ? 16 : 17)],
    ({ link }) => numberOfWord(linkTypes, link, 17),
  ],
  link_title: [
    'field.settings.title',
    (value) => linkTitles[wholeOf(value) ?? 1],
    ({ forms }) => numberOfWord(linkTitles, forms?.linkTitle, 1),
  ],
  sources: ['field.settings.authority_sources', labels, ({ forms }) => forms?.sources ?? {}],
  relations: [
    'field.settings.rel_types',
    relations,
    ({ relations: names = [], shown }) =>
      Object.fromEntries(names.map((name) => [name, shown?.relationLabels?.[name] ?? name])),
  ],
  extensions: ['field.settings.file_extensions', extensions, (field) => (field.extensions ?? []).join(' ')],
  scheme: [
    'storage.settings.uri_scheme',
    (value, { schemes }) => (schemes.has(textOf(value) ?? '') ? textOf(value) : undefined),
    ({ scheme }) => scheme ?? 'public',
  ],
  alt_required: ['field.settings.alt_field_required', yesOf, ({ forms }) => forms?.altRequired === true],
} satisfies Rows<Reading, FieldDefinition>;

/** Those that a type has. */
export const settingRowsOf = ({ keys = [] }: FieldType): typeof settingRows =>
  Object.fromEntries(Object.entries(settingRows).filter(([key]) => keys.includes(key))) as typeof settingRows; // fewer of them
