/** The table of justified differences, differences.md, as data. */
import { readFileSync } from 'node:fs';

export type Justified = {
  readonly file: string;
  readonly number: number;
  readonly label: string;
  /** What of the answer differs, `status` with ours: `status 406`, `Content-Type`, `Link`, `body` … */
  readonly parts: readonly string[];
  readonly differs: string;
  readonly because: string;
};

/** Every row of the table. */
export const readDifferences = (): readonly Justified[] =>
  readFileSync(new URL('differences.md', import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      const [, file = '', number = '', label = '', parts = '', differs = '', because = ''] = cells;
      return /^\d+$/.test(number)
        ? [{ file, number: Number(number), label, parts: parts.split(', '), differs, because }]
        : [];
    });

/** The parts that lines of differences speak of, as the table names them. */
export const partsOf = (differences: readonly string[], status: number): readonly string[] => [
  ...new Set(
    differences.map((line) => {
      const part = /^[\w-]+/.exec(line)?.[0] ?? line;
      return part === 'status' ? `status ${status}` : part;
    }),
  ),
];
