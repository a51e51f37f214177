/** Defines a link as data, and writes it as a header value (RFC 8288). */
import { encodeExtended } from 'content-disposition';
import { escapeUri } from '../representations/uri.ts';

/** RFC 8288 §3: `target` is absolute, `rel` is a registered name or a URI, `type` is a media type. */
export type TypedLink = {
  readonly target: string;
  readonly rel: string;
  readonly title?: string | undefined;
  readonly type?: string | undefined;
};

/**
 * The value of one `Link` header line: `<target>; rel="…"; title="…"; type="…"`. It is safe for any input: the target is
 * percent-encoded, text is escaped, control characters are dropped. A title that is not plain ASCII is sent as an ASCII
 * `title` and in full as `title*` (RFC 8288 §3.4.1, RFC 8187).
 */
export const linkHeader = ({ target, rel, title, type }: TypedLink): string => {
  let line = `<${escapeUri(target)}>; rel=${quoted(rel)}`;
  if (title !== undefined) line += titleParameters(title);
  if (type !== undefined) line += `; type=${quoted(type)}`;
  return line;
};

/** Text that needs no escaping between quotes. Nearly all text is like this, and every answer has many links. */
const plainText = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

const titleParameters = (title: string): string => {
  if (plainText.test(title)) return `; title="${title}"`;
  const text = title.replace(/\p{Cc}/gu, '').replace(/\p{Surrogate}/gu, '\uFFFD');
  const plain = `; title=${quoted(text)}`;
  return /[^\x20-\x7e]/.test(text) ? `${plain}; title*=${encodeExtended(text)}` : plain;
};

/** A quoted string of ASCII (RFC 9110 §5.6.4). Accents are dropped, and characters without an ASCII form become `?`. */
const quoted = (text: string): string => {
  if (plainText.test(text)) return `"${text}"`;
  const ascii = /[^\x20-\x7e]/.test(text)
    ? text
        .replace(/\p{Cc}/gu, '')
        .normalize('NFKD')
        .replace(/\p{Mn}/gu, '')
        .replace(/[^\x20-\x7e]/gu, '?')
    : text;
  return `"${ascii.replace(/["\\]/g, '\\$&')}"`;
};
