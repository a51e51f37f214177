/** Writes the program to `outfile`, which must lie in a folder of its own directly below the package. */
export function bundle(outfile: string): Promise<void>;
/** Writes any module of the source as one file. */
export function bundleModule(entry: string, outfile: string): Promise<unknown>;
