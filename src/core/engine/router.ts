/** Matches a path to its operations with a tree of path segments, compiled once and without regular expressions. */
import { methods, type Method, type Operation } from '../document/operation.ts';

/** The operations of a path, and the decoded text of its parameters. */
export type Match = {
  readonly operations: ReadonlyMap<Method, Operation>;
  readonly values: Readonly<Record<string, string>>;
};

export type Router = {
  /** Takes the undecoded path without the query. Returns undefined when the document has no such path. */
  match(path: string): Match | undefined;
};

type Branch = {
  readonly exact: Map<string, Branch>;
  any: Branch | undefined;
  operations: Map<Method, Operation> | undefined;
  /** The parameter takes the rest of the path. */
  takesRest: boolean;
};

const newBranch = (): Branch => ({ exact: new Map(), any: undefined, operations: undefined, takesRest: false });

/**
 * Compares paths exactly, so that a resource has one address: case counts, fixed segments are not percent-decoded. Only a
 * slash at the end is ignored, except in a parameter that takes the rest of the path. Parameters are decoded; one with an invalid escape stays undecoded, so it names nothing. `%2F` equals `/`
 * only in a parameter that takes the rest of the path.
 */
export const createRouter = (operations: readonly Operation[]): Router => {
  const root = newBranch();
  for (const operation of operations) insert(root, operation);
  return {
    match: (path) => {
      if (!path.startsWith('/')) return undefined;
      const values: string[] = [];
      const branch = walk(root, path.slice(1).split('/'), values);
      if (branch?.operations === undefined) return undefined;
      return { operations: branch.operations, values: nameValues(branch.operations, values) };
    },
  };
};

const insert = (root: Branch, operation: Operation): void => {
  let branch = root;
  for (const segment of operation.path.slice(1).split('/')) {
    if (segment.startsWith('{')) {
      branch.any ??= newBranch();
      branch = branch.any;
    } else {
      const next = branch.exact.get(segment) ?? newBranch();
      branch.exact.set(segment, next);
      branch = next;
    }
  }
  branch.takesRest ||= operation.isMultiSegment;
  branch.operations ??= new Map();
  branch.operations.set(operation.method, operation);
};

const walk = (root: Branch, segments: readonly string[], values: string[]): Branch | undefined => {
  let branch = root;
  const last = segments.length - 1;
  for (const [position, segment] of segments.entries()) {
    const exact = branch.exact.get(segment);
    if (exact !== undefined) {
      branch = exact;
      continue;
    }
    if (segment === '' && position === last && position > 0) return branch;
    if (branch.any === undefined || segment === '') return undefined;
    branch = branch.any;
    if (branch.takesRest) {
      values.push(segments.slice(position).map(decode).join('/'));
      return branch;
    }
    values.push(decode(segment));
  }
  return branch;
};

const decode = (segment: string): string => {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const nameValues = (operations: ReadonlyMap<Method, Operation>, values: readonly string[]): Record<string, string> => {
  const named: Record<string, string> = {};
  const [operation] = operations.values();
  for (const [index, { name }] of operation?.pathParameters.entries() ?? []) named[name] = values[index] ?? '';
  return named;
};

/** The methods of a path in alphabetical order, HEAD wherever there is GET. */
export const allowedMethods = (operations: ReadonlyMap<Method, Operation>): string[] =>
  methods.filter((method) => operations.has(method) || (method === 'HEAD' && operations.has('GET'))).sort();
