/** Reads a site, its documents and its fixtures into the parts of a prepared site. */
import { documentForSite, openSiteFolder, repositoryOnDisk } from '../../application/application-disk.ts';
import { basename, join, resolve } from 'node:path';
import { ConfigurationError, flawText } from '../../basics/configuration-error.ts';
import { areEqual } from '../../basics/equal-values.ts';
import { resolveReferences } from '../../openapi/openapi-parts.ts';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import type { ExportedConfiguration, ImportReport } from '../../openapi/openapi-host.ts';
import { initialRecords, loadSiteFolder, type SiteInput } from '../../repository/repository-sites.ts';
import { loadLiving } from '../../repository/repository-content.ts';
import { readRegularFile } from '../../basics/disk/regular-file.ts';
import type { SiteFolder, Site } from '../../repository/repository.ts';
import { readVersion } from '../../server/server.ts';
import { type FixtureContent, createFixtures } from '../../server/server-application.ts';
import { compileValidators, type ValidatorTexts } from './compile-validators.ts';
import type { PreparedBytes, PreparedDocument, PreparedFixture, PreparedSite } from './prepared-site.ts';
import type { Entity } from '../../openapi/openapi-records.ts';

/** Notes what a site is loaded from. */
type RecordedFolder = {
  /** The folder, which records each file that it reads. Load one site from it, then ask for the files. */
  readonly folder: SiteFolder;
  /** The contents that were read, as their schemas returned them, by their names in the order of the alphabet. */
  readonly files: () => Readonly<Record<string, unknown>>;
  /** The names of the pictures that were found, in the order of the alphabet. */
  readonly icons: () => readonly string[];
};

const recordFolder = (folder: SiteFolder): RecordedFolder => {
  const files = new Map<string, unknown>();
  const icons = new Set<string>();
  return {
    folder: {
      ...folder,
      read: async (name, schema) => {
        const content = await folder.read(name, schema);
        files.set(name, content);
        return content;
      },
      hasIcon: async (name) => {
        const isThere = await folder.hasIcon(name);
        if (isThere) icons.add(name);
        return isThere;
      },
    },
    files: () => Object.fromEntries([...files.keys()].sort().map((name) => [name, files.get(name)])),
    icons: () => [...icons].sort(),
  };
};

/** The name and content of a fixture, with all its bytes. Throws `ConfigurationError`. */
const readFixture = async (
  { root, prepared, site: named, drupalConfig, seed, warn }: PrepareOptions,
  site: Site,
  fixture: string | undefined,
): Promise<readonly [string, PreparedFixture]> => {
  const places = { root, prepared, site: named, drupalConfig };
  const fixtures = createFixtures({
    ...(await repositoryOnDisk.fixturesOf({ ...places, fixture }, { site })),
    ...{ application: repositoryOnDisk, root, site, seed, warn },
  });
  const { entities, counters, blobs } = await fixtures.ownContent();
  // The server adds the records of the site itself, and so does who uses the prepared site.
  const others = [...entities].slice(initialRecords(site).length).map(withoutUndefined);
  const content = { entities: others, counters, blobs: await bytesOf(others, blobs) };
  return [basename(fixtures.ownName()).replace(/\.(ya?ml|json)$/i, ''), content];
};

/** JSON has no undefined. */
const withoutUndefined = (entity: Entity): Entity => JSON.parse(JSON.stringify(entity)) as Entity; // a record is JSON

const bytesOf = async (
  entities: readonly Entity[],
  storage: FixtureContent['blobs'],
): Promise<Record<string, PreparedBytes>> => {
  const found: Record<string, PreparedBytes> = {};
  for (const { id, blob } of entities) {
    if (blob === undefined || Object.hasOwn(found, blob.key)) continue;
    const stream = await storage.open(blob);
    if (stream === undefined) throw new Error(`The bytes of file:${id} (${blob.key}) are missing.`);
    found[blob.key] = { base64: Buffer.from(await new Response(stream).arrayBuffer()).toString('base64') };
  }
  return found;
};

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
  const { root, warn = () => undefined } = options;
  const { folder, imported } = await openSiteFolder(options);
  const recorded = recordFolder(folder);
  const [site, version] = await Promise.all([loadSiteFolder(recorded.folder).then(loadLiving), readVersion(root)]);
  const { document, controlDocument, resolved, slow, warnings } = await documentForSite(site, options, {
    isWhole: true,
  });
  refuseSlow(slow ?? new Set());
  for (const flaw of warnings) warn(flawText(flaw));
  const fixtures = [];
  const [first, ...others] = options.fixtures ?? [];
  for (const fixture of [first, ...others, 'empty']) fixtures.push(await readFixture(options, site, fixture));
  const icons = recorded.icons().map(async (name) => [name, await iconText(folder, name)] as const);
  const parts: SiteParts = {
    name: nameOf(options),
    version,
    siteFiles: withoutBuckets(recorded.files()),
    icons: Object.fromEntries(await Promise.all(icons)),
    document: documentParts(document, resolved),
    controlDocument: documentParts(controlDocument, resolveReferences(controlDocument)),
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

const nameOf = ({ site = 'default', drupalConfig }: PrepareOptions): string =>
  basename(resolve(drupalConfig?.folders[0] ?? site));

/**
 * The bytes of a prepared site are with it. The keys of a bucket would be read by everybody who gets the module, so the storages
 * are as those without a bucket.
 */
const withoutBuckets = (files: PreparedSite['siteFiles']): PreparedSite['siteFiles'] => {
  const siteSettings = files['site.yml'] as SiteInput; // its schema has been applied
  const storages = Object.entries(siteSettings.storages).map(
    ([scheme, { prefix, access, standard_upload }]) =>
      [scheme, { kind: 'disk', prefix, access, standard_upload }] as const,
  );
  return { ...files, 'site.yml': { ...siteSettings, storages: Object.fromEntries(storages) } };
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
