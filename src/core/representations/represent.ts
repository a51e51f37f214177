/** Renders an entity in one of the formats. */
import type { Entity, JsonObject } from '../model/entity.ts';
import type { Format } from '../site/site.ts';
import { renderJson, type JsonContext } from './json.ts';
import { jsonText, type MemberChecks, type TextContext } from './json-text.ts';
import { presentGraph, renderJsonLd } from './jsonld.ts';

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

/**
 * The same without waiting, for a record that is in memory with all that it refers to: as a text that has passed the checks, or
 * as an object. Undefined when it needs more.
 */
export const presentRepresentation = (
  entity: Entity,
  format: Format,
  { checks, ...context }: TextContext & { readonly checks: MemberChecks | undefined },
): { readonly text: string } | { readonly body: JsonObject } | undefined => {
  if (format === 'jsonld') {
    const body = presentGraph(entity, context);
    return body && { body };
  }
  const text = checks && jsonText(entity, context, checks);
  return text === undefined ? undefined : { text };
};
