/** Joins the same violation of the document, found by many checks, into one finding. */
import type { BrokenDocument, CheckResult } from '../check-result.ts';

type BrokenGroup = {
  readonly broken: BrokenDocument;
  /** The names of the checks that found it. */
  readonly checks: readonly string[];
};

/** In the order in which they were found first. Ids within addresses make no difference. */
export const groupBroken = (results: readonly CheckResult[]): readonly BrokenGroup[] => {
  const groups = new Map<string, { readonly broken: BrokenDocument; readonly checks: Set<string> }>();
  for (const { check, broken: all } of results) {
    for (const broken of all) {
      const { operation, status, rule, pointer, message } = broken;
      const key = JSON.stringify([operation, status, rule, pointer.replace(/\/\d+(?=\/|$)/g, '/#'), message]);
      const group = groups.get(key) ?? { broken, checks: new Set() };
      group.checks.add(check.name);
      groups.set(key, group);
    }
  }
  return [...groups.values()].map(({ broken, checks }) => ({ broken, checks: [...checks] }));
};

/** `required at /body/title, openapi.yaml line 812: …` */
export const brokenWords = ({ rule, pointer, message, arrived, document }: BrokenDocument): string => {
  const place = document === undefined ? '' : ` (${document.file ?? 'openapi.yaml'}:${document.line})`;
  const value = arrived === undefined ? '' : `, received ${arrived}`;
  return `${rule}${pointer === '' ? '' : ` at ${pointer}`}${place}: ${message}${value}`;
};
