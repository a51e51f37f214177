/** Writes tables of texts: in columns for a terminal, and as Markdown. */

/** One line for each row, its cells below each other. */
export const columnLines = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows.map((row) => row.map(markdownCell))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');

/** Nothing in a cell is markup, and nothing in it ends the cell. */
const markdownCell = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_<>|[\]]/g, (character) => `\\${character}`);
