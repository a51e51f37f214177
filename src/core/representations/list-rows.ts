/** Renders rows of chosen fields of records, as in the platform's data export. */
import { bundleOf } from '../model/bundle.ts';
import { digestOfStream } from '../../basics/secrets/digest.ts';
import { isShown, valuesOf } from '../content/lists/list-values.ts';
import { eachOf, type Records, unwatched } from '../content/reading.ts';
import { schemeOf } from '../content/repository.ts';
import { type Entity, type Json, type JsonObject, labelOf } from '../model/entity.ts';
import type { Principal } from '../model/principal.ts';
import { type ColumnForm, hashField, type ListColumn } from '../site/record-list.ts';
import { entityPath } from '../site/site.ts';
import type { World } from '../world.ts';
import { plainText, escapedText } from './web-links.ts';
import { targetsOf } from './targets.ts';

type RowContext = Pick<World, 'site' | 'basePath' | 'blobs'> & {
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
  const { field, form } = column;
  const values = valuesOf(field, entity, context);
  const definition = bundleOf(context.site, entity).fields.get(field.name);
  if (form === 'raw') {
    // open: the platform shows false where a field of one value is empty, and nothing where the bundle has no such field.
    if (definition === undefined || !isShown(field, entity, context)) return null;
    return definition.cardinality === 1 ? (values[0] ?? false) : values;
  }
  if (form !== 'label' && form !== 'link') return values.map(writers[form]).join(', ');
  if (definition === undefined || !isShown(field, entity, context)) return '';
  const isReference = definition.target !== undefined;
  const named = isReference ? targetsOf(entity, definition, context.records) : [];
  if (form === 'label') return named.map((target) => escapedText(labelOf(target))).join(', ');
  return isReference
    ? named.map((target) => anchor(target, labelOf(target), context)).join(', ')
    : values.map((value) => anchor(entity, value, context)).join(', ');
};

const writers: { readonly [F in Exclude<ColumnForm, 'raw' | 'label' | 'link'>]: (value: string) => string } = {
  text: escapedText,
  html: plainText,
  // Times are kept in seconds, days as they are.
  day: (value) => (/^-?[0-9]+$/.test(value) ? new Date(Number(value) * 1000).toISOString() : value).slice(0, 10),
};

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
