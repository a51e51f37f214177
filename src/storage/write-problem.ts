/** Turns a failed write into the refusal that the client receives. */
import { constants } from 'node:os';
import { outOfSpace, Problem, retryLater } from '../core/problem.ts';
import { errorCode } from '../basics/error-code.ts';

/** Whether the disk or the quota is full, or the file reached its size limit. */
export const isSpaceError = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(errorCode(error) ?? '') || isQuotaError(error);

/** Node has no name for EDQUOT: the code is "Unknown system error -122". */
const isQuotaError = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'errno' in error && error.errno === -constants.errno.EDQUOT;

/** 507 when space is missing, 503 for any other system error. Returns a Problem unchanged. */
export const writeProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  return isSpaceError(error) ? outOfSpace(error) : retryLater('Writing is not possible at the moment.', error);
};
