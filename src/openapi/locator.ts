/** Finds the operation that a request means, below the paths where each operation is served. */
import type { Operation } from './document/operation.ts';
import { createOperationRouter } from './operation-router.ts';
import { type Match, type Router, shapeOf, type Spelling } from './router.ts';

/** The paths below which an operation is served. */
export type BasePathsOf = (operation: Operation) => readonly string[];

export type Located<T> = Match<T> & { readonly base: string };

export type Locator<T> = {
  /** HEAD is GET where the path has no HEAD. */
  readonly find: (method: string, path: string) => Located<T> | undefined;
  /** What each method of a path is. Empty for a path that the document does not have. */
  readonly methodsAt: (path: string) => ReadonlyMap<string, T>;
};

type Methods<T> = ReadonlyMap<string, T>;
type Place<T> = { readonly base: string; readonly router: Router<Methods<T>> };

/** Where two operations have an address, the one below the longer path answers. */
export const createLocator = <T extends { readonly operation: Operation }>(
  served: readonly T[],
  basePathsOf: BasePathsOf,
  spelling?: Spelling,
): Locator<T> => {
  const places = placesOf(served, basePathsOf, spelling);
  const matchBelow = ({ base, router }: Place<T>, path: string): Match<Methods<T>> | undefined =>
    base === '' || path === base || path.startsWith(`${base}/`)
      ? router.match(path.slice(base.length) || '/')
      : undefined;
  return {
    find: (method, path) => {
      for (const place of places) {
        const found = matchBelow(place, path);
        const value = found?.value.get(method) ?? (method === 'HEAD' ? found?.value.get('GET') : undefined);
        if (found !== undefined && value !== undefined)
          return { value, pieces: piecesFor(value.operation, found), base: place.base };
      }
      return undefined;
    },
    methodsAt: (path) => {
      const methods = new Map<string, T>();
      for (const place of places)
        for (const [method, value] of matchBelow(place, path)?.value ?? [])
          if (!methods.has(method)) methods.set(method, value);
      return methods;
    },
  };
};

/** By the names of the operation's own template. */
const piecesFor = (
  { path }: Operation,
  { value, pieces }: Match<Methods<{ readonly operation: Operation }>>,
): Match<unknown>['pieces'] => {
  const [first] = value.values();
  if (first === undefined || first.operation.path === path) return pieces;
  const names = namesIn(path);
  return Object.fromEntries(namesIn(first.operation.path).map((name, at) => [names[at] ?? name, pieces[name] ?? '']));
};

const namesIn = (path: string): string[] => [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);

/** The longest first. */
const placesOf = <T extends { readonly operation: Operation }>(
  served: readonly T[],
  basePathsOf: BasePathsOf,
  spelling: Spelling | undefined,
): Place<T>[] => {
  const byBase = new Map<string, T[]>();
  for (const each of served)
    for (const base of new Set(basePathsOf(each.operation))) {
      const below = byBase.get(base) ?? [];
      below.push(each);
      byBase.set(base, below);
    }
  // Most documents serve the same operations below all of their paths.
  const routers = new Map<string, Router<Methods<T>>>();
  const routerFor = (below: readonly T[]): Router<Methods<T>> => {
    const key = below.map(({ operation }) => operation.id).join('\n');
    const router = routers.get(key) ?? createOperationRouter<T, string>(below, ({ operation }) => operation, spelling);
    routers.set(key, router);
    return router;
  };
  return [...byBase]
    .sort(([a], [b]) => b.length - a.length)
    .map(([base, below]) => ({ base, router: routerFor(below) }));
};

/** An address of an operation at which another one answers: that below the longer path, or the first of the document. */
export type SharedAddress = {
  readonly operation: Operation;
  readonly path: string;
  readonly other: Operation;
  /** Whether the operation has no other address. */
  readonly isOnly: boolean;
};

export const sharedAddresses = (operations: readonly Operation[], basePathsOf: BasePathsOf): SharedAddress[] => {
  const owners = new Map<string, Operation>();
  const addresses = operations.flatMap((operation) => basePathsOf(operation).map((base) => ({ operation, base })));
  const shared: Omit<SharedAddress, 'isOnly'>[] = [];
  const free = new Set<Operation>();
  for (const { operation, base } of addresses.sort((a, b) => b.base.length - a.base.length)) {
    const path = `${base}${operation.path}`;
    const address = `${operation.method} ${shapeOf(path)}`;
    const other = owners.get(address);
    if (other === undefined) owners.set(address, operation);
    if (other === undefined || other === operation) free.add(operation);
    else shared.push({ operation, path, other });
  }
  return shared.map((each) => ({ ...each, isOnly: !free.has(each.operation) }));
};
