/** Replaces the used member of `node:url`. Modules are part of the bundle, so no file is imported again. */

export const pathToFileURL = (path: string): URL => new URL(path, 'file:///');
