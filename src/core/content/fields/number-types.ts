/** Defines the field types of decimals, floats and lists of values to choose from, and the rules of numbers, in the order of the real site. */
import type { FieldDefinition } from '../../model/bundle.ts';
import type { Json } from '../../model/entity.ts';
import { type FieldType, isScalar, numberIfDigits, scalarText } from './field-type.ts';
import { isMissing, type ItemRule, type PropertyRule, wrongPrimitive } from './rule.ts';
import { integerType, textType } from './value-types.ts';

/** Whether PHP takes the value for a number. What is infinite as one, such as `1e400`, no answer could show. */
const isNumeric = (value: Json): boolean =>
  (typeof value === 'number' ||
    (typeof value === 'string' && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value))) &&
  Number.isFinite(Number(value));

/** Whether the real site takes the text for a decimal. */
const isDecimal = (value: string): boolean => /^[+-]?(\d+(\.\d*)?|\.\d+)\n?$/.test(value);

/** A decimal is kept as text, with the digits after the point that the field has. */
export const decimalType: FieldType = {
  ...integerType,
  read: ({ kept }, { scale = 2 }) => {
    const { value } = kept;
    const isRounded = isScalar(value) && isDecimal(scalarText(value)) && Math.abs(Number(scalarText(value))) < 1e21;
    return isRounded ? { value: roundedText(Number(scalarText(value)), scale) } : kept;
  },
  store: ({ value }) => ({ value: value ?? null }),
};

/** PHP has no negative zero after rounding. */
const roundedText = (value: number, scale: number): string => {
  const rounded = value.toFixed(scale);
  return Number(rounded) === 0 ? (0).toFixed(scale) : rounded;
};

/** A number where the value is one, else the value. */
export const numberIfNumeric = (value: Json | undefined): Json =>
  value !== undefined && value !== null && isNumeric(value) ? Number(value) : (value ?? null);

export const floatType: FieldType = {
  ...integerType,
  store: ({ value }) => ({ value: value === true ? 1 : numberIfNumeric(value) }),
};

/** What PHP calls empty, but not 0. */
const isNothing = (value: Json | undefined): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length === 0
    : value === undefined || value === null || value === false || value === '';

export const listTextType: FieldType = { ...textType, isEmpty: ({ value }) => isNothing(value) };

export const listIntegerType: FieldType = {
  ...integerType,
  isEmpty: ({ value }) => isNothing(value),
  store: ({ value }) => ({ value: numberIfDigits(value) }),
};

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

/** A power of ten or `.5` is a number, but only the second is a decimal. What is no number is no decimal either. */
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

export const integerRules: readonly ItemRule[] = [smallest, largest, notNegative];
export const floatRules: readonly ItemRule[] = [smallest, largest];
export const decimalRules: readonly ItemRule[] = [smallest, largest, decimalText, decimalDigits];

export const float: PropertyRule = (value: Json) => (value === true || isNumeric(value) ? undefined : wrongPrimitive);
