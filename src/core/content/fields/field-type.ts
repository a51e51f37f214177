/**
 * Defines what a field type and a rule of its validation are, and checks single values for several types. `field-types.ts` lists the
 * types, `field-rules.ts` has the table of rules.
 */
import {
  type Entity,
  type EntityKey,
  type FieldItem,
  type FieldItems,
  type Json,
  type ReferredType,
  referredTypes,
  textOf,
} from '../../model/entity.ts';
import type { FieldDefinition } from '../../model/bundle.ts';

/** What reading an item can look up: the id that belongs to a uuid, and the time in seconds since 1970. */
export type ReadContext = { idOf(type: ReferredType, uuid: string): number | undefined; readonly now: number };

/** What validation can look up: other records, what the principal may refer to, the site's languages and text formats. */
export type ValidationContext = {
  find(key: EntityKey): Entity | undefined;
  mayReference(target: Entity): boolean;
  /** Called for files: everybody who may see a record may also see the files that it uses. */
  mayView(target: Entity): boolean;
  readonly languages: readonly string[];
  /** The text formats that the principal may use. */
  readonly textFormats: readonly string[];
  /** For a new state: the record before, which a new one does not have, and what the principal may do. Undefined: no state is left. */
  readonly state?: { readonly before: Entity | undefined; may(permission: string): boolean };
};

/** An item as it was received: its value, the properties that are kept of it, and its position in the list. */
type ReceivedItem = { readonly sent: Json; readonly kept: FieldItem; readonly delta: number };

/** How the items of a type are read and stored. `field-rules.ts` has the rules of their validation. */
export type FieldType = {
  /** The property that a bare scalar stands for. */
  readonly main: string;
  /** The properties that are kept of a received item. Others are dropped. */
  readonly properties: readonly string[];
  /** Whether an item can also have members that are not among the properties. Then `read` says which are kept. */
  readonly hasAnyMember?: true;
  /** The properties that records show but do not keep. */
  readonly computed?: readonly string[];
  /** Whether an item says nothing. Such items count as values while the field is validated. They are not stored. */
  readonly isEmpty: (item: FieldItem) => boolean;
  /** Reads a received item, also an empty one. Throws a 422 with one sentence when it cannot be read. */
  readonly read?: (item: ReceivedItem, field: FieldDefinition, context: ReadContext) => FieldItem;
  /** The compact form of an item. A value that validation refuses stays, so it never equals a stored one. */
  readonly store: (item: FieldItem) => FieldItem;
};

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
