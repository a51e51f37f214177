/** Numbers: whole ones, decimals of fixed digits, and others. */
import { type FieldDefinition } from '../../model/bundle.ts';
import { type Draw, type FieldType, type FormPart, shapes, type Trials } from '../field-type.ts';
import type { ItemRule } from '../rule.ts';
import { literalOf } from '../graph-values.ts';
import { float as isFloat, integer as isWhole, text } from '../rules.ts';
import {
  isMissing,
  isMissingOrEmptyText,
  isNumeric,
  isScalar,
  numberIfDigits,
  numberIfNumeric,
  scalarText,
  wrongPrimitive,
} from '../values.ts';
import { anyText, structured } from './string.ts';
import type { FieldItem } from '../../../openapi/openapi-records.ts';

/** A bound of a number, and what the real site says beyond it. A value that is not a number breaks each bound. */
const bound =
  (fault: (value: number, field: FieldDefinition) => string | undefined): ItemRule =>
  ({ value }, field) => {
    if (isMissing(value)) return [];
    const message = isNumeric(value) ? fault(Number(value), field) : 'This value should be a valid number.';
    return message === undefined ? [] : [{ property: 'value', message }];
  };

/** A bound counts only where the field has it. */
const where =
  (has: (field: FieldDefinition) => boolean, rule: ItemRule): ItemRule =>
  (item, field, ...others) =>
    has(field) ? rule(item, field, ...others) : [];

const tooSmall = (label: string, min: number): string => `${label}: the value may be no less than ${min}.`;
const tooLarge = (label: string, max: number): string => `${label}: the value may be no greater than ${max}.`;

const smallest = where(
  ({ min }) => min !== undefined,
  bound((value, { label, min = -Infinity }) => (value < min ? tooSmall(label, min) : undefined)),
);
const largest = where(
  ({ max }) => max !== undefined,
  bound((value, { label, max = Infinity }) => (value > max ? tooLarge(label, max) : undefined)),
);
const notNegative = where(
  ({ unsigned }) => unsigned === true,
  bound((value, { label }) => (value < 0 ? `${label}: The integer must be larger or equal to 0.` : undefined)),
);

/** Whether the real site takes the text for a decimal. */
const isDecimal = (value: string): boolean => /^[+-]?(\d+(\.\d*)?|\.\d+)\n?$/.test(value);

/** A power of ten or `.5` is a number, but only the second is a decimal. */
const decimalText: ItemRule = ({ value }) =>
  isScalar(value) && !isDecimal(scalarText(value))
    ? [{ property: 'value', message: isNumeric(value ?? null) ? 'This value is not valid.' : wrongPrimitive }]
    : [];

/** The width of the database column, which a real site with MySQL answers with 500. */
const decimalDigits: ItemRule = ({ value }, { label, precision = 10, scale = 2 }) => {
  const most = Number(`${'9'.repeat(precision - scale) || '0'}.${'9'.repeat(scale)}`);
  const number = isScalar(value) && isDecimal(scalarText(value)) ? Number(scalarText(value)) : 0;
  if (Math.abs(number) <= most) return [];
  return [{ property: 'value', message: number < 0 ? tooSmall(label, -most) : tooLarge(label, most) }];
};

/** PHP has no negative zero after rounding. */
const roundedText = (value: number, scale: number): string => {
  const rounded = value.toFixed(scale);
  return Number(rounded) === 0 ? (0).toFixed(scale) : rounded;
};

export const becomesNumber: NonNullable<FieldType['reasonOfChange']> = ({ sent, stored }) =>
  typeof sent !== 'number' && typeof stored === 'number' ? 'The value is stored as a number.' : undefined;

/** A number inside the bounds of the field, as far as 0 to 1,000 lies inside them. */
const numberIn = ({ min, max, unsigned }: FieldDefinition, draw: Draw): number => {
  const least = Math.max(min ?? 0, unsigned === true ? 0 : -Infinity);
  const most = Math.max(Math.min(max ?? least + 1000, least + 1000), least);
  return Math.ceil(least) + draw.below(Math.floor(most) - Math.ceil(least) + 1);
};

/** As much as the digits of a decimal before its point hold. */
const decimalIn = (field: FieldDefinition, draw: Draw): string => {
  const { precision = 10, scale = 2, min, max } = field;
  const widest = 10 ** Math.max(precision - scale, 0) - 1;
  const bounds = { ...field, min: Math.max(min ?? 0, -widest), max: Math.min(max ?? widest, widest) };
  return numberIn(bounds, draw).toFixed(scale);
};

/** The bounds, where there are some, and a number as a text of digits. */
const numbersOf = ({ min, max, unsigned }: FieldDefinition): readonly FieldItem[] => [
  { value: min ?? (unsigned === true ? 0 : -12) },
  { value: max ?? 2_000_000_000 },
  { value: String(max ?? 12) },
];

const beyond = ({ min, max, unsigned }: FieldDefinition): readonly FieldItem[] => [
  ...(min === undefined ? [] : [{ value: min - 1 }]),
  ...(max === undefined ? [] : [{ value: max + 1 }]),
  ...(unsigned === true && min === undefined ? [{ value: -1 }] : []),
];

export const integer = {
  ...anyText,
  name: 'integer',
  // PHP takes these for no number at all.
  isEmpty: ({ value }) => isMissingOrEmptyText(value) || value === false,
  store: ({ value }) => ({ value: numberIfDigits(value) }),
  item: [smallest, largest, notNegative],
  rules: { value: [isWhole] },
  reasonOfChange: becomesNumber,
  jsonld: literalOf('int'),
  sample: (field, draw): FieldItem => ({ value: numberIn(field, draw) }),
  form: (): readonly FormPart[] => [{ property: 'value', label: 'Number', as: 'number', choicesIn: 'allowedValues' }],
  trials: (field): Trials => ({
    taken: numbersOf(field),
    refused: [{ value: 'ten' }, { value: 1.5 }, structured, ...beyond(field)],
  }),
  schema: shapes('IntegerItem'),
  widget: 'number',
  keys: ['min', 'max', 'unsigned'],
  settings: () => ({ prefix: '', suffix: '' }),
  storageSettings: () => ({ size: 'normal' }),
} satisfies FieldType;

/** A decimal is kept as text, with the digits after the point that the field has. */
export const decimal: FieldType = {
  ...integer,
  name: 'decimal',
  read: ({ kept }, { scale = 2 }) => {
    const { value } = kept;
    const isRounded = isScalar(value) && isDecimal(scalarText(value)) && Math.abs(Number(scalarText(value))) < 1e21;
    return isRounded ? { value: roundedText(Number(scalarText(value)), scale) } : kept;
  },
  store: ({ value }) => ({ value: value ?? null }),
  item: [smallest, largest, decimalText, decimalDigits],
  rules: { value: [text] },
  reasonOfChange: ({ stored }) =>
    typeof stored === 'string'
      ? 'A decimal is stored as text, with the digits after the point that the field has.'
      : undefined,
  jsonld: literalOf('decimal'),
  sample: (field, draw) => ({ value: decimalIn(field, draw) }),
  form: anyText.form,
  trials: (field) => ({ refused: [{ value: 'ten' }, ...beyond(field)] }),
  schema: shapes('DecimalItem', 'DecimalInput'),
  keys: ['min', 'max', 'precision', 'scale'],
  storageSettings: () => ({}),
};

export const float: FieldType = {
  ...integer,
  name: 'float',
  store: ({ value }) => ({ value: value === true ? 1 : numberIfNumeric(value) }),
  item: [smallest, largest],
  rules: { value: [isFloat] },
  jsonld: literalOf('float'),
  trials: (field) => ({ refused: [{ value: 'ten' }, ...beyond(field)] }),
  schema: shapes('FloatItem'),
  keys: ['min', 'max'],
  storageSettings: () => ({}),
};
