/** Reads the errors of an S3 service. */
import { Problem, retryLater } from '../../openapi/openapi-terms.ts';

/** The status of the service's reply; undefined without a reply. */
export const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode; // the shape of every SDK error

/** Whether the service has no such object. */
export const isMissing = (error: unknown): boolean =>
  statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket';

/** Turns the service's errors into 503. */
export const orProblem = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (error instanceof Problem) throw error;
    throw retryLater('The storage of this content cannot be reached at the moment.', error);
  });
