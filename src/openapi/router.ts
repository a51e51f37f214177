/** Finds what a path stands for, among templates with any literals and parameters (OpenAPI 3.1 §4.8.8): fixed segments before templates. */

/** The pieces of a path are as they were sent, by the names of the template. */
export type Match<T> = { readonly value: T; readonly pieces: Readonly<Record<string, string>> };

export type Router<T> = {
  /** Undefined for a path without a template. */
  readonly match: (path: string) => Match<T> | undefined;
};

type Terminal<T> = { readonly value: T; readonly names: readonly string[] };

type Node<T> = {
  readonly fixed: Map<string, Node<T>>;
  /** The more characters are fixed, the earlier they are tried. */
  readonly patterns: Pattern<T>[];
  /** Takes the rest of the path. */
  rest?: Terminal<T>;
  end?: Terminal<T>;
};

type Pattern<T> = {
  readonly key: string;
  readonly expression: RegExp | undefined;
  readonly fixedLength: number;
  readonly node: Node<T>;
};

const newNode = <T>(): Node<T> => ({ fixed: new Map(), patterns: [] });

export type Template<T> = {
  /** `/books/{id}:publish` */
  readonly path: string;
  readonly value: T;
  /** Whether the last parameter takes the rest of the path, slashes included. */
  readonly takesRest?: boolean | undefined;
};

/** Which spellings of a path are the same. */
export type Spelling = {
  /** Whether fixed text matches only as the template writes it. Else also percent-encoded. Default: false. */
  readonly isExact?: boolean;
  /** Whether a slash at the end counts for nothing, except in a parameter that takes the rest of the path. Default: false. */
  readonly ignoresLastSlash?: boolean;
};

/** Where two templates match the same paths, the first counts. */
export const createRouter = <T>(
  templates: readonly Template<T>[],
  { isExact = false, ignoresLastSlash = false }: Spelling = {},
): Router<T> => {
  const root = newNode<T>();
  for (const template of templates) insert(root, template, isExact);
  return {
    match: (path) => {
      if (!path.startsWith('/')) return undefined;
      const pieces: string[] = [];
      // The first of the segments is the empty text before the first slash.
      const found = search(root, { segments: path.split('/'), pieces, isExact, ignoresLastSlash }, 1);
      if (found === undefined) return undefined;
      const named: Record<string, string> = {};
      for (const [index, name] of found.names.entries()) named[name] = pieces[index] ?? '';
      return { value: found.value, pieces: named };
    },
  };
};

/** Whether two templates match the same paths: they differ in names alone. */
export const shapeOf = (path: string): string => path.replace(/\{[^{}]*\}/g, '{}');

const insert = <T>(root: Node<T>, { path, value, takesRest = false }: Template<T>, isExact: boolean): void => {
  const names: string[] = [];
  let node = root;
  const segments = path.split('/').slice(1);
  for (const [index, segment] of segments.entries()) {
    const found = [...segment.matchAll(/\{([^{}]*)\}/g)];
    names.push(...found.map(([, name = '']) => name));
    if (takesRest && index === segments.length - 1 && found[0]?.[0] === segment) {
      node.rest ??= { value, names };
      return;
    }
    node = found.length === 0 ? fixedChild(node, segment, isExact) : patternChild(node, segment, isExact);
  }
  node.end ??= { value, names };
};

const fixedChild = <T>(node: Node<T>, segment: string, isExact: boolean): Node<T> => {
  const key = isExact ? segment : decoded(segment);
  const child = node.fixed.get(key) ?? newNode<T>();
  node.fixed.set(key, child);
  return child;
};

const patternChild = <T>(node: Node<T>, segment: string, isExact: boolean): Node<T> => {
  const key = shapeOf(segment);
  const known = node.patterns.find((pattern) => pattern.key === key);
  if (known !== undefined) return known.node;
  const literals = segment.split(/\{[^{}]*\}/);
  const isWhole = literals.every((literal) => literal === '');
  const form = isExact ? asWritten : inAnyForm;
  // A whole segment is the common case, and needs no expression.
  const expression =
    isWhole && literals.length === 2 ? undefined : new RegExp(`^${literals.map(form).join('(.+)')}$`, 'u');
  const child = newNode<T>();
  node.patterns.push({ key, expression, fixedLength: literals.join('').length, node: child });
  node.patterns.sort((a, b) => b.fixedLength - a.fixedLength);
  return child;
};

const asWritten = (literal: string): string => literal.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);

/** An expression for a literal as a client may send it: each sign as it is, or encoded. */
const inAnyForm = (literal: string): string =>
  Array.from(decoded(literal), (sign) => {
    const encoded = [...new TextEncoder().encode(sign)]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .map((digits) => `%${digits.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`)
      .join('');
    return `(?:${asWritten(sign)}|${encoded})`;
  }).join('');

const decoded = (segment: string): string => {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

type Searched = Required<Spelling> & {
  readonly segments: readonly string[];
  /** Those of the parameters so far. */
  readonly pieces: string[];
};

const search = <T>(node: Node<T>, searched: Searched, at: number): Terminal<T> | undefined => {
  const { segments, pieces } = searched;
  const segment = segments[at];
  if (segment === undefined) return node.end;
  const fixed = node.fixed.get(searched.isExact ? segment : decoded(segment));
  const byName = fixed && search(fixed, searched, at + 1);
  if (byName !== undefined) return byName;
  // No parameter is empty.
  if (segment === '') return searched.ignoresLastSlash && at === segments.length - 1 ? node.end : undefined;
  const before = pieces.length;
  for (const { expression, node: child } of node.patterns) {
    if (expression === undefined) pieces.push(segment);
    else {
      const values = expression.exec(segment);
      if (values === null) continue;
      pieces.push(...values.slice(1));
    }
    const found = search(child, searched, at + 1);
    if (found !== undefined) return found;
    pieces.length = before;
  }
  if (node.rest === undefined) return undefined;
  pieces.push(segments.slice(at).join('/'));
  return node.rest;
};
