/** Writes a report as JUnit, which continuous integration servers read. */
import { escapedMarkup } from '../markup.ts';
import type { Report, ReportCase, ReportSection } from './report.ts';

/** The report as XML: a suite for each section that has cases. */
export const junitReport = ({ name, sections }: Pick<Report, 'name' | 'sections'>): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes({ name })}>\n` +
  `${sections.map(suiteElement).join('')}</testsuites>\n`;

const suiteElement = ({ name, cases }: ReportSection): string => {
  if (cases === undefined) return '';
  const failed = cases.filter(({ flaws = [] }) => flaws.length > 0).length;
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  const errors = cases.filter(({ error }) => error !== undefined).length;
  const counts = attributes({
    ...{ name, tests: String(cases.length), failures: String(failed) },
    ...(errors === 0 ? {} : { errors: String(errors) }),
    ...(skipped === 0 ? {} : { skipped: String(skipped) }),
  });
  return `  <testsuite${counts}>\n${cases.map(caseElement).join('')}  </testsuite>\n`;
};

const caseElement = (one: ReportCase): string => {
  const { about, name, skipped, flaws = [], error, seconds } = one;
  const time = seconds === undefined ? {} : { time: seconds.toFixed(3) };
  const start = `    <testcase${attributes({ classname: about, name, ...time })}`;
  if (error !== undefined)
    return `${start}><error${attributes({ type: 'internal', message: message(one, error) })}/></testcase>\n`;
  if (skipped !== undefined) return `${start}><skipped${attributes({ message: skipped })}/></testcase>\n`;
  if (flaws.length === 0) return `${start}/>\n`;
  const failures = flaws.map(({ kind, words }) => attributes({ type: kind, message: message(one, words) }));
  return `${start}>\n${failures.map((failure) => `      <failure${failure}/>\n`).join('')}    </testcase>\n`;
};

/** The rule that was judged, what is wrong, and the last thing that shows it. */
const message = ({ rule, source, evidence = [] }: ReportCase, words: string): string => {
  const last = evidence.at(-1);
  return [
    ...(rule === undefined ? [] : [`${rule}${source === undefined ? '' : ` [${source}]`}`]),
    words,
    ...(last === undefined ? [] : [`${last.title}\n${last.texts.at(-1) ?? ''}`]),
  ].join('\n');
};

const attributes = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapedMarkup(value)}"`)
    .join('');
