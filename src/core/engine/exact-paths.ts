/** Which spellings of a path are one for the repository, and which operations it has there. */
import { createOperationRouter, type Match, type Router } from '../../openapi/openapi-terms.ts';
import type { Method, Operation } from '../document/operation.ts';

/** The pieces of the parameters are as they were sent. */
export type PathMatch = Match<ReadonlyMap<Method, Operation>>;
export type PathRouter = Router<ReadonlyMap<Method, Operation>>;

/**
 * Takes undecoded paths without the query. Compares them exactly, so that a resource has one address: case counts, fixed
 * segments are not percent-decoded. Only a slash at the end is ignored, except in a parameter that takes the rest of the path.
 */
export const createPathRouter = (operations: readonly Operation[]): PathRouter =>
  createOperationRouter(
    operations,
    ({ path, method, isMultiSegment }) => ({ path, method, takesRest: isMultiSegment }),
    { isExact: true, ignoresLastSlash: true },
  );

/** The operation of a method, HEAD being GET. */
export const operationFor = (match: PathMatch | undefined, method: string): Operation | undefined =>
  match?.value.get((method === 'HEAD' ? 'GET' : method) as Method); // only a key: no operation has another method
