/** Renders a list: of entities, which look as they do alone, or of rows with chosen fields, as in the platform's data export. */
import { beginSlices } from '../../basics/long-work.ts';
import { digestOfStream } from '../../basics/secrets/digest.ts';
import { visibleBundle } from '../content/fields/restricted-fields.ts';
import { isShown, valuesOf } from '../content/lists/list-values.ts';
import { schemeOf } from '../content/repository.ts';
import { type Entity, type EntityKey, type Json, type JsonObject, labelOf } from '../model/entity.ts';
import type { Principal } from '../model/principal.ts';
import { type ColumnForm, hashField, type ListColumn } from '../site/record-list.ts';
import { entityPath, type Format } from '../site/site.ts';
import type { World } from '../world.ts';
import { plainText, escapedText } from './web-links.ts';
import { jsonText, type MemberChecks, type TextContext } from './json-text.ts';
import { emptyBodyFor, type JsonContext } from './json.ts';
import { presentGraph } from './jsonld.ts';
import { mediaTypes, represent, type Representation } from './represent.ts';
import { bundleOf, fetchTargets, referenceKeys, referencesOf, type Targets, targetsOf } from './targets.ts';

/**
 * Renders entities that the viewer may see, in slices. All targets are fetched in one call.
 * open: in JSON-LD every record is a graph of its own, as a serialised list of entities; no recording shows one.
 */
export const representList = async (
  entities: readonly Entity[],
  format: Format,
  context: JsonContext,
): Promise<{ readonly mediaType: Representation['mediaType']; readonly body: readonly JsonObject[] }> => {
  const keys = entities.flatMap((entity) =>
    referencesOf(bundleOf(context.site, entity)).flatMap((field) => referenceKeys(entity, field)),
  );
  const targets = await fetchTargets(context.store, keys);
  const store: JsonContext['store'] = { getMany: (wanted) => Promise.resolve(wanted.map((key) => targets.get(key))) };
  const records: JsonObject[] = [];
  const slices = beginSlices();
  for (const entity of entities) {
    if (slices.isOver()) await slices.next();
    records.push((await represent(entity, format, { ...context, store })).body);
  }
  return { mediaType: mediaTypes[format], body: records };
};

/** A longer list takes more time than a turn of the event loop should. */
const fewRecords = 20;

/**
 * The same without waiting, for a short list of records that are in memory with all that they refer to: as a text whose records
 * have passed the checks, or as an array. Undefined when it needs more.
 */
export const presentList = (
  entities: readonly Entity[],
  format: Format,
  context: TextContext & { readonly checks: MemberChecks | undefined },
): { readonly text: string } | { readonly body: readonly JsonObject[] } | undefined => {
  if (entities.length > fewRecords) return undefined;
  const { checks, ...textContext } = context;
  if (format === 'jsonld') {
    const graphs = entities.map((entity) => presentGraph(entity, textContext));
    return graphs.every((graph) => graph !== undefined) ? { body: graphs } : undefined;
  }
  const texts = checks && entities.map((entity) => keptText(entity, textContext, checks));
  return texts?.every((text) => text !== undefined) ? { text: `[${texts.join()}]` } : undefined;
};

type Target = { readonly key: EntityKey; readonly entity: Entity | undefined };

/** `emptyBody` stands for what the viewer may see of the record: viewers who see the same have the same object. */
type Kept = Pick<TextContext, 'site' | 'baseUrl' | 'basePath'> & {
  readonly checks: MemberChecks;
  readonly emptyBody: JsonObject;
  readonly targets: readonly Target[];
  readonly text: string;
};

/** The characters of each of the two generations, in this process. */
const maxCharacters = 4 * 1024 * 1024;

let young = new Map<Entity, Kept>();
let old = new Map<Entity, Kept>();
let characters = 0;

/** As `jsonText`. */
const keptText = (entity: Entity, context: TextContext, checks: MemberChecks): string | undefined => {
  const { site, baseUrl, basePath, viewer } = context;
  const emptyBody = emptyBodyFor(entity, visibleBundle(bundleOf(site, entity), entity, viewer), viewer, 'read');
  const kept = young.get(entity) ?? old.get(entity);
  const isSame =
    kept?.checks === checks &&
    kept.emptyBody === emptyBody &&
    kept.site === site &&
    kept.baseUrl === baseUrl &&
    kept.basePath === basePath;
  if (isSame && kept.targets.every((target) => context.targets.get(target.key) === target.entity)) return kept.text;
  const targets: Target[] = [];
  const text = jsonText(entity, { ...context, targets: observed(context.targets, targets) }, checks);
  if (text !== undefined) keep(entity, { site, baseUrl, basePath, checks, emptyBody, targets, text });
  return text;
};

const observed = (targets: TextContext['targets'], reads: Target[]): TextContext['targets'] => ({
  get: (key) => {
    const entity = targets.get(key);
    reads.push({ key, entity });
    return entity;
  },
});

const keep = (entity: Entity, kept: Kept): void => {
  if (characters > maxCharacters) {
    old = young;
    young = new Map();
    characters = 0;
  }
  young.set(entity, kept);
  characters += kept.text.length;
};

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
