/** Renders an entity in one of the formats. */
import type { Entity, JsonObject } from '../model/entity.ts';
import type { Format } from '../site/site.ts';
import { renderJson, type JsonContext } from './json.ts';
import { renderJsonLd } from './jsonld.ts';

export type Representation =
  | { readonly mediaType: 'application/json'; readonly body: JsonObject }
  | { readonly mediaType: 'application/ld+json'; readonly body: JsonObject };

/** The media type of each format. */
export const mediaTypes: { readonly [F in Format]: Representation['mediaType'] } = {
  json: 'application/json',
  jsonld: 'application/ld+json',
};

/** Renders an entity that the viewer may see. */
export const represent = async (entity: Entity, format: Format, context: JsonContext): Promise<Representation> =>
  format === 'jsonld'
    ? { mediaType: 'application/ld+json', body: await renderJsonLd(entity, context) }
    : { mediaType: 'application/json', body: await renderJson(entity, context) };
