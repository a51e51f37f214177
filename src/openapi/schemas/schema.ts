/** Defines a schema of a document or of the dialect. */

export type SchemaObject = Readonly<Record<string, unknown>>;
export type Schema = boolean | SchemaObject;

/** `readOnly` members are not required in a request, `writeOnly` members not in a response (OpenAPI 3.1 §4.8.24). */
export type Direction = 'request' | 'response';
