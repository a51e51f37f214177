/** Reads the sources of the contract from their files: document, site, overlays, handlers. */
import { areEqual } from '../../basics/equal-values.ts';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import { loadHandlers } from '../own-handlers/handler-folder.ts';
import { lazyModule } from '../../basics/lazy-module.ts';
import { readOverlay } from './read-overlay.ts';
import type { ExportedConfiguration, ImportReport } from '../../core/site/exported-configuration.ts';
import { readImportedSite } from './imported-sources.ts';
import {
  documentFile,
  readDocuments as readPackagedDocuments,
  readSources,
  type StartSources,
} from './prepared-sources.ts';
import type { NamedDocument } from './named-document.ts';
import type { readDocuments } from './read-documents.ts';
import { plainSite } from '../plain/plain-site.ts';
import { siteDirectory } from '../site-folders/packaged-sites.ts';
import { flawError } from '../../basics/configuration-error.ts';
import { withBytesAt } from '../../storage/blobs/bytes-address.ts';
import type { Site } from '../../core/site/site.ts';
import type { S3Location } from '../../openapi/openapi-records.ts';
import type { ContractSources } from './contract-sources.ts';

export type SourceLocations = {
  /** The folder of the package. */
  readonly root: string;
  readonly prepared?: string | undefined;
  /** The name of a site of the package, or the directory of a site. When left out: the default site. */
  readonly site: string | undefined;
  /** An exported configuration that the site is made from, in place of `site`. */
  readonly drupalConfig?: ExportedConfiguration | undefined;
  readonly overlays?: readonly string[] | undefined;
  /** Documents of one's own, next to the site or alone. */
  readonly documents?: readonly NamedDocument[] | undefined;
  /** Whether they are served without the repository. */
  readonly areDocumentsAlone?: boolean | undefined;
  /** A folder with a user's own handlers. */
  readonly handlerFolder?: string | undefined;
  /** The bucket for the bytes of all schemes, in place of what the site says. */
  readonly bucket?: S3Location | undefined;
};

export type SourceFiles = ContractSources & {
  readonly controlDocument: DocumentObject;
  /** The hashes of the packaged fixtures that the build has found to fit the site. */
  readonly checkedRecords?: readonly string[];
  /** What an import took and did not take. */
  readonly imported?: ImportReport | undefined;
};

/** `default` names the built-in site. Where documents are named and no site, they are served alone. */
export const withSiteNamed = <Locations extends Pick<SourceLocations, 'site' | 'drupalConfig' | 'documents'>>(
  locations: Locations,
): Locations & Pick<SourceLocations, 'site' | 'areDocumentsAlone'> => {
  const { site, drupalConfig, documents = [] } = locations;
  return {
    ...locations,
    site: site === 'default' ? undefined : site,
    areDocumentsAlone: documents.length > 0 && site === undefined && drupalConfig === undefined,
  };
};

/** Throws `ConfigurationError` for a file that cannot be read or is invalid. `onFile` learns the files that other files name. */
export const readSourceFiles = async (
  locations: SourceLocations,
  onFile: (file: string) => void = () => undefined,
): Promise<SourceFiles> => {
  const { root, prepared, overlays = [], documents = [], areDocumentsAlone, handlerFolder, bucket } = locations;
  if (areDocumentsAlone === true) {
    const readOverlays = await Promise.all(overlays.map((file) => readOverlay(file, onFile)));
    const [own, { controlDocument, areDocumentsChecked }] = await Promise.all([
      readOwn(documents, true, { overlays: readOverlays, onFile }),
      readPackagedDocuments(root, prepared),
    ]);
    const handlers = handlerFolder === undefined ? new Map() : await loadHandlers(handlerFolder);
    const [first] = own;
    return {
      ...{ site: plainSite, controlDocument, areDocumentsChecked, ownDocuments: own },
      document: first?.opened.document as DocumentObject, // there is one, and it has paths
      proposals: { overlays: readOverlays, handlers },
    };
  }
  const [read, ownDocuments, ...readOverlays] = await Promise.all([
    readSite(locations),
    readOwn(documents, false, { onFile }),
    ...overlays.map((file) => readOverlay(file, onFile)),
  ]);
  const handlers = handlerFolder === undefined ? new Map() : await loadHandlers(handlerFolder);
  const sources = { ...read, site: withBytesAt(read.site, bucket) };
  return {
    ...sources,
    ownDocuments,
    documentFile: join(root, documentFile),
    proposals: { overlays: readOverlays, handlers },
  };
};

/** Most servers have no document of a user's own. */
const loadReader = lazyModule(() => import('./read-documents.ts'), 'readDocuments');

const readOwn: typeof readDocuments = async (documents, isAlone, options) =>
  documents.length === 0 ? [] : (await loadReader()).readDocuments(documents, isAlone, options);

const readSite = async ({
  root,
  prepared,
  site,
  drupalConfig,
}: SourceLocations): Promise<StartSources & Pick<SourceFiles, 'imported'>> => {
  if (drupalConfig === undefined) return readSources(root, site, prepared);
  const [imported, documents] = await Promise.all([
    readImportedSite(root, drupalConfig),
    readPackagedDocuments(root, prepared),
  ]);
  return { site: imported.site, imported: imported.report, ...documents, isChecked: false };
};

/** The files and folders whose change causes a reload, as of the last reading. */
export const watchedPaths = (
  locations: SourceLocations,
  { proposals, ownDocuments = [] }: Pick<SourceFiles, 'proposals' | 'ownDocuments'>,
): string[] => {
  const { root, site, drupalConfig, overlays = [], areDocumentsAlone, handlerFolder } = locations;
  return [
    ...ownDocuments.flatMap(({ opened }) => opened.addresses.map((address) => fileURLToPath(address))),
    ...(areDocumentsAlone === true ? [] : [join(root, documentFile)]),
    ...(drupalConfig !== undefined
      ? [...drupalConfig.folders, ...drupalConfig.terms]
      : areDocumentsAlone === true
        ? []
        : [siteDirectory(root, site)]),
    ...overlays,
    ...(proposals?.overlays ?? []).flatMap(({ referredFiles }) => referredFiles),
    ...(handlerFolder === undefined ? [] : [handlerFolder]),
  ];
};

/** A reload cannot change these settings: stores, sessions and connections were opened with them. */
const fixedSettings = [
  'storages',
  'uploads',
  'flood',
  'sessionSeconds',
  'maxUploadBytes',
] as const satisfies readonly (keyof Site)[];

/** Throws `ConfigurationError` when the change from one site to another needs a restart. */
export const requireSameBase = (before: Site, after: Site, directory: string): void => {
  const changed = fixedSettings.find((name) => !areEqual(before[name], after[name]));
  if (changed === undefined) return;
  const message = `${changed}: cannot change while the server runs.`;
  const file = join(directory, 'site.yml');
  throw flawError({ file, rule: 'restart', message, remedy: 'Restart the server.' });
};
