/** Writes links as header values (RFC 8288), as many as a header holds. */
import { encodeExtended } from 'content-disposition';
import type { TypedLink } from '../../basics/formats/typed-link.ts';
import { escapeUri } from '../model/uri.ts';

/** Decides which links a header gives up when there are too many: `boundedLinks`. `kept` links always stay. */
export type LinkKind = 'page' | 'media' | 'tag' | 'related' | 'kept';
export type EntityLink = TypedLink & { readonly kind: LinkKind };

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

/** Python clients fail when an answer has more than 100 header lines. The answer's other headers need some of these lines. */
export const maxLinkLines = 60;

/** Node clients fail at 16 KiB of headers. Atoll sends at most 14 KiB: 13 for links, 1 for other headers. */
export const maxLinkBytes = 13 * 1024;

/** The kinds of links in the order in which they are left out. `kept` links stay. */
const leftOutOrder: readonly LinkKind[] = ['page', 'media', 'tag', 'related'];

/**
 * One header value per link, in order. When they do not fit, links are left out kind by kind, from the end of each kind,
 * until the rest fits together with the link to the complete set. That link comes last.
 */
export const boundedLinks = (links: readonly EntityLink[], linkset: TypedLink | undefined): string[] => {
  const lines = links.map((link) => ({ kind: link.kind, line: linkHeader(link) }));
  let bytes = lines.reduce((sum, { line }) => sum + lineBytes(line), 0);
  if (linkset === undefined || (lines.length <= maxLinkLines && bytes <= maxLinkBytes)) {
    return lines.map(({ line }) => line);
  }
  const last = linkHeader(linkset);
  let count = lines.length + 1;
  bytes += lineBytes(last);
  const remaining = new Set(lines);
  for (const line of leftOutOrder.flatMap((kind) => lines.filter((each) => each.kind === kind).reverse())) {
    if (count <= maxLinkLines && bytes <= maxLinkBytes) break;
    remaining.delete(line);
    count -= 1;
    bytes -= lineBytes(line.line);
  }
  return [...[...remaining].map(({ line }) => line), last];
};

/** The bytes of a line in HTTP/1.1, with `Link: ` and CR LF. `linkHeader` writes ASCII only. */
export const lineBytes = (line: string): number => line.length + 'Link: \r\n'.length;
