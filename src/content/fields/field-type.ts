/** Defines what a field type is, and checks single values for several types. `field-types.ts` lists the types. */
import { entityTypes, textOf, type Entity, type EntityKey, type EntityType } from '../../model/entity.ts';
import type { FieldItem, Json, JsonObject } from '../../model/entity.ts';
import type { FieldDefinition } from '../../model/bundle.ts';

/** What reading an item can look up: the id that belongs to a uuid. */
export type ReadContext = { idOf(type: EntityType, uuid: string): number | undefined };

/** What validation can look up: other records, what the principal may refer to, the site's languages. */
export type ValidationContext = {
  find(key: EntityKey): Entity | undefined;
  mayReference(target: Entity): boolean;
  /** Called for files: everybody who may see a record may also see the files that it uses. */
  mayView(target: Entity): boolean;
  readonly languages: readonly string[];
};

/** A rule that an item breaks. `property` follows the delta in the path. Without it the whole item is wrong. */
export type ItemViolation = { readonly property?: string; readonly message: string };

export type FieldType = {
  /** The property that a bare scalar stands for. The item is empty when this property is empty. */
  readonly main: string;
  /** The properties that are kept of a received item. Others are dropped. */
  readonly properties: readonly string[];
  /** Reads a received item. Throws a 422 with one sentence when it cannot be read. */
  readonly read?: (item: FieldItem, field: FieldDefinition, received: JsonObject, context: ReadContext) => FieldItem;
  /** Returns every rule that the item breaks. */
  readonly validate: (item: FieldItem, field: FieldDefinition, context: ValidationContext) => readonly ItemViolation[];
  /** The compact form of an item. A value that `validate` refuses stays, so it never equals a stored one. */
  readonly store: (item: FieldItem) => FieldItem;
};

/** The entity type that a field refers to. Undefined for other fields and for references to bundles. */
export const targetTypeOf = (field: FieldDefinition): EntityType | undefined =>
  entityTypes.find((type) => type === field.target?.type);

export const wrongPrimitive = (property: string): ItemViolation => ({
  property,
  message: 'This value should be of the correct primitive type.',
});

export const isInteger = (value: Json | undefined): boolean =>
  (typeof value === 'number' && Number.isSafeInteger(value)) ||
  (typeof value === 'string' && /^-?(0|[1-9]\d{0,14})$/.test(value));

export const isText = (value: Json | undefined): boolean => typeof value === 'string' || typeof value === 'number';

/** Counts characters, as the real site does, not UTF-16 units. */
export const lengthViolations = (
  value: Json | undefined,
  property: string,
  field: FieldDefinition,
  maxLength: number | undefined,
): ItemViolation[] =>
  maxLength !== undefined && Array.from(textOf(value)).length > maxLength
    ? [{ property, message: `${field.label}: may not be longer than ${maxLength} characters.` }]
    : [];

/** Turns digits into a number. Returns any other value unchanged. */
export const numberIfDigits = (value: Json | undefined): Json => (isInteger(value) ? Number(value) : (value ?? null));

/** The part of a received value that a message repeats. */
export const quotedInput = (value: Json | undefined): string => textOf(value).slice(0, 200);
