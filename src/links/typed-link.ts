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
export const linkHeader = ({ target, rel, title, type }: TypedLink): string =>
  [
    `<${escapeUri(target)}>`,
    `rel=${quoted(rel)}`,
    ...(title === undefined ? [] : titleParameters(title)),
    ...(type === undefined ? [] : [`type=${quoted(type)}`]),
  ].join('; ');

const titleParameters = (title: string): string[] => {
  const text = title.replace(/\p{Cc}/gu, '').replace(/\p{Surrogate}/gu, '\uFFFD');
  const plain = `title=${quoted(text)}`;
  return /[^\x20-\x7e]/.test(text) ? [plain, `title*=${encodeExtended(text)}`] : [plain];
};

/** A quoted string of ASCII (RFC 9110 §5.6.4): accents are dropped, what has no ASCII form becomes `?`. */
const quoted = (text: string): string => {
  const ascii = /[^\x20-\x7e]/.test(text)
    ? text
        .replace(/\p{Cc}/gu, '')
        .normalize('NFKD')
        .replace(/\p{Mn}/gu, '')
        .replace(/[^\x20-\x7e]/gu, '?')
    : text;
  return `"${ascii.replace(/["\\]/g, '\\$&')}"`;
};
