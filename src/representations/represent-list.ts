/** Lists of records: each one as it stands alone, in one list. Which records are in it is not decided here. */
import type { Entity, JsonObject } from '../model/entity.ts';
import type { Format } from '../site/site.ts';
import type { JsonContext } from './json.ts';
import { represent } from './represent.ts';
import { bundleOf, fetchTargets, referenceKeys } from './targets.ts';

export type ListRepresentation =
  | { readonly mediaType: 'application/json'; readonly body: readonly JsonObject[] }
  | { readonly mediaType: 'application/ld+json'; readonly body: readonly JsonObject[] };

/**
 * Renders entities that the viewer may see. Everything they refer to is fetched in one call (house 1.12).
 * open: in JSON-LD every record is a graph of its own, as a serialised list of entities; no recording shows one.
 */
export const representList = async (
  entities: readonly Entity[],
  format: Format,
  context: JsonContext,
): Promise<ListRepresentation> => {
  const keys = entities.flatMap((entity) =>
    [...bundleOf(context.site, entity).fields.values()].flatMap((field) => referenceKeys(entity, field)),
  );
  const targets = await fetchTargets(context.store, keys);
  const store: JsonContext['store'] = { getMany: (wanted) => Promise.resolve(wanted.map((key) => targets.get(key))) };
  const records = await Promise.all(entities.map((entity) => represent(entity, format, { ...context, store })));
  return {
    mediaType: format === 'jsonld' ? 'application/ld+json' : 'application/json',
    body: records.map(({ body }) => body),
  };
};
