/** Reads which answer a client prefers: the header `Prefer` (RFC 7240). */
import { Refusal } from '../refusal.ts';

export type Preference = {
  /** `404`, `4XX` or `default`. */
  readonly code?: string;
  /** The name of an example. */
  readonly example?: string;
  readonly mediaType?: string;
  readonly isDynamic?: boolean;
};

/** Undefined where the header names nothing that a mock can have. The code may be any text. */
export const preferenceIn = (header: string | undefined): Preference | undefined => {
  if (header === undefined) return undefined;
  const wanted: { code?: string; example?: string; mediaType?: string; isDynamic?: boolean } = {};
  for (const [, name = '', quoted, plain] of header.matchAll(
    /([\w-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;]*)))?/g,
  )) {
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '';
    const key = name.toLowerCase();
    if (key === 'code' || key === 'status') wanted.code = value;
    else if (key === 'example') wanted.example = value;
    else if (key === 'media-type' || key === 'mediatype') wanted.mediaType = value;
    else if (key === 'dynamic') wanted.isDynamic = value !== 'false';
  }
  return Object.keys(wanted).length === 0 ? undefined : wanted;
};

/** The same. Throws a refusal for a code that is none. */
export const readPreference = (header: string | undefined): Preference | undefined => {
  const wanted = preferenceIn(header);
  if (wanted?.code !== undefined && !/^([1-5]\d\d|[1-5]XX|default)$/i.test(wanted.code))
    throw new Refusal('preference', `Prefer: "${wanted.code.slice(0, 50)}" is not a status.`);
  return wanted;
};
