/** Reads the sources of the contract from their files: document, site, overlays, handlers. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import { loadHandlers } from '../own-handlers/handler-folder.ts';
import { lazyModule } from '../../basics/lazy-module.ts';
import { readOverlay } from './read-overlay.ts';
import type { ExportedConfiguration, ImportReport, HostedSite } from '../../openapi/openapi-host.ts';
import { documentFile, readControlDocument } from './prepared-documents.ts';
import type { NamedDocument } from './named-document.ts';
import type { readDocuments } from './read-documents.ts';
import { plainSite } from './plain-site.ts';
import { withBytesAt } from '../../storage/storage.ts';
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
  /** Whether they are served without an application, which is then neither needed nor loaded. */
  readonly areDocumentsAlone?: boolean | undefined;
  /** A folder with a user's own handlers. */
  readonly handlerFolder?: string | undefined;
  /** The bucket for the bytes of all schemes, in place of what the site says. */
  readonly bucket?: S3Location | undefined;
  /** Changes the site that was read, such as its accounts. May throw `ConfigurationError`. */
  readonly alterSite?: ((site: HostedSite) => Promise<HostedSite>) | undefined;
};

export type SourceFiles = ContractSources & {
  readonly controlDocument: DocumentObject;
  /** The hashes of the packaged fixtures that the build has found to fit the site. */
  readonly checkedRecords?: readonly string[];
  /** What an import took and did not take. */
  readonly imported?: ImportReport | undefined;
};

/** What an application reads of its site. */
export type SiteSources = {
  readonly site: HostedSite;
  /** That of the default site, or where `isChecked` that of this one, except for its base URL. */
  readonly document: DocumentObject;
  readonly controlDocument: DocumentObject;
  /** The build has found both documents valid. */
  readonly areDocumentsChecked: boolean;
  readonly isChecked: boolean;
  /** The hashes of the packaged fixtures that the build has found to fit the site (`recordsHash`). */
  readonly checkedRecords?: readonly string[];
  readonly imported?: ImportReport | undefined;
};

/** How an application reads its site. */
export type SiteReader = {
  /** The build prepares the site together with both documents. Throws `ConfigurationError`. */
  readonly read: (locations: SourceLocations) => Promise<SiteSources>;
  /** The files and folders that it reads. */
  readonly paths: (locations: SourceLocations) => readonly string[];
  /** Throws `ConfigurationError` when the change from one site to another needs a restart: stores and sessions were opened with the first. */
  readonly requireSameBase: (before: HostedSite, after: HostedSite, locations: SourceLocations) => void;
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

/** Without a reader of sites the documents are alone. Throws `ConfigurationError` for a file that cannot be read or is invalid. `onFile` learns the files that other files name. */
export const readSourceFiles = async (
  locations: SourceLocations,
  siteReader: SiteReader | undefined,
  onFile: (file: string) => void = () => undefined,
): Promise<SourceFiles> => {
  const { root, prepared, overlays = [], documents = [], handlerFolder, bucket } = locations;
  if (siteReader === undefined) {
    const readOverlays = await Promise.all(overlays.map((file) => readOverlay(file, onFile)));
    const [own, { controlDocument, areDocumentsChecked }] = await Promise.all([
      readOwn(documents, true, { overlays: readOverlays, onFile }),
      readControlDocument(root, prepared),
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
    siteReader.read(locations),
    readOwn(documents, false, { onFile }),
    ...overlays.map((file) => readOverlay(file, onFile)),
  ]);
  const handlers = handlerFolder === undefined ? new Map() : await loadHandlers(handlerFolder);
  const site = withBytesAt(read.site, bucket);
  const sources = { ...read, site: (await locations.alterSite?.(site)) ?? site };
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

/** The files and folders whose change causes a reload, as of the last reading. */
export const watchedPaths = (
  locations: SourceLocations,
  siteReader: SiteReader | undefined,
  { proposals, ownDocuments = [] }: Pick<SourceFiles, 'proposals' | 'ownDocuments'>,
): string[] => {
  const { root, overlays = [], handlerFolder } = locations;
  return [
    ...ownDocuments.flatMap(({ opened }) => opened.addresses.map((address) => fileURLToPath(address))),
    ...(siteReader === undefined ? [] : [join(root, documentFile), ...siteReader.paths(locations)]),
    ...overlays,
    ...(proposals?.overlays ?? []).flatMap(({ referredFiles }) => referredFiles),
    ...(handlerFolder === undefined ? [] : [handlerFolder]),
  ];
};
