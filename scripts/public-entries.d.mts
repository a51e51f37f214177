/** The public entries for Node, by the names of their files in `dist/`. */
export const publicNodeEntries: Readonly<Record<string, string>>;

/** The entries that are imported by name from the package, by the names of their files in `dist/browser/`. */
export const publicBrowserEntries: Readonly<Record<string, string>>;
