/** Replaces the used members of `node:path`, for names with slashes. */

export const join = (...parts: readonly string[]): string => parts.join('/').replaceAll(/\/+/g, '/');

export const basename = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const extname = (path: string): string => /[^/.][^/]*?(\.[^./]*)$/.exec(path)?.[1] ?? '';

export const dirname = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/'))) || '.';
