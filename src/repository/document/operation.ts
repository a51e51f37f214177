/** Reads the operations of a document into the form that the engine uses. Runs once for each document. */
import type { HostedOperation } from '../../openapi/openapi-host.ts';
import {
  createReferences,
  type Operation as DescribedOperation,
  operationsOf as describedOperations,
} from '../../openapi/openapi-parts.ts';
import { providerNames, type ProviderName } from '../model/principal.ts';
import { referredTypes } from '../model/entity.ts';
import type { Format } from '../site/site.ts';
import {
  type DocumentObject,
  type Part,
  partOf,
  type RawOperation,
  writtenOperations,
} from '../../openapi/openapi-terms.ts';

export const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT'] as const;
export type Method = (typeof methods)[number];
const isOwnMethod = (method: string): method is Method => methods.some((each) => each === method);

/**
 * `isId`: a whole number; other parameters stay text. `routeName` is Drupal's name of it, which is at the same position in
 * Drupal's pattern: `node` for `node_id`.
 */
type PathParameter = { readonly name: string; readonly isId: boolean; readonly routeName: string };

export type Operation = Omit<HostedOperation, 'method' | 'pathParameters' | 'format' | 'providers'> & {
  readonly method: Method;
  readonly pathParameters: readonly PathParameter[];
  /** Undefined when the operation has no `_format`. */
  readonly format: { readonly enabled: readonly Format[]; readonly required: boolean } | undefined;
  readonly hasHtmlPage: boolean;
  /** Drupal's route name, with the method for REST resources, and its path pattern. The texts of 404 hold both. */
  readonly routeName: string;
  readonly pathPattern: string;
  readonly providers: readonly ProviderName[];
  /** The body is read as JSON, whatever the Content-Type says. */
  readonly takesAnyContentType: boolean;
  /** The body may have any length: the limit of uploads is for each file in it. */
  readonly takesAnyLength: boolean;
  /** Its body may be any JSON value, with names and texts that no record of the repository has. */
  readonly takesAnyJson: boolean;
  /** A site's REST resource configuration decides about the operation. */
  readonly isResource: boolean;
  /** A GET whose reply depends only on records, on path, query and format, and on the principal. */
  readonly isCacheable: boolean;
  /** Whether it has other parameters in the query than `_format`. */
  readonly readsQuery: boolean;
  /** The type of the entity that a GET represents in the chosen format. Its id is the path's parameter. */
  readonly represents: string | undefined;
};

/** The operation that a host gives back: this application has read it. */
export const repositoryOperation = (operation: HostedOperation): Operation => operation as Operation;

/** Whether the operation accepts credentials of this provider. Undefined: none were sent. */
export const acceptsProvider = ({ providers }: Operation, provider: ProviderName | undefined): boolean =>
  provider === undefined || providers.includes(provider);

/** What our own document says of an operation in members that OpenAPI does not have. */
type OwnOperation = RawOperation & {
  readonly 'x-list'?: boolean;
  readonly 'x-html-page'?: boolean;
  readonly 'x-route'?: string;
  readonly 'x-path-pattern'?: string;
  readonly 'x-any-content-type'?: boolean;
  readonly 'x-any-length'?: boolean;
  readonly 'x-any-json'?: boolean;
  readonly 'x-csrf'?: boolean;
};

type Parameter = DescribedOperation['parameters'][number];

/** Every operation of a dereferenced document. */
export const operationsOf = (document: DocumentObject): Operation[] => {
  const described = new Map(
    describedOperations(document, createReferences(document)).map((each) => [`${each.method} ${each.path}`, each]),
  );
  return writtenOperations(document).flatMap(({ path, method, item, operation }) => {
    const found = described.get(`${method} ${path}`);
    // validated document
    return found === undefined || !isOwnMethod(method) ? [] : [read(found, item, method, operation as OwnOperation)];
  });
};

const read = (described: DescribedOperation, item: Part, method: Method, raw: OwnOperation): Operation => {
  const { path } = described;
  const parametersIn = (part: string): Parameter[] => described.parameters.filter((each) => each.in === part);
  const format = parametersIn('query').find(({ name }) => name === '_format');
  const isResource = raw['x-resource'] !== undefined;
  const pathPattern = raw['x-path-pattern'] ?? path;
  const routeNames = [...pathPattern.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const isCacheable = (isResource || raw['x-list'] === true) && method === 'GET' && parametersIn('header').length === 0;
  const readsQuery = parametersIn('query').some(({ name }) => name !== '_format');
  return {
    id: raw.operationId,
    ...{ method, path, described },
    pathParameters: parametersIn('path')
      .sort((a, b) => path.indexOf(`{${a.name}}`) - path.indexOf(`{${b.name}}`))
      .map(({ name, schema }, at) => ({
        name,
        isId: partOf(schema)['type'] === 'integer',
        routeName: routeNames[at] ?? name,
      })),
    queryNames: parametersIn('query').map(({ name }) => name),
    isMultiSegment: item['x-multi-segment'] === true,
    format: formatOf(format, raw),
    hasHtmlPage: raw['x-html-page'] === true,
    routeName: `${raw['x-route'] ?? raw.operationId}${isResource ? `.${method}` : ''}`,
    pathPattern,
    providers: providersOf(raw),
    needsCsrfToken: raw['x-csrf'] === true,
    body: bodyOf(raw),
    isBodyOptional: raw.requestBody?.required === false,
    byteTypes: byteTypesOf(Object.keys(raw.requestBody?.content ?? {})),
    takesAnyContentType: raw['x-any-content-type'] === true,
    takesAnyLength: raw['x-any-length'] === true,
    takesAnyJson: raw['x-any-json'] === true,
    isResource,
    isCacheable,
    readsQuery,
    represents: isCacheable && !readsQuery && format !== undefined ? entityTypeOf(raw) : undefined,
    responses: new Map(
      [...described.responses.values()].map(({ key, media }) => [Number(key), media.map(({ type }) => type)]),
    ),
  };
};

const entityTypeOf = (raw: OwnOperation): string | undefined =>
  referredTypes.find((type) => type === raw['x-resource']);

const byteTypesOf = (types: readonly string[]): readonly string[] =>
  types.includes('*/*') ? [] : types.filter((type) => type !== 'application/json');

const isFormat = (name: string): name is Format => name === 'jsonld' || name === 'json';

/** The formats that `_format` names or, where it may be any text, those of the answers. Without any there is nothing to choose. */
const formatOf = (parameter: Parameter | undefined, { responses }: OwnOperation): Operation['format'] => {
  if (parameter === undefined) return undefined;
  const { const: only, enum: listed = only === undefined ? undefined : [only] } = partOf(parameter.schema);
  const names = Array.isArray(listed) ? listed.map(String) : undefined;
  const answered = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    status.startsWith('2') ? Object.keys(content).map((type) => formatOfType[type] ?? '') : [],
  );
  const enabled = [...new Set((names ?? answered).filter(isFormat))];
  return enabled.length === 0 ? undefined : { enabled, required: parameter.isRequired };
};

const formatOfType: Readonly<Record<string, Format>> = { 'application/json': 'json', 'application/ld+json': 'jsonld' };

const providersOf = (raw: OwnOperation): ProviderName[] =>
  providerNames.filter((name) => raw.security?.some((requirement) => name in requirement));

const bodyOf = (raw: OwnOperation): Operation['body'] => {
  if (raw.requestBody === undefined) return 'none';
  return 'application/json' in raw.requestBody.content ? 'json' : 'bytes';
};
