/** Renders a list of entities. Each entity looks as it does alone. */
import { beginSlices } from '../content/long-work.ts';
import type { Entity, JsonObject } from '../model/entity.ts';
import type { Format } from '../site/site.ts';
import type { JsonContext } from './json.ts';
import { mediaTypes, represent, type Representation } from './represent.ts';
import { bundleOf, fetchTargets, referenceKeys } from './targets.ts';

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
    [...bundleOf(context.site, entity).fields.values()].flatMap((field) => referenceKeys(entity, field)),
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
