/** Writes what the twin found, as text, JSON, JUnit and HTML. */
import { counted } from '../../basics/counted.ts';
import { junitReport, type TestCase } from '../../basics/junit.ts';
import { escapedMarkup } from '../../basics/markup.ts';
import { figureList, noteLines, reportPage } from '../../exchange/report/report-page.ts';
import type { Acceptance } from './acceptances.ts';
import { differenceClasses, type DifferenceClass } from '../../contract/compare/difference.ts';
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

/** A case for each operation with findings. Only new ones are failures. */
const junit = ({ findings, target }: TwinReport): string => {
  const operations = [...new Set(findings.map(({ operation }) => operation))].sort();
  const cases = operations.map((operation): TestCase => {
    const own = findings.filter((one) => one.operation === operation && one.class === 'new');
    return {
      ...{ classname: 'twin', name: operation },
      ...(own.length === 0
        ? {}
        : { failures: own.map((one) => ({ type: 'difference', message: findingText(one, 1).trim() })) }),
    };
  });
  return junitReport([{ name: `twin of ${target}`, cases }], 'atoll twin');
};

const findingHtml = ({ operation, place, count, because, examples }: Finding): string => {
  const rows = examples.map(
    (one) =>
      `<p><code>#${one.number} ${escapedMarkup(one.request)}</code> ${one.statuses.target} / ${one.statuses.atoll}</p>` +
      `<pre>target ${escapedMarkup(sideText(one, 'target'))}\natoll  ${escapedMarkup(sideText(one, 'atoll'))}</pre>`,
  );
  const why = because === '' ? '' : ` <cite>${escapedMarkup(because)}</cite>`;
  return `<details><summary><code>${escapedMarkup(`${operation} ${place}`)}</code> ×${count}${why}</summary>${rows.join('')}</details>`;
};

const html = (report: TwinReport): string => {
  const sections = [...differenceClasses].reverse().flatMap((name) => {
    const findings = report.findings.filter((one) => one.class === name);
    return findings.length === 0 ? [] : [`<h2>${titles[name]}</h2>`, ...findings.map(findingHtml)];
  });
  const remarks = noteLines(notes(report).map((note) => note.trim()));
  return reportPage({
    ...{ title: `Twin of ${report.target}`, heading: 'Twin of', subject: report.target },
    body: `${figureList(Object.entries(report.counts))}${sections.join('\n')}${remarks}`,
  });
};

const writers: Readonly<Record<TwinReportFormat, (report: TwinReport) => string>> = { text, json, junit, html };
