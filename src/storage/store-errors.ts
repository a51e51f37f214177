/** The errors of a storage on disk, by their codes, and the one of a damaged store. */

/**
 * `NO_STORE`: the directory holds no repository. `FOREIGN_DIRECTORY`: it holds the files of somebody else. `STORE_DAMAGED`: what it holds
 * is not as it was written. `EXPORT_UNREADABLE`: it is not an export, or cannot be read. `EXPORT_TARGET`: an export may not be
 * written there.
 */
export type StorageErrorCode =
  | 'ATOLL_NO_STORE'
  | 'ATOLL_FOREIGN_DIRECTORY'
  | 'ATOLL_STORE_DAMAGED'
  | 'ATOLL_EXPORT_UNREADABLE'
  | 'ATOLL_EXPORT_TARGET';

/** An error with the code. The message names the directory and what to do. */
export const storageError = (code: StorageErrorCode, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code });

/** An error with `code: 'ATOLL_STORE_DAMAGED'`, the file, and the byte offset of the damage. */
export type StoreDamaged = Error & { readonly code: string; readonly file: string; readonly offset: number };

/** `offset` is in bytes. `advice` is a sentence on what to do. */
export const storeDamaged = (file: string, offset: number, reason: string, advice = ''): StoreDamaged =>
  Object.assign(
    storageError(
      'ATOLL_STORE_DAMAGED',
      `The store is damaged: ${file}, at byte ${offset}: ${reason}.${advice && ` ${advice}`}`,
    ),
    { code: 'ATOLL_STORE_DAMAGED', file, offset },
  );

export const isStoreDamaged = (error: unknown): error is StoreDamaged =>
  error instanceof Error && 'code' in error && error.code === 'ATOLL_STORE_DAMAGED';
