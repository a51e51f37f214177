/** Finds the paths of the servers of a document, a Path Item or an Operation (OpenAPI 3.1 §4.8.5). */
import { listOf } from '../../basics/json.ts';
import { partOf, type Part } from './nodes.ts';

/** The most paths that the variables of one server may make. */
export const mostServerPaths = 100;

/** The paths of the servers of a document, without a slash at the end: `/v1`. That of a server at the root is empty. */
export const serverPaths = (document: Part): string[] => ownServerPaths(document) ?? [''];

/** The same for a Path Item or an Operation, whose servers replace those of the document. Undefined where it has none. */
export const ownServerPaths = ({ servers }: Part): string[] | undefined => {
  const paths = listOf(servers).flatMap((server) => pathsOfServer(server).paths);
  return paths.length === 0 ? undefined : [...new Set(paths)];
};

/**
 * The path with the default of each variable, then those with its other values (§4.8.6.1). `isWhole` is false where they are too many, and
 * only the first is there. What only another host has is the same path.
 */
export const pathsOfServer = (server: unknown): { readonly paths: readonly string[]; readonly isWhole: boolean } => {
  const { url, variables } = partOf(server);
  const template = typeof url === 'string' ? url : '/';
  const values = new Map(
    [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => [name, valuesOf(partOf(variables)[name])]),
  );
  const pathWith = (chosen: ReadonlyMap<string, string>): string =>
    pathOf(template.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => chosen.get(name) ?? values.get(name)?.[0] ?? ''));
  const first = pathWith(new Map());
  const ofPath = [...values].filter(([name, each]) =>
    each.some((value) => pathWith(new Map([[name, value]])) !== first),
  );
  const count = ofPath.reduce((product, [, each]) => product * each.length, 1);
  if (count > mostServerPaths) return { paths: [first], isWhole: false };
  const chosen = ofPath.reduce<ReadonlyMap<string, string>[]>(
    (before, [name, each]) => before.flatMap((one) => each.map((value) => new Map([...one, [name, value]]))),
    [new Map()],
  );
  return { paths: [...new Set(chosen.map(pathWith))], isWhole: true };
};

const valuesOf = (variable: unknown): string[] => {
  const { default: first, enum: others } = partOf(variable);
  const values = [...(first === undefined ? [] : [first]), ...listOf(others)].map(String);
  return values.length === 0 ? [''] : [...new Set(values)];
};

const pathOf = (url: string): string => {
  try {
    return new URL(url, 'http://localhost/').pathname.replace(/\/+$/, '');
  } catch {
    return '';
  }
};
