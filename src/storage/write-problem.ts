/** What a client is told when a write fails below us. Which writes then stay off is decided by each storage. */
import { outOfSpace, Problem, unavailable } from '../problem.ts';
import { errorCode } from './files.ts';

/** Full disk, full quota, file size limit (measurements M5, M6). */
export const isSpaceError = (error: unknown): boolean => ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(errorCode(error) ?? '');

/** 507 when space is missing, 503 for any other error of the system (cases: D05, D08, D12); a Problem stays itself. */
export const writeProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  return isSpaceError(error) ? outOfSpace(error) : unavailable('Writing is not possible at the moment.', error);
};
