/** Defines the error of bytes that turn out, while they are read, not to be the stored ones. */

/** The code of the error with which a stream ends then. */
export const bytesChangedCode = 'ATOLL_BYTES_CHANGED';

export const isBytesChanged = (error: unknown): boolean =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === bytesChangedCode; // an error of a stream
