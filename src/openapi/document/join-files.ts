/** Makes one tree of the files of a document, in which each reference begins with `#`. */
import type { Flaw } from '../../basics/configuration-error.ts';
import { isRecord } from '../../basics/json.ts';
import { encodeStep, readPointer, valueAt } from '../../basics/json-pointer.ts';
import {
  type DocumentSource,
  fileAddress,
  isReference,
  type LoadedFile,
  type LoadedFiles,
  unreadable,
  withoutFragment,
} from './load-files.ts';
import { filesMember } from '../schemas/positions.ts';
import type { Part } from './nodes.ts';

/** `keys` lead from the root of the tree to the part. */
export type DocumentPart = { readonly part: Part; readonly keys: readonly string[] };

export type JoinedFiles = {
  /** The objects of all files that have a reference, an identifier or a composition. */
  readonly parts: readonly DocumentPart[];
  readonly document: Part;
  readonly placeOf: (keys: readonly (string | number)[]) => {
    readonly file: string;
    readonly line: number | undefined;
  };
  readonly refused: readonly Flaw[];
  readonly warnings: readonly Flaw[];
};

/** Changes the values of the files. */
export const joinFiles = (loaded: LoadedFiles, source: DocumentSource): JoinedFiles => {
  const others = [...loaded.files.values()].slice(1);
  const nameIn = namesOf(source.address, loaded.files);
  const root = loaded.files.get(source.address)?.value as Part; // it was loaded
  const prefixOf = (address: string): readonly string[] =>
    address === source.address ? [] : [filesMember, nameIn(address)];
  const rewriting = {
    ...loaded,
    source,
    prefixOf,
    identifiers: identifiersIn(loaded.files),
    refused: [],
    warnings: [],
  };
  for (const file of loaded.files.values()) rewriteFile(file, rewriting);
  const byName = new Map(others.map((file) => [nameIn(file.address), file]));
  const placeOf: JoinedFiles['placeOf'] = (keys) => {
    const file = keys[0] === filesMember ? byName.get(String(keys[1])) : undefined;
    const { address, lineOf } = file ??
      loaded.files.get(source.address) ?? { address: source.address, lineOf: () => undefined };
    return { file: source.nameOf(address), line: lineOf(file === undefined ? keys : keysInFile(keys)) };
  };
  const contents = Object.fromEntries(others.map((file) => [nameIn(file.address), file.value]));
  const parts = [...loaded.files.values()].flatMap((file): readonly DocumentPart[] => {
    const prefix = prefixOf(file.address);
    return prefix.length === 0
      ? file.parts
      : file.parts.map(({ part, keys }) => ({ part, keys: [...prefix, ...keys] }));
  });
  return {
    parts,
    document: others.length === 0 ? root : { ...root, [filesMember]: contents },
    ...{ placeOf, refused: rewriting.refused, warnings: rewriting.warnings },
  };
};

/** The steps from the root of the file that has a value of the tree. */
export const keysInFile = (keys: readonly (string | number)[]): readonly (string | number)[] =>
  keys[0] === filesMember ? keys.slice(2) : keys;

/** The path of each file from the folder of the root document. */
const namesOf = (root: string, files: LoadedFiles['files']): ((address: string) => string) => {
  const folder = new URL('.', root).href;
  const names = new Map(
    [...files.keys()].map((address) => [
      address,
      address.startsWith(folder) ? decodedPath(address.slice(folder.length)) : address,
    ]),
  );
  return (address) => names.get(address) ?? address;
};

const decodedPath = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

type Place = { readonly file: LoadedFile; readonly keys: readonly string[] };

/** The places of `$id`, by address, and of `$anchor`, by address and fragment. */
type Identifiers = ReadonlyMap<string, Place>;

const identifiersIn = (files: LoadedFiles['files']): Identifiers => {
  const identifiers = new Map<string, Place>();
  for (const file of files.values()) {
    for (const { part, base, keys } of file.parts) {
      const { $id: id, $anchor: anchor, $dynamicAnchor: dynamic } = part;
      const place = { file, keys };
      // The first counts: `$defs` of a copied schema have the same names.
      const name = (address: string): void => {
        if (!identifiers.has(address)) identifiers.set(address, place);
      };
      if (typeof id === 'string') name(base);
      for (const each of [anchor, dynamic]) if (typeof each === 'string') name(`${base}#${each}`);
    }
  }
  return identifiers;
};

type Rewriting = LoadedFiles & {
  readonly source: DocumentSource;
  readonly prefixOf: (address: string) => readonly string[];
  readonly identifiers: Identifiers;
  readonly refused: Flaw[];
  readonly warnings: Flaw[];
};

const rewriteFile = (file: LoadedFile, rewriting: Rewriting): void => {
  for (const { part, base, keys } of file.parts) {
    for (const word of ['$ref', '$dynamicRef'] as const) {
      const reference = part[word];
      if (typeof reference === 'string')
        part[word] = rewritten(reference, { file, base, keys: [...keys, word] }, rewriting);
    }
    if (typeof part['externalValue'] === 'string')
      rewriteExternal(part, { file, base, keys: [...keys, 'externalValue'] }, rewriting);
    const mapping = isRecord(part['discriminator']) ? part['discriminator']['mapping'] : undefined;
    if (!isRecord(mapping)) continue;
    for (const [name, target] of Object.entries(mapping)) {
      if (typeof target !== 'string' || !isReference(target)) continue;
      const here = { file, base, keys: [...keys, 'discriminator', 'mapping', name] };
      Object.defineProperty(mapping, name, {
        value: rewritten(target, here, rewriting),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
};

type Written = Place & { readonly base: string };

/** The same reference from the root of the tree. */
const rewritten = (reference: string, written: Written, rewriting: Rewriting): string => {
  const { file, base } = written;
  const { identifiers, prefixOf, files } = rewriting;
  const [path, fragment] = splitReference(reference);
  const pointerIn = (place: Place, pointer: string): string =>
    `#${fragmentTo([...prefixOf(place.file.address), ...place.keys])}${pointer}`;
  // The common case, quickly.
  if (path === '' && identifiers.size === 0) return pointerIn({ file, keys: [] }, fragment);
  const absolute = URL.canParse(path, base) ? withoutFragment(new URL(path, base)) : undefined;
  if (absolute !== undefined) {
    // A fragment is a pointer, or the name of an anchor (JSON Schema 2020-12 §8.2.2).
    const anchor = fragment === '' || fragment.startsWith('/') ? undefined : identifiers.get(`${absolute}#${fragment}`);
    if (anchor !== undefined) return pointerIn(anchor, '');
    const resource = absolute === file.address ? undefined : identifiers.get(absolute);
    // Authors who give a schema an `$id` mean the file by `#/components/…` all the same.
    if (resource !== undefined && (path !== '' || leadsTo(resource, fragment))) return pointerIn(resource, fragment);
  }
  if (path === '') return pointerIn({ file, keys: [] }, fragment);
  const address = fileAddress(path, file.address);
  const target = address === undefined ? undefined : files.get(address);
  if (target !== undefined) return pointerIn({ file: target, keys: [] }, fragment);
  refuseReference(reference, address, written, rewriting);
  return '#';
};

const leadsTo = ({ file, keys }: Place, fragment: string): boolean => {
  const steps = stepsOf(`#${fragment}`);
  return steps !== undefined && valueAt(file.value, [...keys, ...steps]) !== undefined;
};

const stepsOf = (pointer: string): string[] | undefined => {
  try {
    return readPointer(pointer);
  } catch {
    return undefined;
  }
};

const refuseReference = (
  reference: string,
  address: string | undefined,
  { file, keys }: Written,
  { source, missing, refused }: Rewriting,
): void => {
  const reason = address === undefined ? 'it is not an address' : missing.get(address);
  // What is wrong with the file itself was said.
  if (reason === unreadable) return;
  const refuse = (message: string, remedy: string): void =>
    void refused.push({
      file: source.nameOf(file.address),
      line: file.lineOf(keys),
      rule: 'reference',
      message: `$ref ${shown(reference)}: ${message}.`,
      remedy,
    });
  if (reason !== undefined) refuse(reason, 'Correct the reference, or add the file.');
  else if (isRemote(address, source))
    refuse('nothing is fetched from a network', 'Keep a copy in the folder of the document.');
  else refuse('leads out of the folder of the document', 'Keep a copy in the folder of the document.');
};

/** Texts of a document are shown in part: they may be long. */
const shown = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

const isRemote = (address: string | undefined, source: DocumentSource): boolean =>
  address !== undefined && new URL(address).protocol !== new URL(source.address).protocol;

/** An example of which the bytes are missing is none: what a network has is not needed to serve the others. */
const rewriteExternal = (
  part: Record<string, unknown>,
  written: Written,
  { source, externals, missing, refused, warnings }: Rewriting,
): void => {
  const { file, keys } = written;
  const text = String(part['externalValue']);
  const address = fileAddress(text, file.address);
  if (address !== undefined && externals.has(address)) {
    part['externalValue'] = address;
    return;
  }
  delete part['externalValue'];
  const reason = address === undefined ? 'it is not an address' : missing.get(address);
  const at = { file: source.nameOf(file.address), line: file.lineOf(keys), rule: 'external-value' };
  const message = (why: string): string => `externalValue ${shown(text)}: ${why}.`;
  if (reason !== undefined)
    refused.push({ ...at, message: message(reason), remedy: 'Correct the address, or add the file.' });
  else if (isRemote(address, source))
    warnings.push({
      ...at,
      message: message('nothing is fetched from a network, so the example is passed over'),
      remedy: 'Keep a copy in the folder of the document.',
    });
  else
    refused.push({
      ...at,
      message: message('leads out of the folder of the document'),
      remedy: 'Keep a copy in the folder of the document.',
    });
};

const splitReference = (reference: string): [path: string, fragment: string] => {
  const at = reference.indexOf('#');
  return at === -1 ? [reference, ''] : [reference.slice(0, at), reference.slice(at + 1)];
};

/** The fragment of a pointer (RFC 6901 §6). */
const fragmentTo = (steps: readonly string[]): string =>
  steps.map((step) => `/${encodeURIComponent(encodeStep(step))}`).join('');
