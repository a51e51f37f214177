/** Defines the field types of base fields that modules add: the URL alias of a record, its metatags, the source of a redirect. */
import { scalarText, type FieldType } from './field-type.ts';

/** A record keeps the alias alone: number and language are those of the record. */
export const pathType: FieldType = {
  main: 'alias',
  properties: ['alias', 'pid', 'langcode'],
  isEmpty: ({ alias }) => alias === undefined || alias === null || alias === '',
  store: ({ alias }) => ({ alias: scalarText(alias) }),
};

/** Metatags are computed from the record. `path-alias.ts` drops what is sent. */
export const metatagType: FieldType = {
  main: 'tag',
  properties: ['tag', 'attributes'],
  isEmpty: () => true,
  store: (item) => item,
};

/** Slashes at the end of the path do not count for a real site, either. Slashes alone are the front page, which nothing redirects. */
export const redirectSourceType: FieldType = {
  main: 'path',
  properties: ['path', 'query'],
  isEmpty: ({ path }) => path === undefined || path === null || (typeof path === 'string' && /^\/*$/.test(path)),
  store: ({ path, query }) => ({
    path: scalarText(path).replace(/\/+$/, ''),
    ...(typeof query === 'object' && query !== null && Object.keys(query).length > 0 ? { query } : {}),
  }),
};
