/** Renders a list of entities. Each entity looks as it does alone. */
import { beginSlices } from '../../basics/long-work.ts';
import type { Entity, JsonObject } from '../model/entity.ts';
import type { Format } from '../site/site.ts';
import type { JsonContext } from './json.ts';
import type { MemberChecks, TextContext } from './json-text.ts';
import { presentGraph } from './jsonld.ts';
import { keptText } from './kept-texts.ts';
import { mediaTypes, represent, type Representation } from './represent.ts';
import { bundleOf, fetchTargets, referenceKeys, referencesOf } from './targets.ts';

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
