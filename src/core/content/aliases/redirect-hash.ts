/** Makes the hash by which the module of a real site tells redirects apart: of PHP's text of path, query and language. */
import { digest } from '../../../basics/digest.ts';
import { textOf, type Json, type JsonObject } from '../../model/entity.ts';

export type RedirectQuery = JsonObject;

/** Case and slashes around the path do not count. */
export const redirectHash = (path: string, query: RedirectQuery, langcode: string): string => {
  const parts = {
    language: langcode,
    source: path.toLowerCase().replace(/^\/+|\/+$/g, ''),
    ...(Object.keys(query).length === 0 ? {} : { source_query: query }),
  };
  return digest('sha256', serialized(parts), 'base64url');
};

/** As PHP writes a value of texts and arrays: the names of an array in order, lengths in bytes. */
const serialized = (value: Json | undefined): string => {
  if (typeof value !== 'object' || value === null) {
    const text = textOf(value);
    return `s:${Buffer.byteLength(text)}:"${text}";`;
  }
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const members = entries.map(([name, member]) => serializedName(name) + serialized(member));
  return `a:${entries.length}:{${members.join('')}}`;
};

/** A name of digits is a number for PHP. */
const serializedName = (name: string): string =>
  /^(0|[1-9]\d{0,17})$/.test(name) ? `i:${name};` : `s:${Buffer.byteLength(name)}:"${name}";`;
