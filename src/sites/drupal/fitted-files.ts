/**
 * Takes out of the files of a site what the site format does not take, and says so. An import is loaded whatever a real
 * configuration holds, and nothing vanishes without a word.
 */
import * as v from 'valibot';
import { withValueAt } from '../../basics/json-pointer.ts';
import { reservedKeyIn } from '../../basics/yaml/read-yaml.ts';
import type { Reporter } from './report.ts';
import { sitePartOf, type SiteFiles } from './site-format.ts';

export const fittedFiles = (files: SiteFiles, reporter: Reporter): SiteFiles =>
  new Map(
    [...files].flatMap(([file, content]) => {
      const fitted = fittedContent(file, content, reporter);
      return fitted === undefined ? [] : [[file, fitted] as const];
    }),
  );

/** Each round takes one level of faults away. A key that is needed takes the thing that needs it along. */
const rounds = 8;

const fittedContent = (file: string, content: unknown, reporter: Reporter): unknown => {
  const [, schema = v.never()] = sitePartOf(file) ?? [];
  let fitted = withoutReserved(file, content, reporter);
  for (let round = 0; round < rounds; round += 1) {
    const result = v.safeParse(schema, fitted);
    if (result.success) return fitted;
    const paths = result.issues.map((issue) => deepestIssue(issue)).map(pathToRemove);
    if (paths.some((path) => path.length === 0)) break;
    // The issues are in the order of the file. In a list, the last element first: the others keep their places.
    const distinct = new Map(paths.map((path) => [path.join('\n'), path]));
    for (const path of [...distinct.values()].reverse()) {
      fitted = withValueAt(fitted, path.map(String), undefined);
      reporter.partly(`${file}: ${readablePath(path)}`, 'the site format does not take this');
    }
  }
  reporter.partly(file, 'the site format does not take this file');
  return undefined;
};

/** A file with a name that every object has could not be read again. */
const withoutReserved = (file: string, content: unknown, reporter: Reporter): unknown => {
  const path = reservedKeyIn(content);
  if (path === undefined) return content;
  reporter.partly(`${file}: ${readablePath(path)}`, 'the name is one that every object has already, so it is left out');
  return withoutReserved(file, withValueAt(content, path.map(String), undefined), reporter);
};

type Found = { readonly issue: v.BaseIssue<unknown>; readonly path: readonly (string | number)[] };

const keysOf = (issue: v.BaseIssue<unknown>): (string | number)[] =>
  (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));

/** In a choice of schemas, the one whose check got furthest is the one that was meant. */
const deepestIssue = (issue: v.BaseIssue<unknown>, within: readonly (string | number)[] = []): Found => {
  const path = [...within, ...keysOf(issue)];
  const inner = issue.issues?.find(({ path: deeper }) => deeper !== undefined);
  return inner === undefined ? { issue, path } : deepestIssue(inner, path);
};

/** For a missing key, the thing that needs it. */
const pathToRemove = ({ issue, path }: Found): readonly (string | number)[] =>
  issue.received === 'undefined' ? path.slice(0, -1) : path;

/** All elements of a list are one place: 900 terms have one cause. */
const readablePath = (path: readonly (string | number)[]): string =>
  path.map((key) => (typeof key === 'number' ? '*' : key)).join('.');
