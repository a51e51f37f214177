/** Finds the operations of a path whose spelling counts, among those that a host serves. */
import { createOperationRouter } from '../operation-router.ts';
import type { Match, Router } from '../router.ts';
import type { HostedOperation } from './operation.ts';

/** The pieces of the parameters are as they were sent. */
export type PathMatch<Of = HostedOperation> = Match<ReadonlyMap<string, Of>>;
export type PathRouter<Of = HostedOperation> = Router<ReadonlyMap<string, Of>>;

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
