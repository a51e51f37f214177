/** Imports what is not part of the program: files of users, and packages that they install. */

/** `address` is a URL, or the name of a package. `scripts/bundle.mjs` replaces this function where code is kept. */
export const importModule = (address: string): Promise<unknown> => import(address);
