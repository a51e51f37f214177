/** Renders rows of chosen fields of records, as in the platform's data export. */
import { bundleOf } from '../model/bundle.ts';
import { digestOfStream } from '../../basics/secrets/digest.ts';
import { isShown, valuesOf } from '../content/lists/list-values.ts';
import { eachOf, type Records, unwatched } from '../model/reading.ts';
import { mayView } from '../content/views.ts';
import type { FieldDefinition } from '../model/bundle.ts';
import { labelOf } from '../model/entity.ts';
import type { Principal } from '../model/principal.ts';
import { type ColumnForm, hashField, type ListColumn } from '../site/record-list.ts';
import { entityPath } from '../site/site.ts';
import type { World } from '../world.ts';
import { contentPath } from '../site/content-url.ts';
import { plainText, escapedText } from '../fields/web-links.ts';
import { targetsOf } from './targets.ts';
import { type Entity, firstValue, textOf, schemeOf } from '../../openapi/openapi-records.ts';
import type { Json, JsonObject } from '../../basics/json.ts';

type RowContext = Pick<World, 'site' | 'baseUrl' | 'basePath' | 'blobs'> & {
  readonly principal: Principal;
  readonly records: Records;
};

/** The columns of one record after the other. */
export const listRows = (
  entities: readonly Entity[],
  columns: readonly ListColumn[],
  context: RowContext,
): readonly JsonObject[] =>
  eachOf(entities, (entity) => rowOf(entity, columns, context), { records: context.records, name: 'row', few: 20 });

const rowOf = (entity: Entity, columns: readonly ListColumn[], context: RowContext): JsonObject =>
  Object.fromEntries(
    columns.map((column) => [
      column.name,
      column.field.name === hashField ? sha1Of(entity, context) : valueIn(column, entity, context),
    ]),
  );

const valueIn = (column: ListColumn, entity: Entity, context: RowContext): Json => {
  const { offset = 0, limit = Infinity } = column;
  const holders = holdersOf(column, entity, context);
  const chosen = (values: readonly string[]): readonly string[] => values.slice(offset, offset + limit);
  if (column.form !== 'raw') return chosen(holders.flatMap((holder) => textsIn(column, holder, context))).join(', ');
  // open: the platform shows false where a field of one value is empty, and nothing where the bundle has no such field.
  const fields = holders.filter((holder) => isShown(column.field, holder, context));
  const [first] = fields;
  if (first === undefined) return null;
  const values = chosen(fields.flatMap((holder) => valuesOf(column.field, holder, context)));
  const isOne = fields.length === 1 && definitionIn(column.field.name, first, context)?.cardinality === 1;
  return isOne ? (values[0] ?? false) : values;
};

/** The record itself, or those behind a reference of it that the requester may view. */
const holdersOf = ({ through }: ListColumn, entity: Entity, context: RowContext): readonly Entity[] => {
  if (through === undefined) return [entity];
  const reference = definitionIn(through, entity, context);
  if (reference === undefined || !isShown({ name: through, property: undefined }, entity, context)) return [];
  return targetsOf(entity, reference, context.records).filter((target) => mayView(target, context));
};

const definitionIn = (name: string, entity: Entity, { site }: RowContext): FieldDefinition | undefined =>
  bundleOf(site, entity).fields.get(name);

const textsIn = ({ field, form }: ListColumn, entity: Entity, context: RowContext): readonly string[] => {
  if (form === 'text' || form === 'html' || form === 'day') return valuesOf(field, entity, context).map(writers[form]);
  const definition = definitionIn(field.name, entity, context);
  if (definition === undefined || !isShown(field, entity, context)) return [];
  const targets = targetsOf(entity, definition, context.records);
  if (form === 'label') return targets.map((target) => escapedText(labelOf(target)));
  if (form === 'link') {
    return definition.target === undefined
      ? valuesOf(field, entity, context).map((value) => anchor(entity, value, context))
      : targets.map((target) => anchor(target, labelOf(target), context));
  }
  const start = form === 'url' ? context.baseUrl : context.basePath;
  const addressed = definition.type === 'file_uri' ? [entity] : targets;
  return addressed.flatMap((target) => pathOf(target, context) ?? []).map((path) => start + path);
};

/** Where the bytes of a file are, and any other record. */
const pathOf = (target: Entity, { site }: RowContext): string | undefined =>
  target.type === 'file' ? contentPath(site, textOf(firstValue(target, 'uri'))) : entityPath(site, target);

const writers = {
  text: escapedText,
  html: plainText,
  // Times are kept in seconds, days as they are.
  day: (value: string): string =>
    (/^-?[0-9]+$/.test(value) ? new Date(Number(value) * 1000).toISOString() : value).slice(0, 10),
} satisfies Partial<Record<ColumnForm, (value: string) => string>>;

const anchor = (entity: Entity, text: string, { site, basePath }: RowContext): string => {
  const language = entity.fields['langcode']?.[0]?.['value'];
  const hreflang = typeof language === 'string' ? ` hreflang="${escapedText(language)}"` : '';
  return `<a href="${basePath}${entityPath(site, entity)}"${hreflang}>${escapedText(text)}</a>`;
};

/** Empty for a file that has lost its bytes. */
const sha1Of = (file: Entity, { blobs, records }: RowContext): string =>
  records.later('sha1', [file], () => digestOfBytes(file, blobs), unwatched) ?? '';

const digestOfBytes = async ({ blob, ...file }: Entity, blobs: RowContext['blobs']): Promise<string> => {
  const stream = blob === undefined ? undefined : await blobs.get(schemeOf(file))?.open(blob);
  return stream === undefined ? '' : digestOfStream('sha1', stream);
};
