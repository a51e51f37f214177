/** Makes the request that a handler gets: its parameters, its session, and the 404 for an entity that is not there. */
import type { Address } from '../content/views.ts';
import type { Operation } from '../document/operation.ts';
import { decodedUri } from '../model/uri.ts';
import type { PathMatch } from '../../openapi/openapi-parts.ts';
import type { Access } from '../access/access.ts';
import { readSessionCookie } from '../access/cookie-auth.ts';
import { type Advice, type PlainRequest, adviceOf } from '../../openapi/openapi-host.ts';
import type { Identity } from '../model/principal.ts';
import type { Format } from '../site/site.ts';
import type { World } from '../world.ts';
import type { MatchedRequest } from './engine-options.ts';
import type { AnyRequest, ContractRequest } from './handler.ts';
import { notConverted, notFound, type Problem } from '../../openapi/openapi-terms.ts';

/** A whole number of at most 16 digits, without leading zeros or signs, so that an entity has one address. 0 is the anonymous account. */
const idPattern = /^(?:0|[1-9][0-9]{0,15})$/;

/** One with an invalid escape stays as it is, so it names nothing. */
const textOf = (piece = ''): string => (piece.includes('%') ? decodedUri(piece) : piece);

/** Nearly every query is only `_format=…`. Parsing it as a form would take as long as the rest of the answer. */
export const readQuery = (text: string): Pick<URLSearchParams, 'get'> => {
  const format = /^_format=([a-z]+)$/.exec(text)?.[1];
  if (format !== undefined) return { get: (name) => (name === '_format' ? format : null) };
  const parameters = new URLSearchParams(text);
  // The real site takes the last value of a parameter that was sent twice.
  return { get: (name) => parameters.getAll(name).at(-1) ?? null };
};

/** Whether a path has something else where an operation has an id. */
export const hasInvalidIds = ({ value: operations, pieces }: PathMatch<Operation>): boolean => {
  // The operations of a path have the same parameters.
  const { value: operation } = operations.values().next();
  return operation !== undefined && invalidIdIn(operation, pieces) !== undefined;
};

const invalidIdIn = ({ pathParameters }: Operation, pieces: PathMatch['pieces']): string | undefined =>
  pathParameters.find(({ name, isId }) => isId && !idPattern.test(textOf(pieces[name])))?.name;

/** Throws 404 for an id of another form. */
export const refuseInvalidIds = (operation: Operation, { pieces }: PathMatch<Operation>, request: AnyRequest): void => {
  const invalid = invalidIdIn(operation, pieces);
  if (invalid !== undefined) throw request.absent(invalid);
};

/** The 404 for a parameter that names nothing. It has Drupal's name of the parameter. */
export const absentProblem = (operation: Operation, method: string, url: string, parameter: string): Problem => {
  if (operation.isMultiSegment) return notFound(`No route found for "${method} ${url}"`);
  const { routeName = parameter } = operation.pathParameters.find(({ name }) => name === parameter) ?? {};
  return notConverted(routeName, operation.pathPattern, operation.routeName);
};

/** The address of the entity whose id the path parameter has, with the 404 of the request's route. */
export const entityAt = <Path extends { readonly [N in Name]: number }, Name extends keyof Path & string>(
  request: Pick<ContractRequest<Path, unknown>, 'path' | 'absent'>,
  type: string,
  parameter: Name,
): Address => ({ type, id: request.path[parameter], absent: () => request.absent(parameter) });

export const contractRequest = (
  options: Parameters<typeof adviceOf>[1],
  matched: MatchedRequest,
  { identity, format }: { readonly identity: Identity; readonly format: Format },
  { advice, world }: { readonly advice: Advice[]; readonly world: World },
): AnyRequest => {
  const { request, operation, url } = matched;
  return {
    path: pathOf(matched),
    query: queryOf(matched),
    ...{ headers: request.headers, identity, format },
    target: request.query === '' ? request.path : `${request.path}?${request.query}`,
    address: request.address,
    session: sessionIn(request.headers, world.access),
    absent: (parameter) => absentProblem(operation, request.method, url, parameter),
    // Only what has a body can be changed on its way.
    advise: operation.body === 'none' ? undefined : adviceOf(request, options, advice),
  };
};

/** In the order of the document, in which links repeat them. */
const queryOf = ({ operation, read }: MatchedRequest): AnyRequest['query'] => {
  const { query } = read().values;
  return Object.fromEntries(operation.queryNames.map((name) => [name, query[name]]));
};

/** The document has texts and whole numbers in paths. */
export const pathOf = ({ read }: MatchedRequest): AnyRequest['path'] => read().values.path as AnyRequest['path'];

/** The value of the session cookie, if the client sent one. */
export const sessionIn = (headers: PlainRequest['headers'], { cookieName }: Access): string | undefined =>
  headers['cookie'] === undefined ? undefined : readSessionCookie(headers, cookieName);
