/** What was read and checked when the program was built: an unchanged package is not read and checked again at every start. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readDocument, resolveDocument, type DocumentObject } from '../document/document.ts';
import { specialise } from '../document/specialise.ts';
import { loadSite } from '../site/load-site.ts';
import { readYaml, type YamlReader } from '../site/read-yaml.ts';
import type { Site } from '../site/site.ts';

/** The documents of a start. When they are `checked` they are valid, and the first is the site's own but for its address. */
export type StartSources = {
  readonly site: Site;
  readonly document: DocumentObject;
  readonly controlDocument: DocumentObject;
  readonly isChecked: boolean;
};

/** A file that lies beside the program, as JSON. */
type Prepared = {
  /** Of every file that went into it, by name and content. */
  readonly sha256: string;
  readonly document: DocumentObject;
  readonly controlDocument: DocumentObject;
  /** The contents of the site's files by their names below its folder, each held to its shape. */
  readonly siteFiles: Readonly<Record<string, unknown>>;
};

export const documentFile = 'openapi.yaml';
const controlFile = 'src/control/openapi.yaml';
export const siteFolder = 'data/site';

/**
 * The site and the documents of a start, from the prepared file if there is one and nothing of what it was made from has
 * changed, else from their own files. Throws `ConfigurationError`.
 */
export const readSources = async (
  root: string,
  site: string | undefined,
  preparedFile: string | undefined,
): Promise<StartSources> => {
  const directory = site ?? join(root, siteFolder);
  const prepared = preparedFile === undefined ? undefined : await readPrepared(preparedFile);
  if (prepared === undefined || (await hashOf(root, directory)) !== prepared.sha256) {
    const [loaded, document, controlDocument] = await Promise.all([
      loadSite(directory),
      readDocument(join(root, documentFile)),
      readDocument(join(root, controlFile)),
    ]);
    return { site: loaded, document, controlDocument, isChecked: false };
  }
  const { document, controlDocument, siteFiles } = prepared;
  // Each of them was held to this very shape when the program was built.
  const read: YamlReader = (file) => Promise.resolve(siteFiles[relative(directory, file)] as never); // see above
  return { site: await loadSite(directory, read), document, controlDocument, isChecked: true };
};

const readPrepared = async (file: string): Promise<Prepared | undefined> => {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Prepared); // written by the build, together with the program
};

/** Reads and checks everything. The result is what the prepared file holds. Throws when something cannot be prepared. */
export const prepare = async (root: string): Promise<string> => {
  const directory = join(root, siteFolder);
  const siteFiles: Record<string, unknown> = {};
  const read: YamlReader = async (file, schema) => {
    const content = await readYaml(file, schema);
    siteFiles[relative(directory, file)] = content;
    return content;
  };
  const [sha256, site, written, controlDocument] = await Promise.all([
    hashOf(root, directory),
    loadSite(directory, read),
    readDocument(join(root, documentFile)),
    readDocument(join(root, controlFile)),
  ]);
  const document = specialise(written, site, written.servers?.[0]?.url ?? '');
  await Promise.all([resolveDocument(document), resolveDocument(controlDocument)]);
  const prepared: Prepared = { sha256, document, controlDocument, siteFiles };
  const text = JSON.stringify(prepared);
  if (!isDeepStrictEqual(JSON.parse(text), prepared))
    throw new Error('Something of the site or the documents is no JSON.');
  return text;
};

const hashOf = async (root: string, directory: string): Promise<string> => {
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  const files = names.filter((name) => name.endsWith('.yml')).sort();
  const places = [
    ...[documentFile, controlFile].map((name) => ({ name, file: join(root, name) })),
    ...files.map((name) => ({ name, file: join(directory, name) })),
  ];
  const texts = await Promise.all(places.map(({ file }) => readFile(file).catch(() => Buffer.alloc(0))));
  const hash = createHash('sha256');
  for (const [index, { name }] of places.entries())
    hash
      .update(JSON.stringify(name))
      .update(texts[index] ?? '')
      .update('\0');
  return hash.digest('hex');
};
