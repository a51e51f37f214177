/** Shows the fields of a record that the viewer may see, each by its label. */
import { isRecord, type Json, type JsonObject } from '../../basics/json.ts';
import { visibleBundle } from '../content/fields/field-access.ts';
import type { FieldType, ValueContext } from '../fields/field-type.ts';
import { fieldTypeOf } from '../fields/field-types.ts';
import { bundleOf, type Bundle, type FieldDefinition } from '../model/bundle.ts';
import { renderJson } from '../representations/json.ts';
import { referenceKeys, referencesOf } from '../representations/targets.ts';
import { markup, joined, type Markup } from '../markup/page-markup.ts';
import { visibleKeys } from './visible-records.ts';
import { headFields, targetsAt, type PageContext } from '../markup/page-context.ts';
import { type Entity, type EntityKey, textOf } from '../../openapi/openapi-records.ts';

/** The values of a field that a page shows. A field can have 1,000. */
const mostValues = 200;

/** What the JSON of the record shows for this viewer, and the bundle with just these fields. */
export type ShownRecord = {
  readonly entity: Entity;
  readonly bundle: Bundle;
  readonly body: JsonObject;
  readonly context: ValueContext;
};

/** Reads what the page shows of a record: the same fields as its JSON, and what they refer to. */
export const shownRecord = (entity: Entity, context: PageContext): ShownRecord => {
  const { world, viewer, records } = context;
  const bundle = visibleBundle(bundleOf(world.site, entity), entity, viewer);
  const body = renderJson(entity, { ...world, viewer, records }, 'read');
  const targets = targetsAt(referredKeys(entity, bundle, body), context);
  const visible = visibleKeys(targets.values(), context);
  return { entity, bundle, body, context: { ...context, entity, targets, visible } };
};

const referredKeys = (entity: Entity, bundle: Bundle, body: JsonObject): EntityKey[] =>
  referencesOf(bundle)
    .filter(({ name }) => name in body)
    .flatMap((field) => referenceKeys(entity, field).slice(0, mostValues));

/** The items of a field as the JSON shows them; none when the viewer may not see the field. */
export const itemsShown = (body: JsonObject, name: string): readonly JsonObject[] => {
  const found = body[name];
  return Array.isArray(found) ? (found as readonly Json[]).filter((item): item is JsonObject => isRecord(item)) : []; // Array.isArray makes `any` of it
};

/** What says nothing: an item whose properties are all empty, as an absent description has. */
const isSilent = (item: JsonObject): boolean =>
  Object.values(item).every((value) => value === null || value === '' || (Array.isArray(value) && value.length === 0));

/** The site's own fields first, then those that every record of the type has. */
export const fieldSections = (shown: ShownRecord): Markup => {
  const hidden = new Set([...headFields(shown.entity), 'metatag']);
  const fields = [...shown.bundle.fields.values()].filter(({ name }) => !hidden.has(name));
  const own = rowsOf(
    fields.filter(({ configured }) => configured),
    shown,
  );
  const base = rowsOf(
    fields.filter(({ configured }) => !configured),
    shown,
  );
  return markup`${section('description', 'Description', own)}${section('record', 'About the record', base)}`;
};

const section = (id: string, title: string, rows: readonly Markup[]): Markup | undefined =>
  rows.length === 0
    ? undefined
    : markup`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<dl>${rows}</dl>
</section>
`;

const rowsOf = (fields: readonly FieldDefinition[], { body, context }: ShownRecord): readonly Markup[] =>
  fields.flatMap((field) => {
    const items = itemsShown(body, field.name).filter((item) => !isSilent(item));
    if (items.length === 0) return [];
    const values = items
      .slice(0, mostValues)
      .map((item) => markup`<dd dir="auto">${shownValue(item, context, field)}</dd> `);
    const rest =
      items.length > mostValues
        ? markup`<dd class="note">and ${items.length - mostValues} more, in the data below</dd> `
        : undefined;
    return [
      markup`<div>
<dt>${field.label}</dt>
${values}${rest}
</div>
`,
    ];
  });

/** One item of a field. */
export const shownValue: NonNullable<FieldType['page']> = (item, context, field) =>
  (fieldTypeOf(field).page ?? properties)(item, context, field);

/** Shows its value, or the names and values of its properties. */
const properties: NonNullable<FieldType['page']> = (item) => {
  const { value } = item;
  if (typeof value === 'string' || typeof value === 'number') return markup`<span class="lines">${value}</span>`;
  const parts = Object.entries(item).map(([name, each]) => markup`<span>${name}: ${textOf(each)}</span>`);
  return joined(parts, markup`<br />`);
};
