/** Reads and checks single values for several field types, as the real site's PHP does. */
import type { FieldDefinition } from '../model/bundle.ts';
import { type ReferredType, referredTypes } from '../model/entity.ts';
import { textOf } from '../../openapi/openapi-records.ts';
import type { Json } from '../../basics/json.ts';

/** The entity type that a field refers to. Undefined for other fields and for references to bundles. */
export const targetTypeOf = ({ target }: FieldDefinition): ReferredType | undefined =>
  // Every read and write asks this of each of its fields, and most of them refer to nothing.
  target === undefined ? undefined : referredTypes.find((type) => type === target.type);

/** A number as the real site's PHP writes it: 14 digits at most, and `1.0E-5` for a very small one. */
const numberText = (value: number): string => {
  if (Number.isInteger(value)) return String(value);
  const rounded = Number(value.toPrecision(14));
  const [digits = '', exponent] = (Math.abs(rounded) < 1e-4 ? rounded.toExponential() : String(rounded)).split('e');
  return exponent === undefined ? digits : `${digits.includes('.') ? digits : `${digits}.0`}E${exponent}`;
};

/** A scalar as the text that the real site stores: true is `1`, false is the empty text. */
export const scalarText = (value: Json | undefined): string => {
  if (typeof value === 'boolean') return value ? '1' : '';
  return typeof value === 'number' ? numberText(value) : textOf(value);
};

/** Whether the value is a whole number or the digits of one. The real site reads true as 1, but false as no number. */
export const isInteger = (value: Json | undefined): boolean =>
  value === true ||
  (typeof value === 'number' && Number.isSafeInteger(value)) ||
  (typeof value === 'string' && /^\s*[+-]?(0|[1-9]\d{0,14})\s*$/.test(value));

/** Whether the value can be stored as text. */
export const isScalar = (value: Json | undefined): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Turns digits into a number. Returns any other value unchanged. */
export const numberIfDigits = (value: Json | undefined): Json => (isInteger(value) ? Number(value) : (value ?? null));

/** The part of a received value that a message repeats. */
export const quotedInput = (value: Json | undefined): string => scalarText(value).slice(0, 200);

/** A boolean from what the real site takes for one: also 1, 0 and their digits. Undefined for the words "true" and "false". */
export const readBoolean = (value: Json | undefined): boolean | undefined => {
  if (value === false || value === 0 || value === '0') return false;
  const isOne = value === true || value === 1 || (typeof value === 'string' && /^\s*\+?0*1(\.0*)?\s*$/.test(value));
  return isOne ? true : undefined;
};

export const noChoice = 'The value you selected is not a valid choice.';
export const wrongPrimitive = 'This value should be of the correct primitive type.';

export const isMissing = (value: Json | undefined): value is null | undefined => value === undefined || value === null;

/** Whether a text has more characters. Characters count, as on the real site, and not the units of UTF-16. */
export const isLonger = (value: Json | undefined, most: number): boolean => {
  if (!isScalar(value)) return false;
  const text = scalarText(value);
  // A text has at most as many characters as units.
  return text.length > most && Array.from(text).length > most;
};

/** Whether PHP takes the value for a number. What is infinite as one, such as `1e400`, no answer could show. */
export const isNumeric = (value: Json): boolean =>
  (typeof value === 'number' ||
    (typeof value === 'string' && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value))) &&
  Number.isFinite(Number(value));

/** A number where the value is one, else the value. */
export const numberIfNumeric = (value: Json | undefined): Json =>
  value !== undefined && value !== null && isNumeric(value) ? Number(value) : (value ?? null);

export const isMissingOrEmptyText = (value: Json | undefined): boolean => isMissing(value) || value === '';

export const textOrNull = (value: Json | undefined): string | null => (isScalar(value) ? scalarText(value) : null);

/** What PHP calls empty: also a list and an object without members. */
export const isPhpEmpty = (value: Json | undefined): boolean => isNothing(value) || value === 0 || value === '0';

/** What PHP calls empty, but not 0. */
export const isNothing = (value: Json | undefined): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length === 0
    : value === undefined || value === null || value === false || value === '';

/** Whether a list or an object has members. */
export const hasMembers = (value: Json | undefined): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** The part after the last dot, in lower case. Empty when there is none. */
export const extensionOf = (name: string): string => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
