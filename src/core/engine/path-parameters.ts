/** Reads the parameters of a path and of a query, and makes the address of the entity that they name or the 404 for an absent one. */
import type { Address } from '../content/views.ts';
import type { Operation } from '../document/operation.ts';
import type { EntityType } from '../model/entity.ts';
import { notConverted, notFound, type Problem } from '../problem.ts';
import type { AnyRequest, ContractRequest } from './handler.ts';
import type { Match } from './router.ts';

/** A whole number of at most 16 digits, without leading zeros or signs, so that an entity has one address. 0 is the anonymous account. */
const idPattern = /^(?:0|[1-9][0-9]{0,15})$/;

/** The parameters by name. An id that does not match `idPattern` becomes NaN. */
export const pathValues = ({ pathParameters }: Operation, { values }: Match): AnyRequest['path'] =>
  Object.fromEntries(
    pathParameters.map(({ name, isId }) => {
      const text = values[name] ?? '';
      return [name, isId ? (idPattern.test(text) ? Number(text) : Number.NaN) : text];
    }),
  );

/** Nearly every query is only `_format=…`. Parsing it as a form would take as long as the rest of the answer. */
export const readQuery = (text: string): Pick<URLSearchParams, 'get'> => {
  const format = /^_format=([a-z]+)$/.exec(text)?.[1];
  if (format !== undefined) return { get: (name) => (name === '_format' ? format : null) };
  const parameters = new URLSearchParams(text);
  // The real site takes the last value of a parameter that was sent twice.
  return { get: (name) => parameters.getAll(name).at(-1) ?? null };
};

/** The parameters of the query that the operation has, by name. */
export const queryValues = (
  { queryNames }: Operation,
  query: { get(name: string): string | null },
): Record<string, string | undefined> =>
  Object.fromEntries(queryNames.map((name) => [name, query.get(name) ?? undefined]));

/** Whether a path has something else where an operation has an id. */
export const hasInvalidIds = ({ operations, values }: Match): boolean => {
  // The operations of a path have the same parameters.
  const { value: operation } = operations.values().next();
  return operation?.pathParameters.some(({ name, isId }) => isId && !idPattern.test(values[name] ?? '')) ?? false;
};

/** Throws 404 for an id that `pathValues` made NaN. */
export const refuseInvalidIds = ({ pathParameters }: Operation, request: AnyRequest): void => {
  const invalid = pathParameters.find(({ name }) => Number.isNaN(request.path[name]));
  if (invalid !== undefined) throw request.absent(invalid.name);
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
  type: EntityType,
  parameter: Name,
): Address => ({ type, id: request.path[parameter], absent: () => request.absent(parameter) });
