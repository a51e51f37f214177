/** Compares two documents or sites, which are named, loaded or changed, and writes the changes as texts. */
import {
  compareSources,
  diffJson,
  diffJunit,
  diffPage,
  hasFindings,
  type DiffReport,
} from '../document-diff/diff-report.ts';
import type { FailLevel, JudgedParty } from '../document-diff/document-change.ts';
import type { Site } from '../../repository/repository.ts';
import type { SourceLocations } from '../../server/server-application.ts';
import { readChangedSite, readCompared, withDocuments } from './compared-source.ts';

/** The changes from one side to the other, the worst kinds being `breaking` and `unknown`. */
type Comparison = DiffReport & {
  /** Whether there is a change of this kind or a worse one. */
  hasFindings(level: FailLevel): boolean;
  /** The worst changes first, those of the sites before those of the documents, and at the end a sum. */
  toText(): string;
  toJson(): string;
  /** A case for each change, which fails from this kind on. */
  toJunit(level: FailLevel): string;
};

const compared = (...sides: Parameters<typeof compareSources>): Comparison => {
  const report = compareSources(...sides);
  return {
    ...report,
    hasFindings: (level) => hasFindings(report, level),
    toText: () => diffPage(report),
    toJson: () => diffJson(report),
    toJunit: (level) => diffJunit(report, level),
  };
};

type NamedOptions = Parameters<typeof readCompared>[1] & { readonly judgeFor: JudgedParty };

/**
 * Compares what two names stand for: a file, the address of a document or server, a directory with a site, or a site of the package. Two
 * sites are compared as sites, too. Throws `ConfigurationError`, and `TargetError` for a server that does not answer.
 */
export const compareNamed = async (
  names: readonly [before: string, after: string],
  { judgeFor, ...options }: NamedOptions,
): Promise<Comparison> => {
  const [old, now] = await readCompared(names, options);
  return compared({ ...old, name: names[0] }, { ...now, name: names[1] }, judgeFor);
};

/** What the report calls a site, and the site. */
type NamedSite = { readonly name: string; readonly site: Site };

/** Compares two sites for their clients, with the documents that a server with these sources would serve. Throws `ConfigurationError`. */
export const compareSites = async (
  before: NamedSite,
  after: NamedSite,
  locations: SourceLocations,
): Promise<Comparison> => {
  const [old, now] = await withDocuments(locations, [before.site, after.site]);
  return compared({ ...old, name: before.name }, { ...now, name: after.name }, 'client');
};

type ChangedSiteOptions = {
  readonly change: (site: Site) => Site;
  readonly names: readonly [before: string, after: string];
  readonly judgeFor: JudgedParty;
};

/** Compares the site of a server with these sources with what it would be after a change. Throws `ConfigurationError`. */
export const compareChangedSite = async (
  locations: SourceLocations,
  { change, names, judgeFor }: ChangedSiteOptions,
): Promise<Comparison> => {
  const [old, now] = await readChangedSite(locations, change);
  return compared({ ...old, name: names[0] }, { ...now, name: names[1] }, judgeFor);
};
