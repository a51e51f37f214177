/** Reads `Link` headers (RFC 8288) in browsers and in Node: the parser, and how links are chosen. Nothing is fetched here. */

/** One link, from what was read to its target. */
export type Link = {
  /** Absolute where the parser knew what to resolve it against. */
  readonly target: string;
  /** One relation: a registered name, in lower case, or a URI. A value with several relations becomes several links. */
  readonly rel: string;
  /** The one of `title*` where there is one (RFC 8288 §3.4.1). */
  readonly title?: string;
  /** The media type of the target. */
  readonly type?: string;
  /** Where the link starts, when that is not what was read (RFC 8288 §3.2). */
  readonly anchor?: string;
};

/** Which of the links of a relation are meant. All that is given must be equal; a media type is compared without case. */
export type LinkFilter = { readonly title?: string; readonly type?: string };

/** Sticky, so that each match starts where the last one ended; none looks at a character that it may give back. */
const grammar = {
  separators: /[\s,]*/y,
  target: /<([^<>]*)>/y,
  parameter: /\s*;\s*(?:([^\s=;,"<>]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?)?/sy,
  /** What is broken is passed over, up to a comma that stands in no quoted string. */
  rest: /(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|[^",])*/sy,
};

/**
 * The links of a header value, in order. `base` resolves relative targets and anchors. Never throws: what is no link is
 * passed over, as RFC 8288 appendix B.2 reads headers, and a link without a relation is none.
 */
export const parseLinks = (header: string | null | undefined, base?: string): Link[] => {
  const links: Link[] = [];
  const text = header ?? '';
  let position = 0;
  const next = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match === null) return undefined;
    position = pattern.lastIndex;
    return match;
  };
  for (next(grammar.separators); position < text.length; next(grammar.separators)) {
    const [, target] = next(grammar.target) ?? [];
    if (target !== undefined) {
      const parameters = new Map<string, string>();
      for (let match = next(grammar.parameter); match !== undefined; match = next(grammar.parameter)) {
        const [, name = '', quoted, plain = ''] = match;
        const key = name.toLowerCase();
        // Of a parameter that is given twice the first counts (RFC 8288 §3.3, §3.4.1).
        if (!parameters.has(key)) parameters.set(key, quoted?.replace(/\\(.)/gs, '$1') ?? plain);
      }
      links.push(...linksFrom(target, parameters, base));
    }
    next(grammar.rest);
  }
  return links;
};

const linksFrom = (target: string, parameters: ReadonlyMap<string, string>, base: string | undefined): Link[] => {
  const title = decodeExtended(parameters.get('title*')) ?? parameters.get('title');
  const type = parameters.get('type');
  const anchor = parameters.get('anchor');
  const relations = parameters.get('rel')?.split(/\s+/) ?? [];
  return relations.flatMap((rel) =>
    rel === ''
      ? []
      : {
          target: resolve(target, base),
          // Registered names have no case (RFC 8288 §2.1.1); URIs stay as they are.
          rel: rel.includes(':') ? rel : rel.toLowerCase(),
          ...(title === undefined ? {} : { title }),
          ...(type === undefined ? {} : { type }),
          ...(anchor === undefined ? {} : { anchor: resolve(anchor, base) }),
        },
  );
};

const resolve = (reference: string, base: string | undefined): string => {
  if (base === undefined) return reference;
  try {
    return new URL(reference, base).href;
  } catch {
    return reference; // no URL: whoever follows it will be told
  }
};

/** The text of `UTF-8'en'…` (RFC 8187 §3.2); undefined when there is none or it cannot be read. */
const decodeExtended = (value: string | undefined): string | undefined => {
  const [, encoded] = /^utf-8'[^']*'(.*)$/is.exec(value ?? '') ?? [];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
};

/** The links of one relation that start from what was read, in order. */
export const linksNamed = (links: readonly Link[], rel: string, filter: LinkFilter = {}): Link[] =>
  links.filter(
    (link) =>
      link.rel === (rel.includes(':') ? rel : rel.toLowerCase()) &&
      link.anchor === undefined &&
      (filter.title === undefined || link.title === filter.title) &&
      (filter.type === undefined || link.type?.toLowerCase() === filter.type.toLowerCase()),
  );

/**
 * The links of a linkset document (RFC 9264 §4.2) that start from `anchor`, or all of them, in its order. `base` resolves relative
 * targets. Never throws: what is no link is passed over.
 */
export const readLinkset = (document: unknown, base?: string): Link[] =>
  listOf(membersOf(document)['linkset']).flatMap((context) =>
    Object.entries(membersOf(context)).flatMap(([rel, targets]) =>
      listOf(targets).flatMap((target) => {
        const { href, title, type } = membersOf(target);
        if (typeof href !== 'string') return [];
        return {
          target: resolve(href, base),
          rel,
          ...(typeof title === 'string' ? { title } : {}),
          ...(typeof type === 'string' ? { type } : {}),
        };
      }),
    ),
  );

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const membersOf = (value: unknown): Readonly<Record<string, unknown>> => Object(value) as Record<string, unknown>; // of null and scalars: none that we ask for
