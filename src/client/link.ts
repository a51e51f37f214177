/** Parses `Link` headers (RFC 8288) and linksets (RFC 9264), and selects links, in browsers and in Node. */

/** A link from the resource that was read to a target. */
export type Link = {
  /** Absolute if the parser got a base URL. */
  readonly target: string;
  /** One relation: a registered name in lower case, or a URI. A link with several relations becomes several links. */
  readonly rel: string;
  /** `title*` takes precedence over `title` (RFC 8288 §3.4.1). */
  readonly title?: string;
  /** The media type of the target. */
  readonly type?: string;
  /** The start of the link, if that is another resource than the one that was read (RFC 8288 §3.2). */
  readonly anchor?: string;
};

/** Selects among the links of a relation. Each value must be equal; media types are compared without case. */
export type LinkFilter = { readonly title?: string; readonly type?: string };

/** Sticky patterns: each match starts where the last one ended. None of them backtracks. */
const grammar = {
  separators: /[\s,]*/y,
  target: /<([^<>]*)>/y,
  parameter: /\s*;\s*(?:([^\s=;,"<>]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?)?/sy,
  /** Skips what is malformed, up to a comma outside quoted strings. */
  rest: /(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|[^",])*/sy,
};

/**
 * Returns the links of a header value in order. `base` resolves relative targets and anchors. Never throws: skips malformed
 * parts, as RFC 8288 appendix B.2 does, and links without a relation.
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
        // If a parameter occurs twice, the first one counts (RFC 8288 §3.3, §3.4.1).
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
          // Registered names are case-insensitive (RFC 8288 §2.1.1). URIs stay as they are.
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
    return reference; // not a URL: following it will fail with a clear error
  }
};

/** Decodes `UTF-8'en'…` (RFC 8187 §3.2). Undefined when the value is missing or malformed. */
const decodeExtended = (value: string | undefined): string | undefined => {
  const [, encoded] = /^utf-8'[^']*'(.*)$/is.exec(value ?? '') ?? [];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
};

/** Returns the links of one relation that start from the resource that was read, in order. */
export const linksNamed = (links: readonly Link[], rel: string, filter: LinkFilter = {}): Link[] =>
  links.filter(
    (link) =>
      link.rel === (rel.includes(':') ? rel : rel.toLowerCase()) &&
      link.anchor === undefined &&
      (filter.title === undefined || link.title === filter.title) &&
      (filter.type === undefined || link.type?.toLowerCase() === filter.type.toLowerCase()),
  );

/**
 * Returns all links of a linkset document (RFC 9264 §4.2) in order. `base` resolves relative targets. Never throws: skips
 * what is not a link.
 */
export const readLinkset = (document: unknown, base?: string): Link[] =>
  listOf(propertiesOf(document)['linkset']).flatMap((context) =>
    Object.entries(propertiesOf(context)).flatMap(([rel, targets]) =>
      listOf(targets).flatMap((target) => {
        const { href, title, type } = propertiesOf(target);
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
const propertiesOf = (value: unknown): Readonly<Record<string, unknown>> => Object(value) as Record<string, unknown>; // null and scalars become objects without the properties read here
