/** Has the rules of numbers, in the order of the real site: the smallest, the largest, then those of one type. */
import type { FieldDefinition } from '../../model/bundle.ts';
import type { Json } from '../../model/entity.ts';
import { isScalar, scalarText } from './field-type.ts';
import { isDecimal, isNumeric } from './number-types.ts';
import { isMissing, wrongPrimitive, type ItemRule, type PropertyRule } from './rule.ts';

/** A bound of a number, and what the real site says beyond it. What is no number breaks each bound. */
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

/** A power of ten or `.5` is a number, but only the second is a decimal. */
const decimalText: ItemRule = ({ value }) =>
  isScalar(value) && !isDecimal(scalarText(value)) ? [{ property: 'value', message: 'This value is not valid.' }] : [];

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
