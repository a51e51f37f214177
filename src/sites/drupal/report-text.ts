/** Writes the report of an import as Markdown, which people read on a terminal too. */
import { losesSomething } from './report.ts';
import type { ImportNote, ImportReport } from '../../core/site/exported-configuration.ts';

/** Places that a list shows before it counts the rest. */
const shown = 12;

export const reportText = (report: ImportReport): string =>
  [
    '# Import of a Drupal configuration',
    ...section('Taken', countLines(report.taken)),
    ...section(
      'Taken in part',
      report.partly.filter(({ lost }) => lost).flatMap((note) => noteLines(note)),
    ),
    ...section(
      'Not judged',
      report.notJudged.flatMap((note) => noteLines(note)),
    ),
    ...section(
      'Outside of this interface',
      report.outside.flatMap((note) => noteLines(note)),
    ),
    ...section(
      'Remarks',
      report.partly.filter(({ lost }) => !lost).flatMap((note) => noteLines(note)),
    ),
    ...section('Not read', countLines(report.notRead)),
    '',
    losesSomething(report)
      ? 'Clients of the imported site may notice the parts under "Taken in part" and "Not judged".'
      : 'Nothing was lost.',
  ].join('\n');

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines];

const countLines = (counts: Readonly<Record<string, number>>): string[] =>
  Object.entries(counts).map(([kind, number]) => `- ${kind}: ${number}`);

const noteLines = ({ why, where }: ImportNote): string[] => [
  `- ${why} (${where.length})`,
  ...where.slice(0, shown).map((place) => `  - ${place}`),
  ...(where.length > shown ? [`  - … and ${where.length - shown} more`] : []),
];
