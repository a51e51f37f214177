/** Represents an entity, or a list of entities, in one of the formats. */
import { eachOf } from '../model/reading.ts';
import type { Format } from '../site/site.ts';
import { renderJson } from './json.ts';
import type { JsonContext } from '../fields/field-type.ts';
import { jsonText, type MemberChecks } from './json-text.ts';
import { renderJsonLd } from './jsonld.ts';
import type { Entity } from '../../openapi/openapi-records.ts';
import type { JsonObject } from '../../basics/json.ts';

/** The media type of each format. */
export const mediaTypes = {
  json: 'application/json',
  jsonld: 'application/ld+json',
} as const satisfies { readonly [F in Format]: string };

/**
 * The JSON of one record or of a list. The last station writes it: as a text that is checked on the way, or as an object where
 * there are no such checks. It is read from the records that the request sees.
 */
export class JsonBody {
  readonly shape: 'record' | 'list';
  private readonly entities: readonly Entity[];
  private readonly context: JsonContext;

  constructor(shape: 'record' | 'list', entities: readonly Entity[], context: JsonContext) {
    this.shape = shape;
    this.entities = entities;
    this.context = context;
  }

  /** Undefined where a record is not as the document says. */
  text(checks: MemberChecks): string | undefined {
    const [entity] = this.entities;
    if (this.shape === 'record') return entity && jsonText(entity, this.context, checks);
    const texts = inTurns(this.entities, (each) => jsonText(each, this.context, checks), this.context, 'text');
    // `join` would copy every text.
    let list = '[';
    for (const text of texts) {
      if (text === undefined) return undefined;
      list += list === '[' ? text : `,${text}`;
    }
    return `${list}]`;
  }

  value(): JsonObject | readonly JsonObject[] {
    const [entity] = this.entities;
    if (this.shape === 'record' && entity !== undefined) return renderJson(entity, this.context, 'read');
    return inTurns(this.entities, (each) => renderJson(each, this.context, 'read'), this.context, 'object');
  }
}

/** More records take more time than a turn of the event loop should. */
const fewRecords = 20;

const inTurns = <T>(
  entities: readonly Entity[],
  write: (entity: Entity) => T,
  { records }: JsonContext,
  name: string,
): readonly T[] => eachOf(entities, write, { records, name, few: fewRecords });

type Body<T> = { readonly mediaType: (typeof mediaTypes)[Format]; readonly body: JsonBody | T };

/** Represents an entity that the viewer may see. */
export const represent = (entity: Entity, format: Format, context: JsonContext): Body<JsonObject> => ({
  mediaType: mediaTypes[format],
  body: format === 'jsonld' ? renderJsonLd(entity, context) : new JsonBody('record', [entity], context),
});

/**
 * Represents entities that the viewer may see: each looks as it does alone.
 * open: in JSON-LD every record is a graph of its own, as a serialised list of entities; no recording shows one.
 */
export const representList = (
  entities: readonly Entity[],
  format: Format,
  context: JsonContext,
): Body<readonly JsonObject[]> => ({
  mediaType: mediaTypes[format],
  body:
    format === 'jsonld'
      ? inTurns(entities, (entity) => renderJsonLd(entity, context), context, 'graph')
      : new JsonBody('list', entities, context),
});
