/** Which spellings of a path are one for the repository, and which operations it has there. */
import { createOperationRouter, type Match, type Router } from '../../openapi/openapi-terms.ts';
import type { HostedOperation } from '../../openapi/openapi-host.ts';
import type { Operation } from '../document/operation.ts';

/** The pieces of the parameters are as they were sent. */
export type PathMatch<Of = Operation> = Match<ReadonlyMap<string, Of>>;
export type PathRouter<Of = Operation> = Router<ReadonlyMap<string, Of>>;

/**
 * Takes undecoded paths without the query. Compares them exactly, so that a resource has one address: case counts, fixed
 * segments are not percent-decoded. Only a slash at the end is ignored, except in a parameter that takes the rest of the path.
 */
export const createPathRouter = <Of extends HostedOperation>(operations: readonly Of[]): PathRouter<Of> =>
  createOperationRouter(
    operations,
    ({ path, method, isMultiSegment }) => ({ path, method, takesRest: isMultiSegment }),
    { isExact: true, ignoresLastSlash: true },
  );

/** The operation of a method, HEAD being GET. */
export const operationFor = <Of>(match: PathMatch<Of> | undefined, method: string): Of | undefined =>
  match?.value.get(method === 'HEAD' ? 'GET' : method);
