/** The error for a damaged store. */

export const storeDamagedCode = 'ATOLL_STORE_DAMAGED';

/** An error with `code: 'ATOLL_STORE_DAMAGED'`, the file, and the byte offset of the damage. */
export type StoreDamaged = Error & { readonly code: string; readonly file: string; readonly offset: number };

export const storeDamaged = (file: string, offset: number, reason: string, advice = ''): StoreDamaged =>
  Object.assign(new Error(`The store is damaged: ${file}, at byte ${offset}: ${reason}.${advice && ` ${advice}`}`), {
    code: storeDamagedCode,
    file,
    offset,
  });

export const isStoreDamaged = (error: unknown): error is StoreDamaged =>
  error instanceof Error && 'code' in error && error.code === storeDamagedCode;
