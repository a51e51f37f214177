/** Writes the rows of a list that shows chosen fields, as the platform's data export does. */
import { digestOfStream } from '../../basics/digest.ts';
import { beginSlices } from '../../basics/long-work.ts';
import { isShown, valuesOf } from '../content/lists/list-values.ts';
import { schemeOf } from '../content/repository.ts';
import { labelOf, type Entity, type Json, type JsonObject } from '../model/entity.ts';
import type { Principal } from '../model/principal.ts';
import { hashField, type ColumnForm, type ListColumn } from '../site/record-list.ts';
import { entityPath } from '../site/site.ts';
import type { World } from '../world.ts';
import { plainText } from './formatted-text.ts';
import { bundleOf, fetchTargets, referenceKeys, targetsOf, type Targets } from './targets.ts';
import { escapedText } from './web-links.ts';

type RowContext = Pick<World, 'site' | 'basePath' | 'store' | 'blobs'> & { readonly viewer: Principal };

/** The columns of one record after the other. All targets are fetched in one call. */
export const listRows = async (
  entities: readonly Entity[],
  columns: readonly ListColumn[],
  context: RowContext,
): Promise<readonly JsonObject[]> => {
  const named = columns.filter(({ form }) => form === 'label' || form === 'link');
  const keys = entities.flatMap((entity) =>
    named.flatMap(({ field }) => {
      const definition = bundleOf(context.site, entity).fields.get(field.name);
      return definition === undefined ? [] : referenceKeys(entity, definition);
    }),
  );
  const targets = await fetchTargets(context.store, keys);
  const rows: JsonObject[] = [];
  const slices = beginSlices();
  for (const entity of entities) {
    if (slices.isOver()) await slices.next();
    const row: Record<string, Json> = {};
    for (const column of columns) {
      row[column.name] =
        column.field.name === hashField ? await sha1Of(entity, context) : valueIn(column, entity, targets, context);
    }
    rows.push(row);
  }
  return rows;
};

const valueIn = (column: ListColumn, entity: Entity, targets: Targets, context: RowContext): Json => {
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
  const named = isReference ? targetsOf(entity, definition, targets) : [];
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
const sha1Of = async (file: Entity, { blobs }: RowContext): Promise<string> => {
  const stream = file.blob === undefined ? undefined : await blobs.get(schemeOf(file))?.open(file.blob);
  return stream === undefined ? '' : digestOfStream('sha1', stream);
};
