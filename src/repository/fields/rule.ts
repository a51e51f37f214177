/** Defines what a rule of validation is, and what it can look up. */
import type { FieldDefinition } from '../model/bundle.ts';
import type { Entity, EntityKey, FieldItem, FieldItems } from '../../openapi/openapi-records.ts';
import type { Json } from '../../basics/json.ts';

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
