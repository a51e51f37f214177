/** Writes a module for each site of the package at `root` into a folder. Returns the names of the files. */
export function prepareBrowserSites(root: string, outFolder: string, extension?: string): Promise<readonly string[]>;
