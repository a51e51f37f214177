/** An audit as text: a table for people, JUnit for machines. */
import type { Audit } from './audit.ts';

/** One line a finding, in columns; then one line a visitor, and the sum. */
export const auditTable = ({ walks, findings }: Audit): string => {
  const rows = findings.map(({ rule, identity, address, text }) => [rule, identity, address, text]);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const visitors = walks.map(({ identity, pages }) => {
    const links = [...pages.values()].reduce((sum, each) => sum + each.length, 0);
    return `${identity.name}: ${pages.size} entities, ${links} links`;
  });
  return [...lines, ...visitors, `${findings.length} findings`].join('\n');
};

/** One suite a visitor, one case an entity or an address with findings. */
export const auditJunit = ({ walks, findings }: Audit): string => {
  const suites = walks.map(({ identity: { name }, pages }) => {
    const own = findings.filter(({ identity }) => identity === name);
    const addresses = [...new Set([...pages.keys(), ...own.map(({ address }) => address)])];
    const cases = addresses.map((address) => {
      const failures = own.filter((finding) => finding.address === address);
      const inside = failures.map(({ rule, text }) => `      <failure type="${rule}" message="${escaped(text)}"/>\n`);
      return `    <testcase classname="links as ${escaped(name)}" name="${escaped(address)}">\n${inside.join('')}    </testcase>\n`;
    });
    const failed = new Set(own.map(({ address }) => address)).size;
    const counts = `tests="${addresses.length}" failures="${failed}"`;
    return `  <testsuite name="links as ${escaped(name)}" ${counts}>\n${cases.join('')}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`;
};

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** XML 1.0 has no way to write most control characters. */
const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => entities[character] ?? '').replace(/[^\t\n\r\x20-\uffff]/g, '\ufffd');
