/** Makes collections of requests for the tools of people: Postman and Bruno. */
import { readServedSite } from '../../application/application-disk.ts';
import { collectRequests } from '../../openapi/openapi-parts.ts';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import type { SourceLocations } from '../../server/server-application.ts';
import { brunoCollection } from './bruno.ts';
import { postmanCollection } from './postman.ts';

type WrittenCollection = {
  /** How many requests it has. */
  readonly count: number;
  /** A file for Postman. */
  toPostman(): string;
  /** The files of a directory for Bruno, by their names below it. */
  toBruno(): ReturnType<typeof brunoCollection>;
};

/** A request for each operation of a document, in an order in which they can be sent from top to bottom. */
export const collectionOfDocument = (document: DocumentObject): WrittenCollection => {
  const collection = collectRequests(document);
  return {
    count: collection.folders.reduce((sum, { requests }) => sum + requests.length, 0),
    toPostman: () => postmanCollection(collection),
    toBruno: () => brunoCollection(collection),
  };
};

/** As `collectionOfDocument`, of the document that a server of a site at `baseUrl` serves. Throws `ConfigurationError`. */
export const collectionOfSite = async (locations: SourceLocations, baseUrl: string): Promise<WrittenCollection> =>
  collectionOfDocument((await readServedSite(locations, { baseUrl })).document);
