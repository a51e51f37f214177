/** Makes the JSON body of a request from what a form holds. */
import type { Draft, DraftItem } from './draft.ts';
import { isEmptyItem } from './draft.ts';
import type { JsonObject, ModelBundle, ModelField } from './model.ts';
import { mainPart, partsOf, valueOfText } from './parts.ts';

/** A text that cannot become JSON, with its place. */
export type Unreadable = { readonly field: string; readonly key: number; readonly message: string };

export type Body = {
  /** By field. */
  readonly members: Readonly<Record<string, readonly unknown[]>>;
  /** The keys of the sent items by field, in their order: the server names items by their position. */
  readonly keys: Readonly<Record<string, readonly number[]>>;
  readonly unreadable: readonly Unreadable[];
};

type SentItem = { readonly key: number; readonly value: unknown } | Unreadable;

/** The items that are sent of a field. Empty ones are left out. */
const sentItems = (field: ModelField, items: readonly DraftItem[]): readonly SentItem[] =>
  items.filter((item) => !isEmptyItem(item)).map((item) => sentItem(field, item));

const sentItem = (field: ModelField, { key, texts, kept }: DraftItem): SentItem => {
  const parts = partsOf(field);
  const [whole] = parts;
  try {
    if (whole?.property === '') return { key, value: valueOfText(texts[''] ?? '', whole) };
    const shown = parts.flatMap((part) => {
      const text = texts[part.property] ?? '';
      return text === '' ? [] : [[part.property, valueOfText(text, part)] as const];
    });
    return { key, value: { ...Object.fromEntries(shown), ...kept } };
  } catch (error) {
    return { field: field.name, key, message: `This is not JSON. ${(error as SyntaxError).message}` };
  }
};

/** Only the fields whose items differ from those of `before`. A field that was emptied becomes `[]`. */
export const changedFields = (fields: readonly ModelField[], before: Draft, after: Draft): Body => {
  const members: Record<string, readonly unknown[]> = {};
  const keys: Record<string, readonly number[]> = {};
  const unreadable: Unreadable[] = [];
  for (const field of fields) {
    const items = sentItems(field, after[field.name] ?? []);
    const broken = items.filter((item) => 'message' in item);
    unreadable.push(...broken);
    const values = items.flatMap((item) => ('value' in item ? [item.value] : []));
    const old = sentItems(field, before[field.name] ?? []).flatMap((item) => ('value' in item ? [item.value] : []));
    if (broken.length === 0 && JSON.stringify(values) === JSON.stringify(old)) continue;
    members[field.name] = values;
    keys[field.name] = items.map(({ key }) => key);
  }
  return { members, keys, unreadable };
};

/** The whole body: the bundle, which every request names, then the fields. */
export const withBundle = ({ bundle, bundleField }: ModelBundle, { members }: Body): JsonObject =>
  bundleField === undefined ? members : { [bundleField]: [{ target_id: bundle }], ...members };

/** Where the value of an item without a property of its own is shown. */
export const propertyAt = (field: ModelField, property: string | undefined): string =>
  partsOf(field).some((part) => part.property === property) && property !== undefined
    ? property
    : mainPart(field).property;
