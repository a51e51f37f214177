/** How text becomes a URI that is safe in a header and in a graph. Which addresses this server has is not known here. */
import type { Entity } from '../model/entity.ts';
import { items } from '../model/entity.ts';

/** Percent-encodes text as UTF-8; a lone surrogate becomes U+FFFD, so that no text can fail. */
const percentEncode = (text: string): string =>
  [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** One segment of a path: everything but the unreserved characters is encoded (RFC 3986 §2.3; PHP's rawurlencode). */
export const encodeSegment = (segment: string): string => segment.replace(/[^\w\-.~]/gu, percentEncode);

const outsideAuthority = /%(?![0-9A-Fa-f]{2})|[^\w\-.~:/?#@!$&'()*+,;=%]/gu;
const plainUri = /^[\w\-.~:/?#@!$&'()*+,;=]*$/;
const outsideUri = /%(?![0-9A-Fa-f]{2})|[^\w\-.~:/?#[\]@!$&'()*+,;=%]/gu;

/**
 * Percent-encodes what may not stand in a URI (RFC 3986 §2) and leaves the rest, also existing escapes, as it is: doing
 * it twice changes nothing. Square brackets stay in the authority only, where they hold IPv6 addresses.
 */
export const escapeUri = (uri: string): string => {
  // Every link of every answer comes by here, and nearly none has anything to escape.
  if (plainUri.test(uri)) return uri;
  const authority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(uri)?.[0] ?? '';
  return (
    authority.replace(outsideUri, percentEncode) + uri.slice(authority.length).replace(outsideAuthority, percentEncode)
  );
};

/**
 * The URI that a term says it stands for, escaped: the first `field_external_uri` (contract: Resources and their fields).
 * Undefined when it has none or one that is not absolute http or https (decisions: Titles in Link; cases: I16), because
 * a `javascript:` target must not be offered to be followed.
 */
export const externalUri = (term: Entity): string | undefined => {
  const known = externalUris.get(term);
  if (known !== undefined) return known === '' ? undefined : known;
  const uri = readExternalUri(term);
  externalUris.set(term, uri ?? '');
  return uri;
};

/** Records never change, and terms are few. Empty for those that have none. */
const externalUris = new WeakMap<Entity, string>();

const readExternalUri = (term: Entity): string | undefined => {
  const uri = items(term, 'field_external_uri')[0]?.['uri'];
  if (typeof uri !== 'string' || !/^https?:\/\/[^/?#]/i.test(uri)) return undefined;
  const escaped = escapeUri(uri);
  return URL.canParse(escaped) ? escaped : undefined;
};
