/** Has the rules of validation that several field types share. */
import type { FieldDefinition } from '../model/bundle.ts';
import type { ItemRule, PropertyRule } from './rule.ts';
import { isInteger, isLonger, isNumeric, isScalar, readBoolean, wrongPrimitive } from './values.ts';
import type { Json } from '../../basics/json.ts';

export const text: PropertyRule = (value) => (isScalar(value) ? undefined : wrongPrimitive);
export const integer: PropertyRule = (value) => (isInteger(value) ? undefined : wrongPrimitive);

/** The words "true" and "false" are refused on the real site, too: only what is equal to 1 or 0 is a boolean. */
export const boolean: PropertyRule = (value) => (readBoolean(value) === undefined ? wrongPrimitive : undefined);

/** The width of the database column, which a real site with MySQL answers with 500. */
export const fits =
  (most: number): PropertyRule =>
  (value, field) =>
    isLonger(value, most) ? `${field.label}: may not be longer than ${most} characters.` : undefined;

export const float: PropertyRule = (value: Json) => (value === true || isNumeric(value) ? undefined : wrongPrimitive);

export const object: PropertyRule = (value) => (typeof value === 'object' ? undefined : wrongPrimitive);

export const tooLong = (most: number): string => `This value is too long. It should have ${most} characters or less.`;

export const noLonger =
  (limit: (field: FieldDefinition) => number | undefined, words: string): ItemRule =>
  ({ value }, field) => {
    const most = limit(field);
    return most !== undefined && isLonger(value, most)
      ? [{ property: 'value', message: `${field.label}: ${words} longer than ${most} characters.` }]
      : [];
  };

export const maxLength = noLonger(({ maxLength: most }) => most, 'may not be');
