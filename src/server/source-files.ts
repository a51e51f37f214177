/** Reads what the repository is made of from its files: document, site, overlays, handlers. What is made of it is not known here. */
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import type { DocumentObject } from '../document/document.ts';
import { loadHandlers } from './handler-folder.ts';
import { readOverlay } from '../document/overlay.ts';
import { documentFile, readSources, siteFolder } from './prepared-sources.ts';
import type { ContractSources } from './load-contract.ts';
import { flawed } from '../site/read-yaml.ts';
import type { Site } from '../site/site.ts';

/** Where the parts of a repository stand. */
export type SourcePlaces = {
  /** The folder of the package. */
  readonly root: string;
  readonly prepared?: string | undefined;
  /** The directory of the site; the default site's when left out. */
  readonly site: string | undefined;
  readonly overlays?: readonly string[] | undefined;
  /** Handlers that stand beside the program. */
  readonly handlerFolder?: string | undefined;
};

export type SourceFiles = ContractSources & { readonly controlDocument: DocumentObject };

/** Throws `ConfigurationError` for what cannot be read or is not of its form. */
export const readSourceFiles = async (places: SourcePlaces): Promise<SourceFiles> => {
  const { root, prepared, site, overlays = [], handlerFolder } = places;
  const [sources, ...laid] = await Promise.all([readSources(root, site, prepared), ...overlays.map(readOverlay)]);
  const handlers = handlerFolder === undefined ? new Map() : await loadHandlers(handlerFolder);
  return { ...sources, documentFile: join(root, documentFile), proposals: { overlays: laid, handlers } };
};

/** The files and folders whose change is a reason to read everything anew. */
export const watchedPlaces = ({ root, site, overlays = [], handlerFolder }: SourcePlaces): string[] => [
  join(root, documentFile),
  site ?? join(root, siteFolder),
  ...overlays,
  ...(handlerFolder === undefined ? [] : [handlerFolder]),
];

/** What stores, sessions and connections were opened with. */
const lasting = [
  'storages',
  'uploads',
  'flood',
  'sessionSeconds',
  'maxUploadBytes',
] as const satisfies readonly (keyof Site)[];

/** Throws `ConfigurationError` where a site could only take another's place by a new start. */
export const requireSameBase = (before: Site, after: Site, directory: string): void => {
  const changed = lasting.find((name) => !isDeepStrictEqual(before[name], after[name]));
  if (changed === undefined) return;
  const message = `${changed}: cannot change while the server runs.`;
  throw flawed({ file: join(directory, 'site.yml'), rule: 'restart', message, remedy: 'Start the server anew.' });
};
