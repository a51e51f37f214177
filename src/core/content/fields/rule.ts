/** Defines what a rule of validation is, with the rules that many field types share. `field-rules.ts` has the table. */
import type { FieldItem, FieldItems, Json } from '../../model/entity.ts';
import type { FieldDefinition } from '../../model/bundle.ts';
import { isInteger, isScalar, readBoolean, scalarText, type ValidationContext } from './field-type.ts';

/** A rule that a list breaks. Without a delta the whole list is wrong. */
type ListViolation = { readonly delta?: number; readonly property?: string; readonly message: string };
/** A rule that an item breaks. Without a property the whole item is wrong. */
type ItemViolation = { readonly property?: string; readonly message: string };

export type ListRule = (
  items: FieldItems,
  field: FieldDefinition,
  context: ValidationContext,
) => readonly ListViolation[];
export type ItemRule = (
  item: FieldItem,
  field: FieldDefinition,
  context: ValidationContext,
  /** Whether neither this item nor one before it has a value. */
  isLeading: boolean,
) => readonly ItemViolation[];
/** Returns the message. Called with values that are not null. */
export type PropertyRule = (value: Json, field: FieldDefinition, context: ValidationContext) => string | undefined;

export type TypeRules = {
  readonly list?: readonly ListRule[];
  readonly item?: readonly ItemRule[];
  readonly properties: Readonly<Record<string, readonly PropertyRule[]>>;
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

export const text: PropertyRule = (value) => (isScalar(value) ? undefined : wrongPrimitive);
export const integer: PropertyRule = (value) => (isInteger(value) ? undefined : wrongPrimitive);

/** The words "true" and "false" are refused on the real site, too: only what is equal to 1 or 0 is a boolean. */
export const boolean: PropertyRule = (value) => (readBoolean(value) === undefined ? wrongPrimitive : undefined);

/** The width of the database column, which a real site with MySQL answers with 500. */
export const fits =
  (most: number): PropertyRule =>
  (value, field) =>
    isLonger(value, most) ? `${field.label}: may not be longer than ${most} characters.` : undefined;
