/** The document of a site, resolved: `npm test` validates those of three sites in a process, the suite `crawl` those of all. */
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { resolveDocument, resolveReferences } from '../../src/openapi/openapi-parts.ts';
import { readContract } from '../support/site-sources.ts';
import { specialise } from '../../src/repository/repository-engine.ts';
import type { Site } from '../../src/repository/repository.ts';
import { root } from '../support/atoll.ts';
import { faultsOf, type Document } from '../support/document-view.ts';
import { isLong } from '../support/long-run.ts';

export const baseUrl = 'http://localhost:8000';
export const written = await readContract(join(root, 'openapi.yaml'));

let toValidate = isLong ? Infinity : 3;

/** Specialises and resolves; a specialised document must be valid, with examples that fit and properties that say what they are. */
export const documentOf = async (site: Site): Promise<Document> => {
  const specialised = specialise(written, site, baseUrl);
  const isValidated = (toValidate -= 1) >= 0;
  const resolved = await (isValidated ? resolveDocument : resolveReferences)(specialised);
  const document = resolved as unknown as Document; // validated, by the crawl at least
  if (isValidated) expect(faultsOf(document)).toEqual([]);
  return document;
};
