/** Checks whether the operations of a document can have the addresses at which they are to be served. */
import { readFile } from 'node:fs/promises';
import { type Flaw, flawError } from '../../basics/configuration-error.ts';
import { pointerTo } from '../../basics/json-pointer.ts';
import { readSourceLines } from '../../openapi/openapi-parts.ts';
import {
  type Engine,
  type OpenedDocument,
  type Operation,
  shapeOf,
  sharedAddresses,
  shortened,
} from '../../openapi/openapi.ts';
import { isReserved, type OwnDocument } from '../sources/own-document.ts';

/** Who has a path already. `place` is a file, with the line of the path where it is known. */
export type PathOwner = { readonly path: string; readonly place: () => Promise<string> | string };

/**
 * Returns a warning for each address at which another operation of the document answers. Throws `ConfigurationError` for an address that
 * the server itself or another document has, and for an operation that has no address left.
 */
export const checkAddresses = async (
  document: OwnDocument,
  { operations }: Pick<Engine<never>, 'operations'>,
  others: readonly PathOwner[],
): Promise<Flaw[]> => {
  const { basePaths, basePathsOf = () => basePaths } = document;
  for (const operation of operations)
    for (const base of basePathsOf(operation)) if (isReserved(base)) throw reservedPath(document, operation, base);
  // The first has it: an overlay may add a method to a path of the repository.
  const owners = new Map([...others].reverse().map((owner) => [shapeOf(owner.path), owner]));
  const taken = operations.flatMap((operation) =>
    basePathsOf(operation).flatMap((base) => {
      const path = `${base}${operation.path}`;
      const owner = owners.get(shapeOf(path));
      return owner === undefined ? [] : [{ path, owner, keys: ['paths', operation.path] }];
    }),
  );
  const [first] = taken;
  if (first !== undefined) {
    const more = new Set(taken.map(({ path }) => path)).size - 1;
    throw flawError({
      ...document.opened.placeOf(first.keys),
      rule: 'same-path',
      message: `${first.path} is a path of ${await first.owner.place()}, too${more === 0 ? '' : `, and so are ${more} more of its paths`}.`,
      remedy: 'Serve the document below another path: --document /PREFIX=FILE.',
    });
  }
  const flaws = sharedAddresses(operations, basePathsOf).map(({ operation, path, other, isOnly }) => {
    const { opened } = document;
    const flaw: Flaw = {
      ...opened.placeOf(operation.keys),
      rule: 'same-path',
      message: `${titleOf(operation)} is not served at ${path}: ${titleOf(other)} is (${placeText(opened.placeOf(other.keys))}).`,
      remedy: 'Give it another path or server, or serve the document with --document PREFIX=FILE.',
    };
    if (isOnly) throw flawError(flaw);
    return flaw;
  });
  return shortened(flaws);
};

const titleOf = ({ method, path }: Operation): string => `${method} ${path}`;

const reservedPath = ({ file, opened, basePathsOf }: OwnDocument, { servers, keys }: Operation, base: string) =>
  flawError({
    // Without own bases a prefix was named.
    ...(basePathsOf === undefined ? { file } : opened.placeOf(servers === undefined ? ['servers'] : keys)),
    rule: 'reserved-path',
    message: `${base} is the server's own path.`,
    remedy: 'Serve it elsewhere: --document /api=FILE.',
  });

type Place = ReturnType<OpenedDocument['placeOf']>;

const placeText = ({ file, line }: Place): string => (line === undefined ? file : `${file}:${line}`);

/** The paths of a document that is served already. An overlay may add a method alone: then that has a line, and its path has none. */
export const pathsOfDocument = (
  { opened, basePaths, basePathsOf = () => basePaths }: OwnDocument,
  { operations }: Pick<Engine<never>, 'operations'>,
): PathOwner[] =>
  operations.flatMap((operation) =>
    basePathsOf(operation).map((base) => ({
      path: `${base}${operation.path}`,
      place: () => {
        const place = opened.placeOf(['paths', operation.path]);
        return placeText(place.line === undefined ? opened.placeOf(operation.keys) : place);
      },
    })),
  );

/** The paths of the repository. What a site adds has no line in its document. */
export const pathsOfRepository = (paths: readonly string[], file: string): PathOwner[] =>
  paths.map((path) => ({
    path,
    place: async () => placeText({ file, line: await lineOfPath(file, path) }),
  }));

const lineOfPath = async (file: string, path: string): Promise<number | undefined> => {
  const lines = await readFile(file, 'utf8')
    .then(readSourceLines)
    .catch(() => undefined);
  const found = lines?.path(path);
  return found?.pointer === pointerTo(['paths', path]) ? found.line : undefined;
};
