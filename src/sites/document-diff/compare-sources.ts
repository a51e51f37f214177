/** Compares two documents, and the sites that they were made of where both are known. */
import type { Site } from '../../core/site/site.ts';
import { compareSites } from '../site-diff/compare-sites.ts';
import { checkDocumentVersion, diffDocuments } from './diff-documents.ts';
import { siteChanges, type DiffReport } from './diff-report.ts';
import type { JudgedParty } from './document-change.ts';

/** `name` is how messages and the report call it. `document` may be anything. `site` where a site was named. */
export type ComparedSide = { readonly name: string; readonly document: unknown; readonly site?: Site };

/** `judgeFor` is whose view counts. Two sites are compared as sites, too. Throws `ConfigurationError`. */
export const compareSources = (old: ComparedSide, now: ComparedSide, judgeFor: JudgedParty): DiffReport => {
  for (const { document, name } of [old, now]) checkDocumentVersion(document, name);
  const report = { before: old.name, after: now.name, judgeFor };
  const document = diffDocuments(old.document, now.document, { judgeFor });
  if (old.site === undefined || now.site === undefined || judgeFor === 'server') return { ...report, document };
  return { ...report, document, site: siteChanges(compareSites(old.site, now.site)) };
};
