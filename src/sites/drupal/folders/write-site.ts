/** Writes an imported site into a folder, and reads what an earlier import has left there. */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Document, isMap, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { ConfigurationError } from '../../../basics/configuration-error.ts';
import { requireFormat } from '../../../basics/disk/require-format.ts';
import { errorCode } from '../../../basics/error-code.ts';
import { isRecord } from '../../../basics/json.ts';
import { loadYaml } from '../../../basics/yaml/yaml-library.ts';
import { parseData } from '../configuration.ts';
import type { Imported } from '../import-configuration.ts';
import { dataOf, listOf, textOf, textsOf, wholeOf } from '../../../basics/exported/lenient-values.ts';
import { sitePartOf } from '../site-format.ts';
import type { KnownTerm } from '../terms/placed-terms.ts';

/** A map or list that fits into one line is written on one. */
const lineWidth = 110;

/** The text of a file. */
const siteYaml = async (file: string, content: unknown): Promise<string> => {
  const yaml = await loadYaml();
  const { terms, objects, ...others } = dataOf(content);
  const document = new yaml.Document(others, { aliasDuplicateObjects: false });
  document.commentBefore = ` ${headingOf(file, content)}`;
  compact(document);
  // A file of nothing but lines needs no map before them.
  const head =
    Object.keys(others).length === 0
      ? `#${document.commentBefore}\n`
      : document.toString({ lineWidth: 0, flowCollectionPadding: true });
  return head + lines('terms', listOf(terms)) + lines('objects', listOf(objects));
};

/** Each element is one line of JSON, which is YAML too. So thousands of them are read quickly (`basics/yaml/term-lines.ts`). */
const lines = (key: string, elements: readonly unknown[]): string =>
  elements.length === 0 ? '' : `${key}:\n${elements.map((element) => `  - ${JSON.stringify(element)}\n`).join('')}`;

const compact = ({ contents }: Document): void => {
  if (isMap(contents)) for (const { value } of contents.items) compactNode(value as Node | null); // values are nodes here
};

const compactNode = (node: Node | null): void => {
  if (!isMap(node) && !isSeq(node)) return;
  if (isShort(node)) {
    node.flow = true;
    return;
  }
  for (const item of node.items as (Node | Pair)[]) {
    compactNode('key' in item ? (item.value as Node | null) : item);
  }
};

/** A list of short maps, such as terms and accounts, has one line for each of them. */
const isShort = (node: YAMLMap | YAMLSeq): boolean => {
  const isTable = isSeq(node) && node.items.length > 1 && node.items.some(isMap);
  if (isTable || (isMap(node) && node.items.some(({ value }) => isMap(value)))) return false;
  return JSON.stringify(node).length <= lineWidth;
};

const headingOf = (file: string, content: unknown): string => {
  const { label, id, resource, path } = dataOf(content);
  const name = textOf(path) ?? textOf(label) ?? textOf(id) ?? textOf(resource) ?? '';
  return (sitePartOf(file)?.[2] ?? '').replace('$name', () => name.replaceAll(/\s+/g, ' '));
};

/** The file that tells the next import which files are its own. It holds the report too. */
const marker = 'import.json';

/** Raise it when the content of the marker changes. The first ones do not say it. */
const markerFormat = 1;

export type EarlierImport = { readonly files: readonly string[]; readonly terms: readonly KnownTerm[] };

/** Throws `ConfigurationError` for a folder with anything but an earlier import in it. */
export const readEarlierImport = async (folder: string): Promise<EarlierImport> => {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  if (names.length === 0) return { files: [], terms: [] };
  const text = await readFile(join(folder, marker), 'utf8').catch(() => undefined);
  if (text === undefined) {
    throw new ConfigurationError(`${folder}: holds other files. Name a new folder, or one that an import has written.`);
  }
  const written: unknown = JSON.parse(text);
  requireFormat(join(folder, marker), written, markerFormat);
  const files = textsOf(dataOf(written)['files']).filter(isOwnName);
  const vocabularies = files.filter((name) => name.startsWith('vocabularies/'));
  const terms = await Promise.all(vocabularies.map((name) => termsIn(join(folder, name))));
  return { files, terms: terms.flat() };
};

/** Names as an import makes them: nothing else is ever removed. */
const isOwnName = (name: string): boolean =>
  sitePartOf(name) !== undefined && /^([a-z]+\.yml|[a-z]+\/[A-Za-z0-9_.-]+\.yml)$/.test(name);

const termsIn = async (file: string): Promise<KnownTerm[]> => {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  const { id, terms } = parseData({ file, text });
  return listOf(terms).flatMap((term) => {
    const { tid, uuid, name } = dataOf(term);
    const known = { vocabulary: textOf(id), tid: wholeOf(tid), uuid: textOf(uuid), name: textOf(name) };
    return isRecord(term) && isComplete(known) ? [known] : [];
  });
};

const isComplete = (term: { readonly [K in keyof KnownTerm]: KnownTerm[K] | undefined }): term is KnownTerm =>
  Object.values(term).every((member) => member !== undefined);

/** Accounts that are there already stay: people may have added some. */
export const staysAsItIs = (name: string, earlier: EarlierImport): boolean =>
  name === 'accounts.yml' && earlier.files.includes(name);

/** `icons` is the folder of the package's icons. */
export const writeSite = async (
  folder: string,
  { siteFiles, report }: Imported,
  earlier: EarlierImport,
  icons: string,
): Promise<void> => {
  for (const name of earlier.files) {
    if (!siteFiles.has(name) && name !== 'accounts.yml') await rm(join(folder, name), { force: true });
  }
  for (const [name, content] of siteFiles) {
    if (staysAsItIs(name, earlier)) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), await siteYaml(name, content));
  }
  await mkdir(join(folder, 'icons'), { recursive: true });
  for (const icon of await readdir(icons)) await copyFile(join(icons, icon), join(folder, 'icons', icon));
  const written = { format: markerFormat, files: [...siteFiles.keys()].sort(), report };
  await writeFile(join(folder, marker), `${JSON.stringify(written, null, 2)}\n`);
};
