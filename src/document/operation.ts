/** An operation of the document as the engine needs it: read once, when the document is loaded. */
import { providerNames, type ProviderName } from '../model/principal.ts';
import type { Format } from '../site/site.ts';
import type { DocumentObject } from './document.ts';

export const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT'] as const;
export type Method = (typeof methods)[number];

/** A path parameter: an id is a whole number, anything else stays text. */
export type PathParameter = { readonly name: string; readonly isId: boolean };

export type Operation = {
  readonly id: string;
  readonly method: Method;
  /** `/node/{node_id}`. */
  readonly path: string;
  readonly pathParameters: readonly PathParameter[];
  readonly queryNames: readonly string[];
  readonly headerNames: readonly string[];
  /** The last path parameter takes the rest of the path. */
  readonly isMultiSegment: boolean;
  /** Undefined when the operation has no `_format`. */
  readonly format: { readonly enabled: readonly Format[]; readonly required: boolean } | undefined;
  readonly hasHtmlPage: boolean;
  /** The reference's route name, with the method for REST resources, and its path pattern, for 404 texts (R 1.5). */
  readonly routeName: string;
  readonly pathPattern: string;
  readonly providers: readonly ProviderName[];
  readonly needsCsrfToken: boolean;
  readonly body: 'none' | 'json' | 'bytes';
  /** A request may come without its JSON: it is read as an object without members then. */
  readonly isBodyOptional: boolean;
  /** The media types that a body of bytes may have; none when any will do. */
  readonly byteTypes: readonly string[];
  /** Read as JSON whatever the Content-Type says. */
  readonly takesAnyContentType: boolean;
  /** Governed by a site's REST resource configuration. */
  readonly isResource: boolean;
  /** A GET of one entity, whose reply depends on path, format and viewer alone. */
  readonly isKeepable: boolean;
  /** Status → media types with a body; an empty list for a status without one. */
  readonly responses: ReadonlyMap<number, readonly string[]>;
  /** Status → names of headers that must be there. */
  readonly requiredHeaders: ReadonlyMap<number, readonly string[]>;
};

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: { readonly type?: string; readonly enum?: readonly string[] };
};

type RawResponse = {
  readonly content?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
};

type RawOperation = {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>>; readonly required?: boolean };
  readonly responses: Readonly<Record<string, RawResponse>>;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly 'x-resource'?: string;
  readonly 'x-html-page'?: boolean;
  readonly 'x-route'?: string;
  readonly 'x-path-pattern'?: string;
  readonly 'x-any-content-type'?: boolean;
  readonly 'x-csrf'?: boolean;
};

type PathItem = { readonly parameters?: readonly Parameter[]; readonly 'x-multi-segment'?: boolean } & Readonly<
  Record<string, RawOperation>
>;

/** Every operation of a dereferenced document. */
export const operationsOf = (document: DocumentObject): Operation[] =>
  // The document has been validated when it was loaded; these are its own shapes.
  Object.entries(document.paths as unknown as Record<string, PathItem>).flatMap(([path, item]) =>
    // validated document
    methods.flatMap((method) => {
      const raw = item[method.toLowerCase()];
      return raw === undefined ? [] : [read(path, item, method, raw)];
    }),
  );

const read = (path: string, item: PathItem, method: Method, raw: RawOperation): Operation => {
  // An operation's own parameter stands over its path's (OpenAPI 3.1 §4.8.9).
  const parameters = new Map(
    [...(item.parameters ?? []), ...(raw.parameters ?? [])].map((p) => [`${p.in} ${p.name}`, p]),
  );
  const named = (place: string): Parameter[] => [...parameters.values()].filter((parameter) => parameter.in === place);
  const isResource = raw['x-resource'] !== undefined;
  return {
    id: raw.operationId,
    method,
    path,
    pathParameters: named('path')
      .sort((a, b) => path.indexOf(`{${a.name}}`) - path.indexOf(`{${b.name}}`))
      .map(({ name, schema }) => ({ name, isId: schema?.type === 'integer' })),
    queryNames: named('query').map(({ name }) => name),
    headerNames: named('header').map(({ name }) => name.toLowerCase()),
    isMultiSegment: item['x-multi-segment'] === true,
    format: formatOf(parameters.get('query _format')),
    hasHtmlPage: raw['x-html-page'] === true,
    routeName: `${raw['x-route'] ?? raw.operationId}${isResource ? `.${method}` : ''}`,
    pathPattern: raw['x-path-pattern'] ?? path,
    providers: providersOf(raw),
    needsCsrfToken: raw['x-csrf'] === true,
    body: bodyOf(raw),
    isBodyOptional: raw.requestBody?.required === false,
    byteTypes: byteTypesOf(Object.keys(raw.requestBody?.content ?? {})),
    takesAnyContentType: raw['x-any-content-type'] === true,
    isResource,
    isKeepable:
      isResource &&
      method === 'GET' &&
      named('header').length === 0 &&
      named('query').every(({ name }) => name === '_format'),
    responses: mapResponses(raw, ({ content = {} }) => Object.keys(content)),
    requiredHeaders: mapResponses(raw, ({ headers = {} }) =>
      Object.keys(headers).filter((name) => headers[name]?.required === true),
    ),
  };
};

/** None where any will do. */
const byteTypesOf = (types: readonly string[]): readonly string[] =>
  types.includes('*/*') ? [] : types.filter((type) => type !== 'application/json');

const formatOf = (parameter: Parameter | undefined): Operation['format'] =>
  parameter === undefined
    ? undefined
    : {
        enabled: (parameter.schema?.enum ?? []).filter((name) => name === 'jsonld' || name === 'json'),
        required: parameter.required === true,
      };

const providersOf = (raw: RawOperation): ProviderName[] =>
  providerNames.filter((name) => raw.security?.some((requirement) => name in requirement));

const bodyOf = (raw: RawOperation): Operation['body'] => {
  if (raw.requestBody === undefined) return 'none';
  return 'application/json' in raw.requestBody.content ? 'json' : 'bytes';
};

const mapResponses = <T>(raw: RawOperation, map: (response: RawResponse) => T): ReadonlyMap<number, T> =>
  new Map(Object.entries(raw.responses).map(([status, response]) => [Number(status), map(response)]));
