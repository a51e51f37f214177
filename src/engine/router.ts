/** Method and path to operation, compiled once: a tree of path segments, walked without regular expressions. */
import { methods, type Method, type Operation } from '../document/operation.ts';

/** Where a path leads: the operations on it and the text of its parameters, decoded. */
export type Match = {
  readonly operations: ReadonlyMap<Method, Operation>;
  readonly values: Readonly<Record<string, string>>;
};

export type Router = {
  /** The raw path, as it came, without the query. Undefined when the document has no such path. */
  match(path: string): Match | undefined;
};

type Branch = {
  readonly exact: Map<string, Branch>;
  any: Branch | undefined;
  operations: Map<Method, Operation> | undefined;
  /** The branch takes the rest of the path. */
  takesRest: boolean;
};

const newBranch = (): Branch => ({ exact: new Map(), any: undefined, operations: undefined, takesRest: false });

/**
 * Paths are compared as they come: exact case, no trailing or doubled slash, fixed segments never percent-decoded, so
 * that one resource has one address (cases I18, I20). Parameters are decoded; one that cannot be stays as it is and so
 * names nothing. `%2F` equals `/` in a multi-segment parameter only.
 */
export const createRouter = (operations: readonly Operation[]): Router => {
  const root = newBranch();
  for (const operation of operations) plant(root, operation);
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

const plant = (root: Branch, operation: Operation): void => {
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
  for (const [position, segment] of segments.entries()) {
    const exact = branch.exact.get(segment);
    if (exact !== undefined) {
      branch = exact;
      continue;
    }
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
  for (const operation of operations.values()) {
    for (const [index, { name }] of operation.pathParameters.entries()) named[name] = values[index] ?? '';
    break;
  }
  return named;
};

/** The methods on a path, alphabetical, HEAD with GET (decisions: `Allow`). */
export const allowedMethods = (operations: ReadonlyMap<Method, Operation>): string[] =>
  methods.filter((method) => operations.has(method) || (method === 'HEAD' && operations.has('GET'))).sort();
