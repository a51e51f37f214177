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

/** Where two templates match the same paths, the first counts. */
export const createRouter = <T>(templates: readonly Template<T>[]): Router<T> => {
  const root = newNode<T>();
  for (const template of templates) insert(root, template);
  return {
    match: (path) => {
      const segments = path.split('/').slice(1);
      const pieces: string[] = [];
      const found = search(root, segments, 0, pieces);
      if (found === undefined) return undefined;
      const named: Record<string, string> = {};
      for (const [index, name] of found.names.entries()) named[name] = pieces[index] ?? '';
      return { value: found.value, pieces: named };
    },
  };
};

/** Whether two templates match the same paths: they differ in names alone. */
export const shapeOf = (path: string): string => path.replace(/\{[^{}]*\}/g, '{}');

const insert = <T>(root: Node<T>, { path, value, takesRest = false }: Template<T>): void => {
  const names: string[] = [];
  let node = root;
  const segments = path.split('/').slice(1);
  for (const [index, segment] of segments.entries()) {
    const found = [...segment.matchAll(/\{([^{}]*)\}/g)];
    names.push(...found.map(([, name = '']) => name));
    if (takesRest && index === segments.length - 1 && found.length > 0) {
      node.rest ??= { value, names };
      return;
    }
    node = found.length === 0 ? fixedChild(node, segment) : patternChild(node, segment);
  }
  node.end ??= { value, names };
};

const fixedChild = <T>(node: Node<T>, segment: string): Node<T> => {
  const key = decoded(segment);
  const child = node.fixed.get(key) ?? newNode<T>();
  node.fixed.set(key, child);
  return child;
};

const patternChild = <T>(node: Node<T>, segment: string): Node<T> => {
  const key = shapeOf(segment);
  const known = node.patterns.find((pattern) => pattern.key === key);
  if (known !== undefined) return known.node;
  const literals = segment.split(/\{[^{}]*\}/);
  const isWhole = literals.every((literal) => literal === '');
  // A whole segment is the common case, and needs no expression.
  const expression =
    isWhole && literals.length === 2 ? undefined : new RegExp(`^${literals.map(inAnyForm).join('(.+)')}$`, 'u');
  const child = newNode<T>();
  node.patterns.push({ key, expression, fixedLength: literals.join('').length, node: child });
  node.patterns.sort((a, b) => b.fixedLength - a.fixedLength);
  return child;
};

/** An expression for a literal as a client may send it: each sign as it is, or encoded. */
const inAnyForm = (literal: string): string =>
  Array.from(decoded(literal), (sign) => {
    const plain = sign.replace(/[\\^$.*+?()[\]{}|/]/u, String.raw`\$&`);
    const encoded = [...new TextEncoder().encode(sign)]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .map((digits) => `%${digits.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`)
      .join('');
    return `(?:${plain}|${encoded})`;
  }).join('');

const decoded = (segment: string): string => {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const search = <T>(
  node: Node<T>,
  segments: readonly string[],
  at: number,
  pieces: string[],
): Terminal<T> | undefined => {
  const segment = segments[at];
  if (segment === undefined) return node.end;
  const fixed = node.fixed.get(segment.includes('%') ? decoded(segment) : segment);
  const byName = fixed && search(fixed, segments, at + 1, pieces);
  if (byName !== undefined) return byName;
  for (const { expression, node: child } of node.patterns) {
    const values =
      expression === undefined ? (segment === '' ? undefined : [segment]) : expression.exec(segment)?.slice(1);
    if (values === undefined) continue;
    pieces.push(...values);
    const found = search(child, segments, at + 1, pieces);
    if (found !== undefined) return found;
    pieces.length -= values.length;
  }
  if (node.rest === undefined || segments.slice(at).every((each) => each === '')) return undefined;
  pieces.push(segments.slice(at).join('/'));
  return node.rest;
};
