/** Reads the code of an error of the system. */

/** The `code` of an error, of the system or of a client library; undefined for anything else. */
export const errorCode = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

/** The result of the work. Undefined when it fails with one of the codes, which mean that the file is missing. */
export const ifThere = <T>(work: Promise<T>, codes: readonly string[] = ['ENOENT']): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (codes.includes(errorCode(error) ?? '')) return undefined;
    throw error;
  });
