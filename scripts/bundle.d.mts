/** Writes the program to `outfile`, which must lie in a folder of its own directly below the package. */
export function bundle(outfile: string): Promise<void>;
