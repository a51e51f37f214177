/** Builds the JSON Schemas of tools, each with the TypeScript type of the values that it allows. */

/** A JSON Schema (2020-12). `sample` is there for the type alone and never has a value. */
export type Shape<T> = { readonly json: JsonSchema; readonly sample?: T };
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A member of an object that may be left out. */
type Optional<T> = Shape<T> & { readonly isOptional: true };

type Members = Readonly<Record<string, Shape<unknown> | Optional<unknown>>>;
type OptionalName<M extends Members> = { [N in keyof M]: M[N] extends Optional<unknown> ? N : never }[keyof M];
type ValueOf<S> = S extends Shape<infer T> ? T : never;

/** The object with these members. */
type Structure<M extends Members> = {
  readonly [N in Exclude<keyof M, OptionalName<M>>]: ValueOf<M[N]>;
} & { readonly [N in OptionalName<M>]?: ValueOf<M[N]> | undefined };

/** Keywords of a text: `pattern`, `maxLength`. */
export const text = (description: string, rules: JsonSchema = {}): Shape<string> => ({
  json: { type: 'string', description, ...rules },
});

export const choice = <const N extends string>(names: readonly N[], description: string): Shape<N> => ({
  json: { type: 'string', enum: names, description },
});

/** A whole number. Keywords: `minimum`, `maximum`. */
export const whole = (description: string, rules: JsonSchema = {}): Shape<number> => ({
  json: { type: 'integer', description, ...rules },
});

export const number = (description: string, rules: JsonSchema = {}): Shape<number> => ({
  json: { type: 'number', description, ...rules },
});

export const flag = (description: string): Shape<boolean> => ({ json: { type: 'boolean', description } });

export const list = <T>(items: Shape<T>, description: string, rules: JsonSchema = {}): Shape<readonly T[]> => ({
  json: { type: 'array', items: items.json, description, ...rules },
});

/** An object with any names. */
export const table = <T>(values: Shape<T>, description: string): Shape<Readonly<Record<string, T>>> => ({
  json: { type: 'object', additionalProperties: values.json, description },
});

/** JSON of these types. */
export const json = (
  types: readonly ('object' | 'array' | 'string' | 'number' | 'boolean')[],
  description: string,
): Shape<unknown> => ({
  // A list of types in `type` is valid, but not every client of MCP understands it.
  json: { anyOf: types.map((type) => ({ type })), description },
});

/** An object with any members. */
export const anyObject = (description: string): Shape<Readonly<Record<string, unknown>>> => ({
  json: { type: 'object', additionalProperties: true, description },
});

export const optional = <T>(shape: Shape<T>): Optional<T> => ({ ...shape, isOptional: true });

/** An object with these members and no others. */
export const structure = <M extends Members>(members: M, description?: string): Shape<Structure<M>> => {
  const required = Object.entries(members).flatMap(([name, member]) => ('isOptional' in member ? [] : [name]));
  return {
    json: {
      type: 'object',
      description,
      properties: Object.fromEntries(Object.entries(members).map(([name, { json }]) => [name, json])),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
  };
};
