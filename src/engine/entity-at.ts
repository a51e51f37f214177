/** From a path parameter to the entity it names. */
import type { EntityType } from '../model/entity.ts';
import type { Address } from '../content/repository.ts';
import type { ContractRequest } from './handler.ts';

/** The address of the entity of a type that a path parameter names, with the route's own 404. */
export const entityAt = <Path extends { readonly [N in Name]: number }, Name extends keyof Path & string>(
  request: Pick<ContractRequest<Path, unknown>, 'path' | 'absent'>,
  type: EntityType,
  parameter: Name,
): Address => ({ type, id: request.path[parameter], absent: () => request.absent(parameter) });
