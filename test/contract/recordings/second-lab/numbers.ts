/** The numbers of the replay in docs/use/differences.md: how many exchanges are equal, explained, unexplained and left out. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Group } from './groups.ts';

export type Numbers = {
  readonly group: Group;
  readonly equal: number;
  readonly explained: number;
  readonly unexplained: number;
  readonly leftOut: number;
};

const page = new URL('../../../../docs/use/differences.md', import.meta.url);
const block = /(?<=<!-- replay -->\n\n)[\s\S]*?(?=\n\n<!-- \/replay -->)/;

/** The table in the page. */
export const writtenNumbers = (): string => block.exec(readFileSync(page, 'utf8'))?.[0] ?? '';

export const writeNumbers = (table: string): void =>
  writeFileSync(page, readFileSync(page, 'utf8').replace(block, table));

/** The table as the page should have it, formatted as `npm run format` does. */
export const numbersTable = (numbers: readonly Numbers[]): string => {
  const rows = [...numbers, totalOf(numbers)].map(({ group, equal, explained, unexplained, leftOut }) => [
    group,
    ...[equal, explained, unexplained, leftOut].map((count) => count.toLocaleString('en')),
  ]);
  const table = [['Group', 'Equal', 'Explained', 'Unexplained', 'Left out'], ...rows];
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const padded = table.map((row) => line(row.map((cell, column) => cell.padEnd(widths[column] ?? 0))));
  return [padded[0], line(widths.map((width) => '-'.repeat(width))), ...padded.slice(1)].join('\n');
};

const totalOf = (numbers: readonly Numbers[]): Omit<Numbers, 'group'> & { readonly group: string } => {
  const sum = (count: (one: Numbers) => number): number => numbers.reduce((total, one) => total + count(one), 0);
  return {
    group: 'together',
    equal: sum(({ equal }) => equal),
    explained: sum(({ explained }) => explained),
    unexplained: sum(({ unexplained }) => unexplained),
    leftOut: sum(({ leftOut }) => leftOut),
  };
};
