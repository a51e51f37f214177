/** Reads the fields of a body of `application/x-www-form-urlencoded`. */
import { isJsonType } from '../media-type.ts';
import type { Media } from '../document/operation.ts';
import type { Parameter } from '../document/parameter.ts';
import { readerOf } from './parameters.ts';
import type { Schemas } from '../schemas/schemas.ts';
import { createValues, setOwn, type Values } from '../schemas/values.ts';
import type { Violation } from '../schemas/violations.ts';

type ReadFields = {
  readonly value: Readonly<Record<string, unknown>>;
  /** Fields whose text is not written as their encoding says. */
  readonly unreadable: readonly Violation[];
};

/** Each member of a form's schema as a parameter of a query: forms are written by the same rules (OpenAPI 3.1 §4.8.15). */
export const readUrlEncoded = (media: Media, text: string, schemas: Schemas): ReadFields => {
  const values = createValues(schemas);
  const { names, member } = values.outline(media.schema ?? true);
  const fields = names.map((name) => fieldOf(name, member(name), media, values));
  const { values: read, violations } = readerOf(fields, schemas)({ path: {}, query: text, headers: {} });
  const value: Record<string, unknown> = { ...read.query };
  for (const [name, texts] of unnamed(text, fields, values)) setOwn(value, name, othersOf(texts, member(name), values));
  const unreadable = violations
    .filter(({ rule }) => rule === undefined)
    .map((each) => ({ ...each, pointer: each.pointer.replace('/query', '/requestBody') }));
  return { value, unreadable };
};

/** Without an encoding, an object in a field is JSON. */
const fieldOf = (name: string, schema: unknown, media: Media, values: Values): Parameter => {
  const { style, explode, contentType, allowReserved } = media.encoding[name] ?? {};
  const isStyled = style !== undefined || explode !== undefined || allowReserved !== undefined;
  const written = typeof style === 'string' ? style : 'form';
  const json =
    !isStyled &&
    (typeof contentType === 'string' ? isJsonType(contentType) : values.outline(schema).types.has('object'));
  return {
    ...{ name, in: 'query', style: written, schema, allowsEmpty: false, isRequired: false },
    explode: typeof explode === 'boolean' ? explode : written === 'form' || written === 'deepObject',
    mediaType: json ? 'application/json' : undefined,
  };
};

/** The fields that the schema does not name. */
const unnamed = (text: string, fields: readonly Parameter[], values: Values): Map<string, string[]> => {
  const spread = fields.filter(
    ({ style, explode, mediaType }) => style === 'form' && explode && mediaType === undefined,
  );
  const members = new Set(
    spread.flatMap(({ schema }) => (values.outline(schema).types.has('object') ? values.outline(schema).names : [])),
  );
  const known = new Set(fields.map(({ name }) => name));
  const others = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (known.has(name) || members.has(name) || known.has(name.replace(/\[.*$/, ''))) continue;
    others.set(name, [...(others.get(name) ?? []), value]);
  }
  return others;
};

const othersOf = (texts: readonly string[], schema: unknown, values: Values): unknown =>
  texts.length > 1 || values.outline(schema).types.has('array')
    ? values.list(texts, schema)
    : values.fromText(texts[0] ?? '', schema);
