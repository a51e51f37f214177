/** Replaces the used members of `node:path`, for names with slashes. */

export const join = (...parts: readonly string[]): string => parts.join('/').replaceAll(/\/+/g, '/');

export const basename = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const extname = (path: string): string => {
  const name = basename(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 || name === '..' ? '' : name.slice(dot);
};

export const dirname = (path: string): string => {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '.' : path.slice(0, slash) || '/';
};

export const posix = { join, basename, dirname, extname };
