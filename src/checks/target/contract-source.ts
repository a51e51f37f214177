/** Finds the contract that a target is held to: the document of a site, and the site itself. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSourceLines, type SourceLines } from '../../openapi/openapi-parts.ts';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import { demoAccountsOf } from '../../exchange/exchange.ts';
import type { TargetAccount } from '../../exchange/exchange-target.ts';
import { documentFile, type SourceLocations } from '../../server/server-application.ts';
import { readServedSite } from '../../application/application-disk.ts';
import type { Site } from '../../repository/repository.ts';
import { readProbes, type WrittenProbe } from './probe-files.ts';

/** Where the package and the site are. */
export type TargetLocations = SourceLocations;

export type TargetContract = {
  readonly site: Site;
  /** Without references. */
  readonly document: DocumentObject;
  readonly slowPatterns: ReadonlySet<string> | undefined;
  readonly lines: SourceLines;
  /** The package's own. */
  readonly probes: readonly WrittenProbe[];
};

/** Reads a site's contract for a target at `baseUrl`. Throws `ConfigurationError`. */
export const readTargetContract = async (locations: TargetLocations, baseUrl: string): Promise<TargetContract> => {
  const [{ site, resolved, slow }, lines, probes] = await Promise.all([
    readServedSite(locations, { baseUrl, isWhole: true }),
    readFile(join(locations.root, documentFile), 'utf8').then(readSourceLines),
    readProbes(locations.root),
  ]);
  return { site, document: resolved, slowPatterns: slow, lines, probes };
};

/** The site's accounts. Their published passwords are given only where the target is of this machine. */
export const knownAccounts = (site: Site, isLoopback: boolean): readonly TargetAccount[] => {
  const demo = new Map(demoAccountsOf(site).map((account) => [account.name, account.password]));
  return site.accounts
    .filter(({ active }) => active)
    .map(({ name, roles }) => ({ name, roles, password: isLoopback ? demo.get(name) : undefined, isPublished: true }));
};
