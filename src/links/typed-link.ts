/** A link as data, and the one writer that makes a header value of it (RFC 8288). Which links there are is not known here. */
import { encodeExtended } from 'content-disposition';
import { escapeUri } from '../representations/uri.ts';

/** `target` is absolute; `rel` a registered name or a URI; `type` a media type (RFC 8288 §3). */
export type TypedLink = {
  readonly target: string;
  readonly rel: string;
  readonly title?: string | undefined;
  readonly type?: string | undefined;
};

/**
 * The value of one `Link` header line: `<target>; rel="…"; title="…"; type="…"` (reference 4.1). Safe for any input: the
 * target is percent-encoded, text is escaped, controls are dropped. A title that is not plain ASCII has an ASCII
 * `title` and the true one in `title*` (RFC 8288 §3.4.1, RFC 8187).
 */
export const linkHeader = ({ target, rel, title, type }: TypedLink): string => {
  let line = `<${escapeUri(target)}>; rel=${quoted(rel)}`;
  if (title !== undefined) line += titleParameters(title);
  if (type !== undefined) line += `; type=${quoted(type)}`;
  return line;
};

/** Text that stands between quotes as it is. Nearly all text is plain, and every link of every answer comes by here. */
const plainText = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

const titleParameters = (title: string): string => {
  if (plainText.test(title)) return `; title="${title}"`;
  const text = title.replace(/\p{Cc}/gu, '').replace(/\p{Surrogate}/gu, '\uFFFD');
  const plain = `; title=${quoted(text)}`;
  return /[^\x20-\x7e]/.test(text) ? `${plain}; title*=${encodeExtended(text)}` : plain;
};

/** A quoted string of ASCII (RFC 9110 §5.6.4): accents are dropped, what has no ASCII form becomes `?`. */
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
