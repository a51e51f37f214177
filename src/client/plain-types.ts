/** The types of plain objects, made from those of records and of bodies. How the objects themselves are made is not here. */

type DatetimePattern = 'Y-m-d\\TH:i:sP';

/** What a reference carries beside its target, such as `alt` and `rel_type`. */
type Beside<Item> = Omit<Item, 'target_id' | 'target_type' | 'target_uuid' | 'url'>;

/** A reference. Of one whose target was deleted `id` alone is left. */
export type PlainReference<Item> = (Item extends { target_id: infer Id } ? { id: Id } : never) & {
  type?: string;
  uuid?: string;
  url?: string;
} & Beside<Item>;

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
 * A record as a plain object. A field of one value is the value, or null where there may be none; the others are lists.
 * Which is which stands in the type of the record: types made with `openapi-typescript --array-length` know `maxItems`.
 */
export type Plain<Rec> = { [Field in keyof Rec]: PlainField<NonNullable<Rec[Field]>> | Optional<Rec[Field]> };

/** Fields of some bundles only may be missing. */
type Optional<Items> = undefined extends Items ? undefined : never;

type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];

/** What may stand for an item of a body. The item itself always may. */
export type PlainInput<Item> =
  | Item
  | (Item extends { target_id: infer Id }
      ? { id: Id; type?: string; uuid?: string; url?: string } & Beside<Item>
      : Item extends { target_uuid: string }
        ? { uuid: string; type?: string; url?: string } & Beside<Item>
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
 * A body as a plain object. `null` empties a field, where the record `Rec` can be without it; `undefined` and what is not there
 * leave it alone. What is empty in a record may be sent back so, and the server says whether it can be emptied (422).
 */
export type PlainBody<Body, Rec = Body> = {
  readonly [Field in keyof Body]: InputField<NonNullable<Body[Field]>> | Emptied<Rec, Field> | undefined;
};
type Emptied<Rec, Field> = Field extends keyof Rec ? ([] extends Rec[Field] ? null : never) : never;
