/** A dereferenced document as its tests look at it: operations, everything that has examples, what does not fit its schema. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export type Schema = Readonly<Record<string, unknown>>;
type Example = { readonly value: unknown };
/** What media types, parameters and headers have in common. */
export type Exemplified = { schema?: Schema; example?: unknown; examples?: Record<string, Example> };
export type Response = {
  description: string;
  headers?: Record<string, Exemplified>;
  content?: Record<string, Exemplified>;
};
export type Parameter = Exemplified & { name: string; in: string; required?: boolean; 'x-multi-segment'?: boolean };
export type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Exemplified> };
  responses: Record<string, Response>;
} & Record<`x-${string}`, unknown>;
export type PathItem = { parameters?: Parameter[] } & Partial<Record<Method, Operation>> &
  Record<`x-${string}`, unknown>;
export type Document = {
  openapi: string;
  tags: { name: string }[];
  paths: Record<string, PathItem>;
  components: Record<string, Record<string, Schema>> & {
    schemas: Record<string, Schema>;
    headers: Record<string, Exemplified>;
    responses: Record<string, Response>;
  };
};
export type Method = (typeof methods)[number];
export type Located = { path: string; method: Method; operation: Operation; item: PathItem };

export const methods = ['get', 'head', 'post', 'patch', 'delete', 'put'] as const;

/** Every operation of a document, with where it stands. */
export const locate = (document: Document): Located[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation, item }] : [];
    }),
  );

const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
addFormats.default(ajv);

/** By their text: the documents of most sites have most of their schemas in common. */
const compiled = new Map<string, ValidateFunction>();
const checkOf = (schema: Schema): ValidateFunction => {
  const text = JSON.stringify(schema);
  const known = compiled.get(text) ?? ajv.compile(schema);
  compiled.set(text, known);
  return known;
};

/** What a schema has to say against a value. */
export const complaints = (schema: Schema, value: unknown): string[] => {
  const validate = checkOf(schema);
  return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`);
};

/** The examples of a holder by name; a sole one is called `example`. */
export const examplesOf = (holder: Exemplified): [string, unknown][] => [
  ...('example' in holder ? [['example', holder.example] satisfies [string, unknown]] : []),
  ...Object.entries(holder.examples ?? {}).map(([name, example]): [string, unknown] => [name, example.value]),
];

/** Everything that can have examples, with where it stands. */
export const holdersOf = (document: Document): [string, Exemplified][] => [
  ...locate(document).flatMap(({ operation: { operationId, ...rest }, item }): [string, Exemplified][] => [
    ...[...(item.parameters ?? []), ...(rest.parameters ?? [])].map((parameter): [string, Exemplified] => [
      `${operationId} parameter ${parameter.name}`,
      parameter,
    ]),
    ...Object.entries(rest.requestBody?.content ?? {}).map(([type, media]): [string, Exemplified] => [
      `${operationId} request ${type}`,
      media,
    ]),
    ...Object.entries(rest.responses).flatMap(([status, response]) => answers(`${operationId} ${status}`, response)),
  ]),
  ...Object.entries(document.components.responses).flatMap(([name, response]) => answers(`response ${name}`, response)),
  ...Object.entries(document.components.headers).map(([name, header]): [string, Exemplified] => [
    `header ${name}`,
    header,
  ]),
];

const answers = (where: string, response: Response): [string, Exemplified][] => [
  ...Object.entries(response.headers ?? {}).map(([name, header]): [string, Exemplified] => [
    `${where} ${name}`,
    header,
  ]),
  ...Object.entries(response.content ?? {}).map(([type, media]): [string, Exemplified] => [`${where} ${type}`, media]),
];

/** The properties of named schemas that do not say what they are. */
export const silentIn = (document: Document): string[] =>
  Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties as Readonly<Record<string, Schema>>).flatMap(([property, { description }]) =>
      typeof description === 'string' && /\w{2}/.test(description) ? [] : [`${name}.${property}`],
    ),
  );

/** Every example that does not fit its schema, with what the schema says. */
export const misfitsOf = (document: Document): string[] =>
  holdersOf(document).flatMap(([where, holder]) =>
    examplesOf(holder).flatMap(([name, value]) =>
      complaints(holder.schema ?? {}, value).map((complaint) => `${where} ${name}: ${complaint}`),
    ),
  );

/** Both: what must be empty for the document of any site. */
export const faultsOf = (document: Document): string[] => [...misfitsOf(document), ...silentIn(document)];
