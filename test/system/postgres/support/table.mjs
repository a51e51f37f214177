/** A jest reporter: at the end of a run, what each fault has cost, in one table. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'coverage/postgres';
const columns = ['fault', 'rounds', 'acknowledged', 'unknown', 'reads', 'violations', 'note'];

const readRows = () => {
  try {
    return readdirSync(folder)
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
      .sort((one, other) => (one.fault < other.fault ? -1 : 1));
  } catch {
    return [];
  }
};

export default class CountsTable {
  onRunStart() {
    rmSync(folder, { recursive: true, force: true });
  }

  onRunComplete() {
    const rows = readRows();
    if (rows.length === 0) return;
    const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))];
    const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at].length)));
    const isNumber = (at) => at > 0 && at < columns.length - 1;
    const lines = cells.map((row) =>
      row
        .map((cell, at) => (isNumber(at) ? cell.padStart(widths[at]) : cell.padEnd(widths[at])))
        .join('  ')
        .trimEnd(),
    );
    process.stdout.write(`\n${lines.join('\n')}\n`);
  }
}
