/** Loads the files of an OpenAPI document: the root, and all that it refers to, within bounds. */
import { ConfigurationError, flawError, type Flaw } from '../../basics/configuration-error.ts';
import { isRecord } from '../../basics/json.ts';
import { visitObjects } from '../schemas/positions.ts';

/** A file with its value and lines. The value is the reader's own, and may be changed. */
export type ParsedFile = {
  readonly value: unknown;
  readonly lineOf: (keys: readonly (string | number)[]) => number | undefined;
  /** Keys that a mapping has more than once. Only the last of each counts. */
  readonly repeatedKeys: readonly { readonly key: string; readonly line: number }[];
};

/** Where the files of a document are. Addresses are those of URLs, so that they can be resolved anywhere. */
export type DocumentSource = {
  /** The address of the root document. */
  readonly address: string;
  /** The name of a file for people. */
  readonly nameOf: (address: string) => string;
  /** Whether a document may refer to this address. */
  readonly mayRead: (address: string) => boolean;
  /** Rejects with the reason when there is no such file: `there is no such file`. */
  readonly read: (address: string) => Promise<Uint8Array>;
  /** Throws `ConfigurationError` for a text that is neither YAML nor JSON. */
  readonly parse: (name: string, text: string) => Promise<ParsedFile>;
};

/** Bounds of a document with all of its files. */
export const documentBounds = {
  bytes: 20 * 1024 * 1024,
  operations: 5000,
  files: 100,
  depth: 100,
  /** With the values that aliases repeat. */
  values: 2_000_000,
} as const;

export type LoadedFile = ParsedFile & { readonly address: string; readonly parts: readonly FilePart[] };

export type LoadedFiles = {
  /** By address, the root first. */
  readonly files: ReadonlyMap<string, LoadedFile>;
  /** Why a file that something refers to is not there, by address. */
  readonly missing: ReadonlyMap<string, string>;
  /** The bytes of each `externalValue`, by address. */
  readonly externals: ReadonlyMap<string, Uint8Array>;
  /** Files that are no YAML, and bounds that are passed. */
  readonly flaws: readonly Flaw[];
};

/** Rejects with `ConfigurationError` for a root that cannot be read, or for more than the bounds. `onFile` learns each address before it is read. */
export const loadFiles = async (
  source: DocumentSource,
  onFile: (address: string) => void,
  checkRoot: (root: LoadedFile) => void,
): Promise<LoadedFiles> => {
  const files = new Map<string, LoadedFile>();
  const missing = new Map<string, string>();
  const externals = new Map<string, Uint8Array>();
  const flaws: Flaw[] = [];
  const { read, load } = boundedLoading(source, onFile);
  const root = await load(source.address);
  checkRoot(root);
  files.set(source.address, root);
  const loadReferred = async (address: string): Promise<void> => {
    if (files.has(address) || missing.has(address)) return;
    if (files.size >= documentBounds.files) throw tooManyFiles(source.nameOf(source.address));
    try {
      files.set(address, await load(address));
    } catch (error) {
      const flaw = error instanceof ConfigurationError ? error.flaw : undefined;
      if (flaw !== undefined && boundRules.has(flaw.rule)) throw error;
      if (flaw !== undefined) flaws.push(flaw);
      missing.set(address, flaw === undefined ? reasonOf(error) : unreadable);
    }
  };
  const loadExternal = async (address: string): Promise<void> => {
    if (externals.has(address) || missing.has(address)) return;
    try {
      externals.set(address, await read(address));
    } catch (error) {
      if (error instanceof ConfigurationError) throw error;
      missing.set(address, reasonOf(error));
    }
  };
  // A file that is added while they are visited is visited, too.
  for (const file of files.values()) {
    const { references, values } = addressesIn(file, source);
    for (const address of references) await loadReferred(address);
    for (const address of values) await loadExternal(address);
  }
  return { files, missing, externals, flaws };
};

/** Reads and parses files as long as all of them together are within the bounds. */
const boundedLoading = (source: DocumentSource, onFile: (address: string) => void) => {
  let bytes = 0;
  let values = 0;
  const read = async (address: string): Promise<Uint8Array> => {
    onFile(address);
    const content = await source.read(address);
    bytes += content.length;
    if (bytes > documentBounds.bytes) throw tooLarge(source.nameOf(address));
    return content;
  };
  const load = async (address: string): Promise<LoadedFile> => {
    const name = source.nameOf(address);
    const parsed = await source.parse(name, decoded(await read(address)));
    values += countBounded(parsed, name, documentBounds.values - values);
    return { ...parsed, address, parts: partsIn(parsed.value, address) };
  };
  return { read, load };
};

/** In place of the reason for a file with a flaw of its own. */
export const unreadable = 'unreadable';

const boundRules: ReadonlySet<string> = new Set(['too-large', 'too-deep', 'too-many-files', 'alias']);

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** UTF-16 has a byte order mark (YAML 1.2.2 §5.2). */
const decoded = (bytes: Uint8Array): string => {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
};

const tooLarge = (file: string): ConfigurationError => {
  const message = `The document with its files is larger than ${documentBounds.bytes / 1024 / 1024} MB.`;
  return flawError({ file, rule: 'too-large', message, remedy: 'Divide it.' });
};

const tooManyFiles = (file: string): ConfigurationError => {
  const message = `The document has more than ${documentBounds.files} files.`;
  return flawError({ file, rule: 'too-many-files', message, remedy: 'Join some of them.' });
};

/**
 * How many values a file has. Aliases of YAML share theirs, so that a small text may stand for more than any memory holds. Throws where
 * there are more than `most`, or where they are nested too deeply.
 */
const countBounded = ({ value: root, lineOf }: ParsedFile, file: string, most: number): number => {
  const sizes = new Map<object, number>();
  const open = new Set<object>();
  const path: string[] = [];
  const refuse = (rule: string, message: string): never => {
    throw flawError({ file, line: lineOf(path), rule, message, remedy: 'Write it smaller.' });
  };
  const sizeOf = (value: object): number => {
    if (path.length > documentBounds.depth)
      refuse('too-deep', `The document is nested more than ${documentBounds.depth} levels deep.`);
    if (open.has(value)) refuse('alias', 'An alias is inside its own anchor.');
    const known = sizes.get(value);
    if (known !== undefined) return known;
    open.add(value);
    const members = value as Readonly<Record<string, unknown>>; // lists too
    let size = 1;
    for (const name of Object.keys(members)) {
      const member = members[name];
      size += 1;
      if (typeof member === 'object' && member !== null) {
        path.push(name);
        size += sizeOf(member);
        path.pop();
      }
      if (size > most) refuse('alias', `The document has more than ${documentBounds.values} values with its aliases.`);
    }
    open.delete(value);
    sizes.set(value, size);
    return size;
  };
  return typeof root === 'object' && root !== null ? sizeOf(root) : 1;
};

/** The base of relative references in an object: its `$id`, where it has one (JSON Schema 2020-12 §8.2.1). */
const baseOf = ({ $id: id }: Readonly<Record<string, unknown>>, around: string): string =>
  typeof id === 'string' && URL.canParse(id, around) ? withoutFragment(new URL(id, around)) : around;

export const withoutFragment = (address: URL): string => {
  const plain = new URL(address);
  plain.hash = '';
  return plain.href;
};

/** The address of the file that a reference names, seen from the file that has it. Undefined for one within the file, or none. */
export const fileAddress = (reference: string, file: string): string | undefined => {
  if (reference.startsWith('#') || !URL.canParse(reference, file)) return undefined;
  const address = new URL(reference, file);
  if (address.protocol === 'file:') address.search = '';
  return withoutFragment(address);
};

/** An object of a file, the base of its relative references, and the steps to it. */
type FilePart = { readonly part: Record<string, unknown>; readonly base: string; readonly keys: readonly string[] };

/** The objects of a file that have a reference, an identifier or a composition. */
export const partsIn = (value: unknown, file: string): FilePart[] => {
  const parts: FilePart[] = [];
  visitObjects(value, file, (part, keys, around) => {
    const base = baseOf(part, around);
    if (words.some((word) => part[word] !== undefined)) parts.push({ part, base, keys: keys() });
    return base;
  });
  return parts;
};

const words = [
  ...['$ref', '$dynamicRef', '$id', '$anchor', '$dynamicAnchor', 'externalValue', 'discriminator'],
  ...['allOf', 'anyOf', 'oneOf'],
];

/** The files that a file names, as far as they may be read. */
const addressesIn = ({ parts, address: file }: LoadedFile, source: DocumentSource) => {
  const references = new Set<string>();
  const values = new Set<string>();
  const add = (into: Set<string>, written: unknown): void => {
    const address = typeof written === 'string' ? fileAddress(written, file) : undefined;
    if (address !== undefined && source.mayRead(address)) into.add(address);
  };
  for (const { part } of parts) {
    const { $ref: reference, externalValue, discriminator } = part;
    add(references, reference);
    add(values, externalValue);
    const mapping = isRecord(discriminator) ? discriminator['mapping'] : undefined;
    for (const target of isRecord(mapping) ? Object.values(mapping) : [])
      if (typeof target === 'string' && isReference(target)) add(references, target);
  }
  return { references, values };
};

/** Whether a target of a discriminator's mapping is a reference, and not the name of a schema. */
export const isReference = (text: string): boolean => /[#/]|\.(ya?ml|json)$/i.test(text);
