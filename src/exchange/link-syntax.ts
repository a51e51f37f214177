/** Reads `Link` lines with an independent parser and finds what violates RFC 8288. */
import LinkHeader from 'http-link-header';
import type { TypedLink } from '../basics/formats/typed-link.ts';

/** The links of a line. `title` is the value of `title*` when there is one. */
type ReadLine = { readonly links: readonly TypedLink[]; readonly violations: readonly string[] };

const token = "[!#$%&'*+.^_`|~\\w-]+";
const quotedString = '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\t \\x21-\\x7e])*"';
const parameter = `[ \\t]*;[ \\t]*(?:${token}(?:[ \\t]*=[ \\t]*(?:${token}|${quotedString}))?)?`;
const linkValue = `<[\\x21\\x23-\\x3b\\x3d\\x3f-\\x5b\\x5d\\x5f\\x61-\\x7a\\x7e]*>(?:${parameter})*`;
/** RFC 8288 §3: link values with parameters, in printable ASCII. RFC 9110 §5.6.1: a list of them. */
const linkField = new RegExp(`^${linkValue}(?:[ \\t]*,[ \\t]*${linkValue})*$`);

type Reference = Partial<Omit<TypedLink, 'target'>> & {
  readonly uri: string;
  readonly 'title*'?: { readonly value: string };
};

/** Reads one `Link` line. A line that is not a list of links has a violation and no links. */
export const readLinkLine = (line: string): ReadLine => {
  const shown = line.length > 120 ? `${line.slice(0, 120)}…` : line;
  if (!linkField.test(line)) return { links: [], violations: [`is not RFC 8288: ${shown}`] };
  try {
    const references = LinkHeader.parse(line).refs as readonly Reference[]; // the shape of the parser's result
    return {
      links: references.map(linkOf),
      violations: references.flatMap((reference) => violationsOf(reference, shown)),
    };
  } catch (error) {
    return { links: [], violations: [`cannot be parsed (${String(error)}): ${shown}`] };
  }
};

const linkOf = ({ rel = '', uri, title, type, 'title*': extendedTitle }: Reference): TypedLink => ({
  rel,
  target: uri,
  title: extendedTitle?.value ?? title,
  type,
});

const violationsOf = ({ uri, rel, type, title, 'title*': extendedTitle }: Reference, shown: string): string[] => [
  ...(rel === undefined || rel === '' ? [`has no relation: ${shown}`] : []),
  ...(/^https?:\/\/[^/]/.test(uri) && URL.canParse(uri) ? [] : [`has no absolute http target: ${shown}`]),
  ...(/%(?![0-9A-Fa-f]{2})/.test(uri) ? [`has a broken escape in its target: ${shown}`] : []),
  ...(type === undefined || /^[\w.+-]+\/[\w.+-]+/.test(type) ? [] : [`has no media type as its type: ${shown}`]),
  ...(extendedTitle !== undefined && title === undefined
    ? [`has title* without the plain title next to it: ${shown}`]
    : []),
];
