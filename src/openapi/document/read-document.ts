/**
 * Reads an OpenAPI document from one file or many into one tree whose references all begin with `#`. Refuses only what cannot be
 * served, and all of it at once. Where a document is served in another way than it says, that is a warning.
 */
import { flawError, flawText, ConfigurationError, type Flaw } from '../../basics/configuration-error.ts';
import { isRecord } from '../../basics/json.ts';
import type { DocumentFlaw } from './document-flaw.ts';
import { documentFlaws, pathShapeFlaws } from './document-flaws.ts';
import { joinFiles, keysInFile } from './join-files.ts';
import { type DocumentSource, type LoadedFiles, loadFiles, partsIn } from './load-files.ts';
import { versionOf } from '../schemas/dialect.ts';
import { createReferences } from '../schemas/references.ts';
import { unfoldMaps } from './unfold-maps.ts';

export type OpenedDocument = {
  readonly document: Readonly<Record<string, unknown>>;
  readonly warnings: readonly Flaw[];
  /** The addresses of all files, the root document first. */
  readonly addresses: readonly string[];
  /** The bytes of each `externalValue`. */
  readonly externals: ReadonlyMap<string, Uint8Array>;
  /** The line of a value, by the steps from the root of the tree. */
  readonly placeOf: (keys: readonly (string | number)[]) => {
    readonly file: string;
    readonly line: number | undefined;
  };
  /** The same steps from the root of its own file. */
  readonly keysInFile: (keys: readonly (string | number)[]) => readonly (string | number)[];
};

/** The result of overlays: a changed copy of the document, and the place of each change. */
export type Overlaid = {
  readonly document: Readonly<Record<string, unknown>>;
  readonly warnings: readonly Flaw[];
  /** Undefined for what is as it was. */
  readonly placeOf: (
    keys: readonly string[],
  ) => { readonly file: string; readonly line?: number | undefined } | undefined;
};

export type ReadOptions = {
  /** Learns the address of each file before it is read, also of those that are not there. */
  readonly onFile?: ((address: string) => void) | undefined;
  /** Changes the document with all of its files. */
  readonly overlay?: ((document: Readonly<Record<string, unknown>>) => Promise<Overlaid>) | undefined;
};

/** Throws `ConfigurationError` for a document that cannot be served, with every reason on a line of its own. */
export const readDocument = async (
  source: DocumentSource,
  { onFile = () => undefined, overlay }: ReadOptions = {},
): Promise<OpenedDocument> => {
  const loaded = await loadFiles(source, onFile, (root) => {
    refuseOtherForms(root.value, { file: source.nameOf(root.address), line: root.lineOf([]) ?? 1 });
  });
  const joined = joinFiles(loaded, source);
  const refused = [...loaded.flaws, ...joined.refused];
  const inOrder = orderIn([...loaded.files.keys()].map((address) => source.nameOf(address)));
  if (refused.length > 0) {
    const ofPaths = pathShapeFlaws(joined.document).map(({ keys, rule, message, remedy }) => ({
      ...joined.placeOf(keys),
      ...{ rule, message, remedy },
    }));
    throw refusalOf(inOrder([...refused, ...ofPaths]));
  }
  const overlaid = await overlay?.(joined.document);
  const document = overlaid?.document ?? joined.document;
  const parts = overlaid === undefined ? joined.parts : partsIn(document, source.address);
  const placeOf: OpenedDocument['placeOf'] = (keys) => {
    const place = overlaid?.placeOf(keys.map(String));
    return place === undefined ? joined.placeOf(keys) : { file: place.file, line: place.line };
  };
  // The tree is the reader's own.
  unfoldMaps(document, createReferences(document));
  const flaws = documentFlaws(document, parts, createReferences(document));
  const located = flaws.map(({ isServed, keys, ...flaw }) => ({ isServed, flaw: { ...placeOf(keys), ...flaw } }));
  refused.push(...located.flatMap(({ isServed, flaw }) => (isServed ? [] : [flaw])));
  if (refused.length > 0) throw refusalOf(inOrder(refused));
  const warnings = [
    ...repeatedKeys(loaded, source),
    ...joined.warnings,
    ...(overlaid?.warnings ?? []),
    ...located.map(({ flaw }) => flaw),
  ];
  return {
    ...{ document, placeOf, keysInFile, externals: loaded.externals, warnings: shortened(inOrder(warnings)) },
    addresses: [...loaded.files.keys(), ...loaded.externals.keys()],
  };
};

const repeatedKeys = ({ files }: LoadedFiles, { nameOf }: DocumentSource): Flaw[] =>
  [...files.values()].flatMap(({ address, repeatedKeys: repeated }) =>
    repeated.map(({ key, line }) => ({
      ...{ file: nameOf(address), line, rule: 'repeated-key' },
      message: `"${key.slice(0, 100)}" is there twice; only the last counts.`,
      remedy: 'Write it once.',
    })),
  );

type TreeOptions = Pick<OpenedDocument, 'placeOf'> & {
  /** Whether a warning about this place is for the author. */
  readonly mayWarn: (keys: readonly string[]) => boolean;
};

/** Opens a document that is one tree already. Throws `ConfigurationError` as `readDocument` does. */
export const openTree = (document: OpenedDocument['document'], { placeOf, mayWarn }: TreeOptions): OpenedDocument => {
  const found = documentFlaws(document, partsIn(document, treeAddress), createReferences(document));
  const located = ({ keys, rule, message, remedy }: DocumentFlaw): Flaw => ({
    ...placeOf(keys),
    ...{ rule, message, remedy },
  });
  const refused = found.filter(({ isServed }) => !isServed).map(located);
  if (refused.length > 0) throw refusalOf(refused);
  const warnings = found.filter(({ keys, isServed }) => isServed && mayWarn(keys)).map(located);
  return { document, placeOf, keysInFile, warnings, addresses: [], externals: new Map() };
};

/** A tree has no file: all of its references begin with `#`. */
const treeAddress = 'file:///';

/** By file and line. */
const orderIn =
  (files: readonly string[]) =>
  (flaws: readonly Flaw[]): Flaw[] =>
    [...flaws].sort((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0));

/** One error for all flaws, with each on a line of its own. */
const refusalOf = (flaws: readonly Flaw[]): ConfigurationError => {
  const [first] = flaws;
  if (first !== undefined && flaws.length === 1) return flawError(first);
  return new ConfigurationError(shortened(flaws).map(flawText).join('\n'), {
    hasLines: true,
    ...(first === undefined ? {} : { flaw: first }),
  });
};

/** The most flaws of one rule that are named one by one. */
const mostOfRule = 20;

/** The first of each rule, the last of which counts the others: large documents repeat a mistake in each operation. */
export const shortened = (flaws: readonly Flaw[]): Flaw[] => {
  const byRule = new Map<string, number>();
  const named = flaws.filter(({ rule }) => {
    const count = (byRule.get(rule) ?? 0) + 1;
    byRule.set(rule, count);
    return count <= mostOfRule;
  });
  return named.map((flaw, index) => {
    const count = byRule.get(flaw.rule) ?? 0;
    const isLast = named.findLastIndex(({ rule }) => rule === flaw.rule) === index;
    if (count <= mostOfRule || !isLast) return flaw;
    return { ...flaw, message: `${flaw.message} The same is so at ${count - mostOfRule} other places.` };
  });
};

type Place = { readonly file: string; readonly line: number };

const refuseOtherForms = (value: unknown, place: Place): void => {
  const refuse = (rule: string, message: string, remedy: string): never => {
    throw flawError({ ...place, rule, message, remedy });
  };
  if (!isRecord(value))
    refuse(
      'openapi-form',
      'is not an OpenAPI document: it is not an object.',
      'Name the file that begins with `openapi:`.',
    );
  const { openapi, swagger } = value as Readonly<Record<string, unknown>>;
  if (swagger !== undefined)
    refuse(
      'swagger-2',
      'is Swagger 2.0, which Atoll does not read.',
      'Convert it to OpenAPI 3 first, with `npx swagger2openapi FILE`.',
    );
  if (openapi === undefined)
    refuse('openapi-form', 'is not an OpenAPI document: it has no `openapi`.', 'Add `openapi: 3.1.0`.');
  if (!/^3\.[012](\.|$)/.test(versionOf(openapi)))
    refuse(
      'openapi-version',
      `is OpenAPI ${String(openapi)}; Atoll reads 3.0, 3.1 and 3.2.`,
      'Write it in one of these versions.',
    );
};
