/** Writes a report as JUnit, which continuous integration servers read. */
import { xmlDocument, xmlElement, type XmlNode } from '../formats/xml.ts';
import type { Report, ReportCase, ReportSection } from './report.ts';

/** The report as XML: a suite for each section that has cases. */
export const junitReport = ({ name, sections }: Pick<Report, 'name' | 'sections'>): string =>
  xmlDocument(xmlElement('testsuites', ['\n', ...sections.flatMap(suiteElement)], { name }), { encoding: 'UTF-8' });

const suiteElement = ({ name, cases }: ReportSection): readonly (XmlNode | string)[] => {
  if (cases === undefined) return [];
  const failed = cases.filter(({ flaws = [] }) => flaws.length > 0).length;
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  const errors = cases.filter(({ error }) => error !== undefined).length;
  const counts = {
    ...{ name, tests: String(cases.length), failures: String(failed) },
    ...(errors === 0 ? {} : { errors: String(errors) }),
    ...(skipped === 0 ? {} : { skipped: String(skipped) }),
  };
  const content = cases.flatMap((one) => ['    ', caseElement(one), '\n']);
  return ['  ', xmlElement('testsuite', ['\n', ...content, '  '], counts), '\n'];
};

const caseElement = (one: ReportCase): XmlNode => {
  const { about, name, seconds } = one;
  const time = seconds === undefined ? {} : { time: seconds.toFixed(3) };
  return xmlElement('testcase', outcome(one), { classname: about, name, ...time });
};

const outcome = (one: ReportCase): readonly (XmlNode | string)[] => {
  const { skipped, flaws = [], error } = one;
  if (error !== undefined) return [xmlElement('error', [], { type: 'internal', message: message(one, error) })];
  if (skipped !== undefined) return [xmlElement('skipped', [], { message: skipped })];
  if (flaws.length === 0) return [];
  const failures = flaws.flatMap(({ kind, words }) => [
    ...['      ', xmlElement('failure', [], { type: kind, message: message(one, words) }), '\n'],
  ]);
  return ['\n', ...failures, '    '];
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
