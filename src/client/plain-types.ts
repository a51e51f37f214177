/** Derives the types of plain objects from those of records and bodies. `plain.ts` makes the objects. */

type DatetimePattern = 'Y-m-d\\TH:i:sP';

/** The other properties of a reference, such as `alt` and `rel_type`. */
type OtherProperties<Item> = Omit<Item, 'target_id' | 'target_type' | 'target_uuid' | 'url'>;

/** A reference. If its target was deleted, it has only `id`. */
export type PlainReference<Item> = (Item extends { target_id: infer Id } ? { id: Id } : never) & {
  type?: string;
  uuid?: string;
  url?: string;
} & OtherProperties<Item>;

/** An item of a record as a plain value. References to bundles (`type`, `bundle`, a term's `vid`) are machine names. */
export type PlainItem<Item> = Item extends { target_id: string }
  ? string
  : Item extends { target_id: unknown }
    ? PlainReference<Item>
    : Item extends { value: string; format: DatetimePattern }
      ? Date
      : Item extends { uri: string; title: infer Title }
        ? { uri: string; title: Title }
        : keyof Item extends 'value'
          ? Item['value' & keyof Item]
          : Item;

type PlainField<Items> = Items extends readonly []
  ? null
  : Items extends readonly [infer Item]
    ? PlainItem<Item>
    : Items extends readonly (infer Item)[]
      ? PlainItem<Item>[]
      : never;

/**
 * A record as a plain object. A field that holds at most one value is that value or null; every other field is a list. Types
 * made with `openapi-typescript --array-length` carry `maxItems`, which tells the two apart.
 */
export type Plain<Rec> = { [Field in keyof Rec]: PlainField<NonNullable<Rec[Field]>> | Optional<Rec[Field]> };

/** A field that only some bundles have may be missing. */
type Optional<Items> = undefined extends Items ? undefined : never;

type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];

/** What a body accepts for an item: the item itself, or a short form. */
export type PlainInput<Item> =
  | Item
  | (Item extends { target_id: infer Id }
      ? // A record may be sent back as it was read, also with a reference to nothing.
        { id: Id | null; type?: string; uuid?: string; url?: string } & OtherProperties<Item>
      : Item extends { target_uuid: string }
        ? { uuid: string; type?: string; url?: string } & OtherProperties<Item>
        : Item extends { uri: string }
          ? string
          : Item extends { value: infer Value }
            ? RequiredKeys<Item> extends 'value'
              ? Value | ('format' extends keyof Item ? Date : never)
              : never
            : never)
  | (Item extends { target_id: infer Id } ? (RequiredKeys<Item> extends 'target_id' ? Id : never) : never);

type InputField<Items> = Items extends readonly []
  ? null
  : Items extends readonly [infer Item]
    ? PlainInput<Item>
    : Items extends readonly (infer Item)[]
      ? readonly PlainInput<Item>[]
      : never;

/**
 * A body as a plain object. `null` empties a field if the record type `Rec` allows an empty one. The server may still refuse
 * (422). `undefined` or a missing property leaves the field unchanged.
 */
export type PlainBody<Body, Rec = Body> = {
  readonly [Field in keyof Body]: InputField<NonNullable<Body[Field]>> | Emptied<Rec, Field> | undefined;
};
type Emptied<Rec, Field> = Field extends keyof Rec ? ([] extends Rec[Field] ? null : never) : never;
