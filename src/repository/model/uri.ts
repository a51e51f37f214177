/** Escapes text so that it is a safe URI in headers and graphs. */
import { externalUrisIn } from './term-uris.ts';
import type { Entity } from '../../openapi/openapi-records.ts';

/** Percent-encodes text as UTF-8. A lone surrogate becomes U+FFFD, so this never fails. */
const percentEncode = (text: string): string =>
  [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** Encodes one segment of a path: every character that is not unreserved (RFC 3986 §2.3), like PHP's rawurlencode. */
export const encodeSegment = (segment: string): string =>
  plainSegment.test(segment) ? segment : segment.replace(/[^\w\-.~]/gu, percentEncode);
const plainSegment = /^[\w\-.~]*$/;

const outsideAuthority = /%(?![0-9A-Fa-f]{2})|[^\w\-.~:/?#@!$&'()*+,;=%]/gu;
const plainUri = /^[\w\-.~:/?#@!$&'()*+,;=]*$/;
const outsideUri = /%(?![0-9A-Fa-f]{2})|[^\w\-.~:/?#[\]@!$&'()*+,;=%]/gu;

/**
 * Percent-encodes the characters that a URI may not contain (RFC 3986 §2). Existing escapes stay, so escaping
 * twice changes nothing. Square brackets stay only in the authority, where they enclose IPv6 addresses.
 */
export const escapeUri = (uri: string): string => {
  // This runs for every link of every answer, and nearly no link needs escaping.
  if (plainUri.test(uri)) return uri;
  const authority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(uri)?.[0] ?? '';
  return (
    authority.replace(outsideUri, percentEncode) + uri.slice(authority.length).replace(outsideAuthority, percentEncode)
  );
};

/** A path or a name without its escapes; as it is where these are malformed. */
export const decodedUri = (uri: string): string => {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
};

/**
 * The external URI of a term, escaped: its first `field_external_uri`. An authority link leads nowhere, as on the real site.
 * Undefined when there is none, or when it is not an absolute http or https URI: a client must not be led to a `javascript:` target.
 */
export const externalUri = (term: Entity): string | undefined => {
  const known = externalUris.get(term);
  if (known !== undefined) return known === '' ? undefined : known;
  const uri = readExternalUri(term);
  externalUris.set(term, uri ?? '');
  return uri;
};

/** Records never change, so the result can be kept. The empty string stands for a term without such a URI. */
const externalUris = new WeakMap<Entity, string>();

const readExternalUri = (term: Entity): string | undefined => {
  const [uri] = externalUrisIn(term);
  if (uri === undefined || !/^https?:\/\/[^/?#]/i.test(uri)) return undefined;
  const escaped = escapeUri(uri);
  return URL.canParse(escaped) ? escaped : undefined;
};
