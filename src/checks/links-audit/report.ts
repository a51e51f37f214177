/** Writes an audit as text: a table for people, JUnit for machines. */
import { counted } from '../../basics/counted.ts';
import { junitReport } from '../../basics/junit.ts';
import type { Audit } from './audit.ts';

/** One line per finding, in columns, then one line per visitor, then the sum. */
export const auditTable = ({ walks, findings }: Audit): string => {
  const rows = findings.map(({ rule, visitor, address, text }) => [rule, visitor, address, text]);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const visitors = walks.map(({ visitor, pages }) => {
    const links = [...pages.values()].reduce((sum, each) => sum + each.length, 0);
    return `${visitor.name}: ${counted(pages.size, 'entity', 'entities')}, ${counted(links, 'link')}`;
  });
  return [...lines, ...visitors, counted(findings.length, 'finding')].join('\n');
};

/** One suite per visitor, one case per entity or address with findings. */
export const auditJunit = ({ walks, findings }: Audit): string =>
  junitReport(
    walks.map(({ visitor, pages }) => {
      const own = findings.filter((finding) => finding.visitor === visitor.name);
      const addresses = new Set([...pages.keys(), ...own.map(({ address }) => address)]);
      const name = `links as ${visitor.name}`;
      const cases = [...addresses].map((address) => ({
        classname: name,
        name: address,
        failures: own
          .filter((finding) => finding.address === address)
          .map(({ rule, text }) => ({ type: rule, message: text })),
      }));
      return { name, cases };
    }),
  );
