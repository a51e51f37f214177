/** Reads a site, its documents and its fixtures into the parts of a prepared site. */
import { basename, join, resolve } from 'node:path';
import { areEqual } from '../../basics/equal-values.ts';
import { resolveReferences, type DocumentObject } from '../../core/document/document.ts';
import { readOverlay } from '../../server/sources/read-overlay.ts';
import type { ExportedConfiguration, ImportReport } from '../../core/site/exported-configuration.ts';
import { readImportedFolder } from '../../server/sources/imported-sources.ts';
import { readVersion } from '../../server/start/package-version.ts';
import { documentFile, readDocuments } from '../../server/sources/prepared-sources.ts';
import { documentOfSite } from '../../server/sources/site-document.ts';
import { loadSiteFolder } from '../../core/site/load-site.ts';
import { firstContent, siteDirectory } from '../../server/sources/packaged-sites.ts';
import { ConfigurationError, flawText } from '../../basics/configuration-error.ts';
import { readRegularFile } from '../../basics/disk/regular-file.ts';
import type { SiteInput } from '../../core/site/site-files.ts';
import type { SiteFolder } from '../../core/site/site-folder.ts';
import { diskFolder } from '../../server/sources/disk-site.ts';
import { compileValidators, type ValidatorTexts } from './compile-validators.ts';
import type { PreparedDocument, PreparedSite } from './prepared-site.ts';
import { readFixture } from './read-fixtures.ts';
import { recordFolder } from './recorded-folder.ts';

export type PrepareOptions = {
  /** The folder of the package. */
  readonly root: string;
  /** The file that the build prepared. Without it the documents are read and checked here. */
  readonly prepared?: string | undefined;
  /** The name of a site of the package, or the directory of a site. When left out: the default site. */
  readonly site?: string | undefined;
  /** An exported configuration that the site is made from, in place of `site`. */
  readonly drupalConfig?: ExportedConfiguration | undefined;
  /**
   * As `atoll serve --fixture` takes them. The first one fills a new repository. When left out: what `atoll serve` takes
   * for the site. `empty` is always there.
   */
  readonly fixtures?: readonly string[] | undefined;
  /** What a sample is drawn by. */
  readonly seed?: string | undefined;
  /** Overlays over the document: files. */
  readonly overlays?: readonly string[] | undefined;
  readonly warn?: ((message: string) => void) | undefined;
};

/** A prepared site whose validators are still text. `moduleText` makes a module of it. */
export type SiteParts = Omit<PreparedSite, 'document' | 'controlDocument'> & {
  readonly document: DocumentParts;
  readonly controlDocument: DocumentParts;
  /** What an import took and did not take. */
  readonly imported?: ImportReport | undefined;
};

export type DocumentParts = Pick<PreparedDocument, 'text'> & { readonly validators: ValidatorTexts };

/** Throws `ConfigurationError` for what cannot be read or is invalid. */
export const prepareSite = async (options: PrepareOptions): Promise<SiteParts> => {
  const { root, overlays = [], seed, warn = () => undefined } = options;
  const { folder, imported } = await folderOf(options);
  const recorded = recordFolder(folder);
  const [site, documents, version, readOverlays] = await Promise.all([
    loadSiteFolder(recorded.folder),
    readDocuments(root, options.prepared),
    readVersion(root),
    Promise.all(overlays.map(readOverlay)),
  ]);
  const baseUrl = documents.document.servers?.[0]?.url ?? '';
  const sources = { site, ...documents, documentFile: join(root, documentFile) };
  const proposals = { overlays: readOverlays, handlers: new Map<string, never>() };
  const { document, resolved, slow, warnings } = await documentOfSite({ ...sources, proposals }, baseUrl);
  refuseSlow(slow);
  for (const flaw of warnings) warn(flawText(flaw));
  const fixtures = [];
  const source = { root, prepared: options.prepared, site, seed, warn };
  for (const named of fixturesOf(options)) fixtures.push(await readFixture(source, named));
  const icons = recorded.icons().map(async (name) => [name, await iconText(folder, name)] as const);
  const parts: SiteParts = {
    name: nameOf(options),
    version,
    siteFiles: withoutBuckets(recorded.files()),
    icons: Object.fromEntries(await Promise.all(icons)),
    document: documentParts(document, resolved),
    controlDocument: documentParts(documents.controlDocument, resolveReferences(documents.controlDocument)),
    fixtures: Object.fromEntries(fixtures),
    ...(imported && { imported }),
  };
  requireJson(parts);
  return parts;
};

/** Only Node can end a pattern that takes too long. */
const refuseSlow = (patterns: ReadonlySet<string>): void => {
  const [first] = patterns;
  if (first === undefined) return;
  throw new ConfigurationError(
    `The time that the pattern ${first} of an overlay needs can grow faster than the text, and where there is no Node nothing ends it. ` +
      'Anchor it and repeat nothing twice.',
  );
};

const folderOf = async ({
  root,
  site,
  drupalConfig,
}: PrepareOptions): Promise<{ readonly folder: SiteFolder; readonly imported?: ImportReport }> => {
  if (drupalConfig === undefined) return { folder: diskFolder(siteDirectory(root, site)) };
  const { folder, report } = await readImportedFolder(root, drupalConfig);
  return { folder, imported: report };
};

const nameOf = ({ site = 'default', drupalConfig }: PrepareOptions): string =>
  basename(resolve(drupalConfig?.folders[0] ?? site));

const fixturesOf = ({ site, drupalConfig, fixtures = [] }: PrepareOptions): ReturnType<typeof firstContent>[] => {
  const [first, ...others] = fixtures;
  const named = [firstContent(first, { site, isImported: drupalConfig !== undefined })];
  return [...named, ...others.map((fixture) => ({ fixture })), { fixture: 'empty' }];
};

/**
 * The bytes of a prepared site are with it. The keys of a bucket would be read by everybody who gets the module, so the storages
 * are as those without a bucket.
 */
const withoutBuckets = (files: PreparedSite['siteFiles']): PreparedSite['siteFiles'] => {
  const general = files['site.yml'] as SiteInput; // its schema has been applied
  const storages = Object.entries(general.storages).map(
    ([scheme, { prefix, access, standard_upload }]) =>
      [scheme, { kind: 'disk', prefix, access, standard_upload }] as const,
  );
  return { ...files, 'site.yml': { ...general, storages: Object.fromEntries(storages) } };
};

const iconText = async ({ iconDirectory }: SiteFolder, name: string): Promise<string> =>
  (await readRegularFile(join(iconDirectory, name))).toString('base64');

const documentParts = (document: DocumentObject, resolved: DocumentObject): DocumentParts => ({
  text: JSON.stringify(document),
  validators: compileValidators(resolved),
});

/** The module holds these as JSON, which knows no times and nothing undefined. */
const requireJson = ({ siteFiles, fixtures }: SiteParts): void => {
  const value = { siteFiles, fixtures };
  if (!areEqual(JSON.parse(JSON.stringify(value)), value))
    throw new Error('Something of the site or of its fixtures is no JSON.');
};
