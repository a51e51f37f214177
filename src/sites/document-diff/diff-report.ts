/** Writes the changes between two documents or sites as a page for people, as JSON and as a JUnit report. */
import { counted } from '../../basics/counted.ts';
import { junitReport } from '../../basics/report/junit.ts';
import type { ReportCase } from '../../basics/report/report.ts';
import type { Site } from '../../repository/repository.ts';
import { compareSites } from '../site-diff/compare-sites.ts';
import type { Difference, Side } from '../site-diff/difference.ts';
import { checkDocumentVersion, diffDocuments } from './diff-documents.ts';
import {
  type ChangeKind,
  changeKinds,
  type DocumentChange,
  type FailLevel,
  hasKind,
  type JudgedParty,
} from './document-change.ts';

/** `name` is how messages and the report call it. `document` may be anything. `site` where a site was named. */
type ComparedSide = { readonly name: string; readonly document: unknown; readonly site?: Site };

/** `judgeFor` is whose view counts. Two sites are compared as sites, too. Throws `ConfigurationError`. */
export const compareSources = (old: ComparedSide, now: ComparedSide, judgeFor: JudgedParty): DiffReport => {
  for (const { document, name } of [old, now]) checkDocumentVersion(document, name);
  const report = { before: old.name, after: now.name, judgeFor };
  const document = diffDocuments(old.document, now.document, { judgeFor });
  if (old.site === undefined || now.site === undefined || judgeFor === 'server') return { ...report, document };
  return { ...report, document, site: siteChanges(compareSites(old.site, now.site)) };
};

/** `site`: changes of what no document shows, where two sites were compared. */
export type DiffReport = {
  readonly before: string;
  readonly after: string;
  readonly judgeFor: JudgedParty;
  readonly document: readonly DocumentChange[];
  readonly site?: readonly DocumentChange[] | undefined;
};

const siteReasons: Readonly<Record<Side, string>> = {
  requests: 'What was right to send is refused, or means something else.',
  answers: 'What clients read is gone, may be missing, or has another form.',
};

/** Differences of sites are about clients alone. */
export const siteChanges = (differences: readonly Difference[]): DocumentChange[] =>
  differences.map(({ subject, change, breaks }) => {
    const kind: ChangeKind = breaks.length > 0 ? 'breaking' : 'harmless';
    return {
      ...{ kind, kinds: { client: kind, server: 'harmless' }, rule: 'site', subject, place: '', change },
      breaks: kind === 'breaking' ? ['client'] : [],
      reason: kind === 'breaking' ? breaks.map((side) => siteReasons[side]).join(' ') : 'What clients do stays right.',
    };
  });

const allChanges = ({ site = [], document }: DiffReport): readonly DocumentChange[] => [...site, ...document];

/** Whether a comparison has a change of the level or a worse one. */
export const hasFindings = (report: DiffReport, level: FailLevel): boolean =>
  level !== 'never' && hasKind(allChanges(report), level);

const titles: Readonly<Record<JudgedParty, Readonly<Record<ChangeKind, string>>>> = {
  client: { breaking: 'Breaks clients:', unknown: 'May break clients, nobody can say:', harmless: 'Harms no client:' },
  server: { breaking: 'Breaks servers:', unknown: 'May break servers, nobody can say:', harmless: 'Harms no server:' },
  both: {
    breaking: 'Breaks clients or servers:',
    unknown: 'May break one, nobody can say:',
    harmless: 'Harms nobody:',
  },
};

/** The worst changes first, those of the site before those of the document, and at the end a sum. */
export const diffPage = (report: DiffReport): string => {
  const { site, document, judgeFor } = report;
  const changes = allChanges(report);
  if (changes.length === 0) return 'Nothing changed.';
  const sections = (part: readonly DocumentChange[]): string[] =>
    changeKinds.flatMap((kind) => {
      const ofKind = part.filter((change) => change.kind === kind);
      return ofKind.length === 0 ? [] : [titles[judgeFor][kind], ...grouped(ofKind).flatMap(lines), ''];
    });
  const parts =
    site === undefined
      ? sections(document)
      : [
          ...(site.length === 0 ? [] : ['== The site', ...sections(site)]),
          ...(document.length === 0 ? [] : ['== The document', ...sections(document)]),
        ];
  const counts = changeKinds.map((kind) => `${countOf(changes, kind)} ${kind}`);
  return [...parts, `${counted(changes.length, 'change')}: ${counts.join(', ')}`].join('\n');
};

const countOf = (changes: readonly DocumentChange[], kind: ChangeKind): number =>
  changes.filter((change) => change.kind === kind).length;

/** The same change of several subjects. */
type Group = { readonly subjects: readonly string[]; readonly change: DocumentChange };

const grouped = (changes: readonly DocumentChange[]): Group[] => {
  const groups = new Map<string, DocumentChange[]>();
  for (const change of changes) {
    const key = JSON.stringify([change.place, change.change, change.reason]);
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  return [...groups.values()].flatMap((all) => {
    const [change] = all;
    return change === undefined ? [] : [{ subjects: all.map(({ subject }) => subject), change }];
  });
};

const lines = ({ subjects, change: { place, change, breaks, reason } }: Group): string[] => [
  `  ${subjects.join(', ')}: ${place === '' ? '' : `${place} `}${change}${breaks.length === 0 ? '' : ` [${breaks.join(', ')}]`}`,
  `      ${reason}`,
];

/** With the number of changes of each kind, and every change as an object. */
export const diffJson = (report: DiffReport): string => {
  const { before, after, judgeFor, document, site } = report;
  const changes = allChanges(report);
  const counts = Object.fromEntries(changeKinds.map((kind) => [kind, countOf(changes, kind)]));
  return JSON.stringify({ before, after, judgeFor, ...counts, changes: document, ...(site && { site }) }, null, 2);
};

/** A case for each change, which fails from the level on. A comparison without changes is one case that passes. */
export const diffJunit = (report: DiffReport, level: FailLevel): string => {
  const { before, after, document, site } = report;
  const casesOf = (part: string, changes: readonly DocumentChange[]): ReportCase[] =>
    changes.length === 0
      ? [{ about: part, name: 'nothing changed' }]
      : changes.map((change) => testCase(part, change, level));
  const parts = [...(site === undefined ? [] : [['site', site] as const]), ['document', document] as const];
  const sections = parts.map(([name, changes]) => ({ name, cases: casesOf(name, changes) }));
  return junitReport({ name: `atoll diff ${before} ${after}`, sections });
};

const testCase = (part: string, change: DocumentChange, level: FailLevel): ReportCase => ({
  about: `${part}.${change.kind}`,
  name: [change.subject, change.place, change.change].filter((text) => text !== '').join(' '),
  flaws: level !== 'never' && hasKind([change], level) ? [{ kind: change.kind, words: change.reason }] : [],
});
