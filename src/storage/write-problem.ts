/** Turns a failed write into the refusal that the client receives. */
import { errorCode } from '../basics/error-code.ts';
import { outOfSpace, Problem, retryLater } from '../openapi/openapi-terms.ts';

/** Node has no name for EDQUOT, which is 122 on Linux and 69 on macOS. */
const spaceCodes: readonly string[] = [
  ...['ENOSPC', 'EDQUOT', 'EFBIG', 'Unknown system error -122', 'Unknown system error -69'],
];

/** Whether the disk or the quota is full, or the file reached its size limit. */
export const isSpaceError = (error: unknown): boolean => spaceCodes.includes(errorCode(error) ?? '');

/** 507 when space is missing, 503 for any other system error. Returns a Problem unchanged. */
export const writeProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  return isSpaceError(error) ? outOfSpace(error) : retryLater('Writing is not possible at the moment.', error);
};
