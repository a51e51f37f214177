/** Bundles the program into one file. `outfile` must be in a folder directly below the package. */
export function bundle(outfile: string): Promise<void>;
/** Bundles any module of the source into one file. */
export function bundleModule(entry: string, outfile: string): Promise<unknown>;
