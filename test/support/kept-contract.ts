/**
 * The documents of the package, and the validators that are compiled for them, are the same for each test file. So a process makes
 * them once, and not once for each application.
 */
import { resolveReferences } from '../../src/openapi/openapi-parts.ts';
import type { DocumentObject } from '../../src/openapi/openapi-terms.ts';
import { type Backend, createBackend, type CreateBackend } from '../../src/repository/repository-engine.ts';
import type { repositoryLoader } from '../../src/application/application.ts';
import { documentOfSite } from '../../src/application/application-disk.ts';
import type { SiteDocument } from '../../src/server/server-application.ts';

/** Gives the value of a name below an object, which is made when it is first asked for. */
const keeping = <T>(): ((of: object, name: string, make: () => T) => T) => {
  const known = new WeakMap<object, Map<string, T>>();
  return (of, name, make) => {
    const named = known.get(of) ?? new Map<string, T>();
    known.set(of, named);
    const value = named.get(name) ?? make();
    named.set(name, value);
    return value;
  };
};

type DocumentOfSite = Parameters<typeof repositoryLoader>[0]['documentOfSite'];

const siteDocuments = keeping<Promise<SiteDocument>>();
const controlDocuments = keeping<Promise<DocumentObject>>();
const backends = keeping<Backend>();

/** Without overlays, a checked document depends on the address alone. */
export const keptDocumentOfSite: DocumentOfSite = (sources, baseUrl) => {
  const { isChecked = false, proposals } = sources;
  return !isChecked || proposals !== undefined
    ? documentOfSite(sources, baseUrl)
    : siteDocuments(sources.document, baseUrl, () => documentOfSite(sources, baseUrl));
};

export const keptControlDocument = (document: DocumentObject): Promise<DocumentObject> =>
  controlDocuments(document, '', async () => resolveReferences(document));

/** A backend has no state but its validators. */
export const keptBackend: CreateBackend = (document, operationIds, slowPatterns) =>
  backends(document, JSON.stringify([operationIds, slowPatterns && [...slowPatterns]]), () =>
    createBackend(document, operationIds, slowPatterns),
  );

/** Nobody changes what all of them read. */
export const deeplyFrozen = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) deeplyFrozen(member);
  return Object.freeze(value);
};
