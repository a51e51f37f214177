/** What a form holds: the texts of its inputs, by field and item. Everything here is a pure function. */
import { itemsIn, type JsonObject, type ModelField } from './model.ts';
import { isWrittenAsJson, mainPart, partsOf, textOfValue } from './parts.ts';

export type DraftItem = {
  /** Stays the same while items are moved. */
  readonly key: number;
  /** By the property of the input. */
  readonly texts: Readonly<Record<string, string>>;
  /** Members that the server keeps and the form does not show, such as the options of a link. */
  readonly kept: JsonObject;
};

export type Draft = Readonly<Record<string, readonly DraftItem[]>>;

let lastKey = 0;

export const emptyItem = (field: ModelField): DraftItem => ({
  key: ++lastKey,
  texts: Object.fromEntries(partsOf(field).map(({ property, initial = '' }) => [property, initial])),
  kept: {},
});

/** An item of a record, or of the defaults of the model. */
export const itemOf = (field: ModelField, item: JsonObject): DraftItem => {
  if (isWrittenAsJson(field)) return { key: ++lastKey, texts: { '': JSON.stringify(item, undefined, 2) }, kept: {} };
  const parts = partsOf(field);
  const hidden = field.properties.filter((name) => !parts.some(({ property }) => property === name));
  return {
    key: ++lastKey,
    texts: Object.fromEntries(parts.map(({ property }) => [property, textOfValue(item[property])])),
    kept: Object.fromEntries(hidden.flatMap((name) => (saysNothing(item[name]) ? [] : [[name, item[name]]]))),
  };
};

const saysNothing = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);

/** The format of a text says nothing without the text. */
export const isEmptyItem = (item: DraftItem): boolean =>
  Object.entries(item.texts).every(([property, text]) => property === 'format' || text === '');

/** The draft of a new record: the defaults of the model, and an empty item where the form asks for one. */
export const draftOfNew = (fields: readonly ModelField[]): Draft => draftFrom(fields, (field) => field.default ?? []);

/** The draft of a record as JSON. */
export const draftOfRecord = (fields: readonly ModelField[], record: JsonObject): Draft =>
  draftFrom(fields, ({ name }) => itemsIn(record[name]));

const draftFrom = (fields: readonly ModelField[], itemsOf: (field: ModelField) => readonly JsonObject[]): Draft =>
  Object.fromEntries(
    fields.map((field) => {
      const items = itemsOf(field).map((item) => itemOf(field, item));
      const isAsked = items.length === 0 && (field.required || field.cardinality === 1);
      return [field.name, isAsked ? [emptyItem(field)] : items];
    }),
  );

/**
 * Fills fields in from an address such as `?title=A&field_member_of=1`: the main input of the field, or with
 * `field_linked_agent.rel_type` another one. Several references are separated by commas. Other names change nothing.
 */
export const prefilled = (
  draft: Draft,
  fields: readonly ModelField[],
  values: Readonly<Record<string, string | undefined>>,
): Draft => {
  const changed = fields.flatMap((field) => {
    const given = Object.entries(values).flatMap(([name, value]) => {
      const [of, property = mainPart(field).property] = name.split('.');
      return of === field.name && value !== undefined && value !== '' ? [[property, value] as const] : [];
    });
    return given.length === 0 ? [] : [[field.name, itemsFromTexts(field, Object.fromEntries(given))] as const];
  });
  return { ...draft, ...Object.fromEntries(changed) };
};

const itemsFromTexts = (field: ModelField, texts: Readonly<Record<string, string>>): readonly DraftItem[] => {
  const main = mainPart(field);
  const value = texts[main.property] ?? '';
  const values = main.input === 'reference' && /^[\d\s,]+$/.test(value) ? value.split(',') : [value];
  return values.map((each) => {
    const item = emptyItem(field);
    return { ...item, texts: { ...item.texts, ...texts, [main.property]: each.trim() } };
  });
};

/** A change that the user makes to one field. */
export type DraftChange =
  | { readonly kind: 'text'; readonly key: number; readonly property: string; readonly text: string }
  | { readonly kind: 'add'; readonly item: DraftItem }
  | { readonly kind: 'remove'; readonly key: number }
  | { readonly kind: 'move'; readonly key: number; readonly by: -1 | 1 };

export const changeDraft = (draft: Draft, field: ModelField, change: DraftChange): Draft => ({
  ...draft,
  [field.name]: changeItems(draft[field.name] ?? [], field, change),
});

const changeItems = (items: readonly DraftItem[], field: ModelField, change: DraftChange): readonly DraftItem[] => {
  if (change.kind === 'add') return [...items, change.item];
  if (change.kind === 'remove') return items.filter(({ key }) => key !== change.key);
  const at = items.findIndex(({ key }) => key === change.key);
  const item = items[at];
  if (item === undefined) return items;
  if (change.kind === 'text') return items.with(at, withText(item, field, change.property, change.text));
  const other = items[at + change.by];
  return other === undefined ? items : items.with(at, other).with(at + change.by, item);
};

/** The other members of a reference, such as the width of an image, describe the record that it led to. */
const withText = (item: DraftItem, field: ModelField, property: string, text: string): DraftItem => ({
  ...item,
  texts: { ...item.texts, [property]: text },
  kept: property === 'target_id' && field.target !== undefined ? {} : item.kept,
});
