/** Reads the site and the documents. The build prepares and checks them, so that an unchanged package starts quickly. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readDocument, resolveDocument, type DocumentObject } from '../document/document.ts';
import { specialise } from '../document/specialise.ts';
import { loadSite } from '../site/load-site.ts';
import { packagedSites, preparedFor, siteDirectory } from '../site/packaged-sites.ts';
import { readYaml, type YamlReader } from '../site/read-yaml.ts';
import { readRegularFile } from '../site/regular-file.ts';
import type { Site } from '../site/site.ts';

/** With `isChecked` both documents are valid, and `document` is specialised for the site except for its base URL. */
export type StartSources = {
  readonly site: Site;
  readonly document: DocumentObject;
  readonly controlDocument: DocumentObject;
  readonly isChecked: boolean;
};

/** The content of a prepared file: `dist/prepared.json`, and one for each other site of the package. */
type Prepared = {
  /** The hash of all files that the prepared file was made from, by name and content. */
  readonly sha256: string;
  readonly document: DocumentObject;
  readonly controlDocument: DocumentObject;
  /** The contents of the site's files by their names below the site's folder. They have been checked against their schemas. */
  readonly siteFiles: Readonly<Record<string, unknown>>;
};

export const documentFile = 'openapi.yaml';
const controlFile = 'src/control/openapi.yaml';

/**
 * Reads from the prepared file when there is one and none of its source files has changed, else from the source files.
 * Throws `ConfigurationError`.
 */
export const readSources = async (
  root: string,
  site: string | undefined,
  preparedFile: string | undefined,
): Promise<StartSources> => {
  const directory = siteDirectory(root, site);
  const prepared = preparedFile === undefined ? undefined : await readPrepared(preparedFor(preparedFile, site));
  if (prepared === undefined || (await hashOf(root, directory)) !== prepared.sha256) {
    const [loaded, documents] = await Promise.all([loadSite(directory), readDocuments(root)]);
    return { site: loaded, ...documents };
  }
  const { document, controlDocument, siteFiles } = prepared;
  const read: YamlReader = (file) => Promise.resolve(siteFiles[nameIn(directory, file)] as never); // the build checked each file against its schema
  return { site: await loadSite(directory, read), document, controlDocument, isChecked: true };
};

/** The documents from their own files. The first is that of the default site. */
export const readDocuments = async (root: string): Promise<Omit<StartSources, 'site'>> => {
  const [document, controlDocument] = await Promise.all([
    readDocument(join(root, documentFile)),
    readDocument(join(root, controlFile)),
  ]);
  return { document, controlDocument, isChecked: false };
};

/** The package may be built on one system and used on another, so names in the prepared file have slashes everywhere. */
const withSlashes = (name: string): string => name.replaceAll(sep, '/');

const nameIn = (directory: string, file: string): string => withSlashes(relative(directory, file));

const readPrepared = async (file: string): Promise<Prepared | undefined> => {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Prepared); // the build wrote it
};

/** Reads and checks everything and returns the text of the prepared file. Throws when something cannot be prepared. */
export const prepare = async (root: string, packagedSite?: string): Promise<string> => {
  const directory = siteDirectory(root, packagedSite);
  const siteFiles: Record<string, unknown> = {};
  const read: YamlReader = async (file, schema) => {
    const content = await readYaml(file, schema);
    siteFiles[nameIn(directory, file)] = content;
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

/** The prepared file of each site of the package. `file` is that of the default site. */
export const preparePackage = (root: string, file: string): Promise<readonly { file: string; text: string }[]> =>
  Promise.all(packagedSites.map(async (site) => ({ file: preparedFor(file, site), text: await prepare(root, site) })));

const hashOf = async (root: string, directory: string): Promise<string> => {
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  const files = names
    .filter((name) => name.endsWith('.yml'))
    .map(withSlashes)
    .sort();
  const sources = [
    ...[documentFile, controlFile].map((name) => ({ name, file: join(root, name) })),
    ...files.map((name) => ({ name, file: join(directory, name) })),
  ];
  const texts = await Promise.all(sources.map(({ file }) => readRegularFile(file).catch(() => Buffer.alloc(0))));
  const hash = createHash('sha256');
  for (const [index, { name }] of sources.entries())
    hash
      .update(JSON.stringify(name))
      .update(texts[index] ?? '')
      .update('\0');
  return hash.digest('hex');
};
