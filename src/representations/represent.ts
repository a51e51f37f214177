/** Renders an entity in one of the formats. */
import type { Entity, JsonObject } from '../model/entity.ts';
import type { Format } from '../site/site.ts';
import { renderJson, type JsonContext } from './json.ts';
import { renderJsonLd } from './jsonld.ts';

/** The media type of each format. */
export const mediaTypes = {
  json: 'application/json',
  jsonld: 'application/ld+json',
} as const satisfies { readonly [F in Format]: string };

export type Representation = { readonly mediaType: (typeof mediaTypes)[Format]; readonly body: JsonObject };

/** Renders an entity that the viewer may see. */
export const represent = async (entity: Entity, format: Format, context: JsonContext): Promise<Representation> => ({
  mediaType: mediaTypes[format],
  body: await (format === 'jsonld' ? renderJsonLd(entity, context) : renderJson(entity, context, 'read')),
});
