/** Writes what the twin found, as text, JSON, JUnit and HTML. */
import { counted } from '../../basics/counted.ts';
import { junitReport } from '../../basics/report/junit.ts';
import { reportPage } from '../../basics/report/page.ts';
import type { Report, ReportCase } from '../../basics/report/report.ts';
import type { Acceptance } from './acceptances.ts';
import { differenceClasses, type DifferenceClass } from '../compare/difference.ts';
import type { Counts, Example, Finding, Outcome } from './tally.ts';

export const twinReportFormats = ['text', 'json', 'junit', 'html'] as const;
export type TwinReportFormat = (typeof twinReportFormats)[number];

export type TwinReport = Outcome & {
  /** The base URL of the target, or the directory of the recording. */
  readonly target: string;
  /** Entries of the file of accepted differences that nothing needed, and those whose time is over. */
  readonly unused: readonly Acceptance[];
  readonly expired: readonly Acceptance[];
};

export const twinReport = (report: TwinReport, format: TwinReportFormat): string => writers[format](report);

const titles: Readonly<Record<DifferenceClass, string>> = {
  new: 'New differences',
  accepted: 'Accepted differences',
  explained: 'Explained differences',
};

const countLine = ({ requests, equal, explained, accepted, new: isNew, skipped, failed }: Counts): string =>
  [
    `${counted(requests, 'request')}: ${equal} equal, ${explained} explained, ${accepted} accepted, ${isNew} new`,
    ...(skipped === 0 ? [] : [`${skipped} not compared`]),
    ...(failed === 0 ? [] : [`${failed} without an answer`]),
  ].join(', ');

const sideText = ({ detail, ...values }: Example, side: 'target' | 'atoll'): string => {
  const more = detail?.[side];
  return `${values[side] ?? '(none)'}${more === undefined ? '' : `  ${more}`}`;
};

const valuePair = (example: Example): string =>
  `target ${sideText(example, 'target')}\n      atoll  ${sideText(example, 'atoll')}`;

const findingText = ({ operation, place, count, because, examples }: Finding, shows: number): string =>
  [
    `  ${operation} ${place}  ×${count}${because === '' ? '' : `  (${because})`}`,
    ...examples.slice(0, shows).map((one) => `    #${one.number} ${one.request}\n      ${valuePair(one)}`),
  ].join('\n');

/** Only the counts of the explained differences: the pages have the rest. */
const text = (report: TwinReport): string => {
  const sections = [...differenceClasses].reverse().flatMap((name) => {
    const findings = report.findings.filter((one) => one.class === name);
    if (findings.length === 0) return [];
    return [`\n${titles[name]}`, ...findings.map((one) => findingText(one, name === 'new' ? 1 : 0))];
  });
  return [`Twin of ${report.target}`, countLine(report.counts), ...sections, ...notes(report), ''].join('\n');
};

const notes = ({ skipped, unused, expired, more }: TwinReport): string[] => [
  ...Object.entries(skipped).map(([reason, count]) => `\nNot compared ×${count}: ${reason}`),
  ...unused.map(({ operation, place }) => `\nNot needed in the file of accepted differences: ${operation} ${place}`),
  ...expired.map(
    ({ operation, place, until = '' }) => `\nAccepted until ${until}, not any more: ${operation} ${place}`,
  ),
  ...(more === 0 ? [] : [`\n${more} further differences are only counted.`]),
];

const json = (report: TwinReport): string => `${JSON.stringify({ version: 1, ...report }, null, 2)}\n`;

/** A case for each finding. Only new ones are failures. */
const report = (found: TwinReport): Report => ({
  ...{ name: 'atoll twin', heading: 'Twin of', subject: found.target },
  figures: Object.entries(found.counts).map(([name, value]) => ({ name, value })),
  remarks: notes(found).map((note) => note.trim()),
  sections: [...differenceClasses].reverse().flatMap((name) => {
    const findings = found.findings.filter((one) => one.class === name);
    return findings.length === 0 ? [] : [{ name: titles[name], cases: findings.map(caseOf) }];
  }),
});

const caseOf = ({ operation, place, count, because, class: own, examples }: Finding): ReportCase => {
  const words = `${counted(count, 'time')} at ${place}`;
  return {
    ...{ about: `twin.${operation}`, name: `${operation} ${place} ×${count}` },
    ...(because === '' ? {} : { source: because }),
    flaws: own === 'new' ? [{ kind: 'difference', words }] : [],
    evidence: examples.map((one) => ({
      title: `#${one.number} ${one.request}: ${one.statuses.target} / ${one.statuses.atoll}`,
      texts: [`target ${sideText(one, 'target')}\natoll  ${sideText(one, 'atoll')}`],
    })),
  };
};

const writers: Readonly<Record<TwinReportFormat, (report: TwinReport) => string>> = {
  ...{ text, json },
  junit: (found) => junitReport(report(found)),
  html: (found) => reportPage(report(found)),
};
