/** Names the file of the server's program. The build replaces this module: see `scripts/bundle.mjs`. */

/** Relative to the folder of the bundles. Undefined where all is in one file. */
export const serverFile: string | undefined = undefined;
