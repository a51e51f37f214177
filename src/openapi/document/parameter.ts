/** Reads the Parameter Objects of a document (OpenAPI 3.1 §4.8.12). */
import { isRecord } from '../../basics/json.ts';

export type Place = 'path' | 'query' | 'header' | 'cookie';

export type Parameter = {
  readonly name: string;
  readonly in: Place;
  readonly style: string;
  readonly explode: boolean;
  readonly isRequired: boolean;
  /** `?flag` and `?flag=` are allowed, whatever the schema says. */
  readonly allowsEmpty: boolean;
  /** As it is in the document. Undefined: any value. */
  readonly schema: unknown;
  /** The first that the document has. Undefined without one. */
  readonly example?: unknown;
  /** Where `content` describes the value in place of a style. */
  readonly mediaType: string | undefined;
};

/** Reads a Parameter Object without a reference. Undefined for one that has no effect, such as a header `Accept` (§4.8.12.1). */
export const parameterOf = (written: Readonly<Record<string, unknown>>): Parameter | undefined => {
  const { name, in: place, content } = written;
  if (typeof name !== 'string' || !isPlace(place)) return undefined;
  if (place === 'header' && ignoredHeaders.has(name.toLowerCase())) return undefined;
  const [mediaType, media] = isRecord(content) ? (Object.entries(content)[0] ?? []) : [];
  const style = typeof written['style'] === 'string' ? written['style'] : defaultStyles[place];
  return {
    ...{ name, in: place, style, mediaType },
    explode: typeof written['explode'] === 'boolean' ? written['explode'] : style === 'form' || style === 'deepObject',
    isRequired: written['required'] === true || place === 'path',
    allowsEmpty: place === 'query' && written['allowEmptyValue'] === true,
    schema: isRecord(media) ? media['schema'] : written['schema'],
    example: exampleIn(isRecord(media) ? media : written),
  };
};

const exampleIn = ({ example, examples }: Readonly<Record<string, unknown>>): unknown => {
  const [first] = isRecord(examples) ? Object.values(examples) : [];
  return example ?? (isRecord(first) ? first['value'] : undefined);
};

const isPlace = (place: unknown): place is Place =>
  place === 'path' || place === 'query' || place === 'header' || place === 'cookie';

const ignoredHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

const defaultStyles: Readonly<Record<Place, string>> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form',
};
