/** Compares two documents or sites, each by the name of a file, a folder, a site of the package, or an address. */
import { partOf } from '../document/document-tree.ts';
import type { JudgedParty } from '../document-diff/document-change.ts';
import type { DiffReport } from '../document-diff/diff-report.ts';
import {
  readFileSource,
  readSiteSource,
  readUrlSource,
  sourceKind,
  type AskingLimits,
  type ComparedSource,
  type PackagePlace,
} from './compared-source.ts';

type CompareOptions = {
  /** Whose view counts. */
  readonly judgeFor: JudgedParty;
  readonly limits: AskingLimits;
  readonly place: PackagePlace;
};

/** Two sites are compared as sites, too. Throws `ConfigurationError`, and `TargetError` for a server that does not answer. */
export const compareSources = async (before: string, after: string, options: CompareOptions): Promise<DiffReport> => {
  const { judgeFor } = options;
  const [old, now] = await readBoth([before, after], options);
  const [{ checkDocumentVersion, diffDocuments }, { siteChanges }] = await Promise.all([
    import('../document-diff/diff-documents.ts'),
    import('../document-diff/diff-report.ts'),
  ]);
  checkDocumentVersion(old.document, before);
  checkDocumentVersion(now.document, after);
  const document = diffDocuments(old.document, now.document, { judgeFor });
  if (old.site === undefined || now.site === undefined || judgeFor === 'server') {
    return { before, after, judgeFor, document };
  }
  const { compareSites } = await import('../site-diff/compare-sites.ts');
  return { before, after, judgeFor, document, site: siteChanges(compareSites(old.site, now.site)) };
};

/** A site is given the address of the document that it is compared with. */
const readBoth = async (
  names: readonly [string, string],
  { limits, place }: CompareOptions,
): Promise<readonly [ComparedSource, ComparedSource]> => {
  const read = async (name: string): Promise<ComparedSource | undefined> => {
    const kind = await sourceKind(name);
    if (kind === 'site') return undefined;
    return kind === 'url' ? readUrlSource(name, limits) : readFileSource(name);
  };
  const [before, after] = names;
  const [old, now] = [await read(before), await read(after)];
  const baseUrl = baseUrlOf(old ?? now);
  return [old ?? (await readSiteSource(before, baseUrl, place)), now ?? (await readSiteSource(after, baseUrl, place))];
};

const baseUrlOf = (source: ComparedSource | undefined): string => {
  const servers = partOf(source?.document)['servers'];
  const url = Array.isArray(servers) ? partOf(servers[0])['url'] : undefined;
  return typeof url === 'string' ? url : 'http://localhost:8000';
};
