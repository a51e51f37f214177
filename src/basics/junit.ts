/** Writes JUnit reports, which continuous integration servers read. */
import { escapedMarkup } from './markup.ts';

export type TestSuite = { readonly name: string; readonly cases: readonly TestCase[] };

/**
 * A case passes without failures. A case without the list is written as an empty element. `skipped` says why a case was
 * neither passed nor failed.
 */
export type TestCase = {
  readonly classname: string;
  readonly name: string;
  readonly skipped?: string;
  readonly failures?: readonly { readonly type: string; readonly message: string }[];
  /** Why the case could not be carried out, through no fault of what it tests. */
  readonly error?: { readonly type: string; readonly message: string };
  readonly seconds?: number;
};

/** The report as XML. `name` is the name of the whole report. */
export const junitReport = (suites: readonly TestSuite[], name?: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${name === undefined ? '' : attributes({ name })}>\n` +
  `${suites.map(suiteElement).join('')}</testsuites>\n`;

const suiteElement = ({ name, cases }: TestSuite): string => {
  const failed = cases.filter(({ failures = [] }) => failures.length > 0).length;
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  const errors = cases.filter(({ error }) => error !== undefined).length;
  const counts = attributes({
    ...{ name, tests: String(cases.length), failures: String(failed) },
    ...(errors === 0 ? {} : { errors: String(errors) }),
    ...(skipped === 0 ? {} : { skipped: String(skipped) }),
  });
  return `  <testsuite${counts}>\n${cases.map(caseElement).join('')}  </testsuite>\n`;
};

const caseElement = ({ classname, name, skipped, failures, error, seconds }: TestCase): string => {
  const time = seconds === undefined ? {} : { time: seconds.toFixed(3) };
  const start = `    <testcase${attributes({ classname, name, ...time })}`;
  if (error !== undefined) return `${start}><error${attributes(error)}/></testcase>\n`;
  if (skipped !== undefined) return `${start}><skipped${attributes({ message: skipped })}/></testcase>\n`;
  if (failures === undefined) return `${start}/>\n`;
  return `${start}>\n${failures.map((one) => `      <failure${attributes(one)}/>\n`).join('')}    </testcase>\n`;
};

const attributes = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapedMarkup(value)}"`)
    .join('');
