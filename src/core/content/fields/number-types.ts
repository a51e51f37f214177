/** Defines the field types of decimals, floats and lists of values to choose from. */
import type { Json } from '../../model/entity.ts';
import { isScalar, numberIfDigits, scalarText, type FieldType } from './field-type.ts';
import { integerType, textType } from './value-types.ts';

/** Whether PHP takes the value for a number. What is infinite as one, such as `1e400`, no answer could show. */
export const isNumeric = (value: Json): boolean =>
  (typeof value === 'number' ||
    (typeof value === 'string' && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value))) &&
  Number.isFinite(Number(value));

/** Whether the real site takes the text for a decimal. */
export const isDecimal = (value: string): boolean => /^[+-]?(\d+(\.\d*)?|\.\d+)\n?$/.test(value);

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
