/**
 * Makes clients from the document with ten generators, as `docs/use/sdks.md` tells, and runs one scenario with each against a
 * running Atoll: `npm run test:suite -- sdk`. Names of rows may be given, or `--turn`: a third of them, as the commit decides. A cell
 * that is not green fails the run, also when a language is missing; what each row did stands in `coverage/sdk/<row>/commands.log`.
 */
import { join } from 'node:path';
import { rowsOfTurn, turnOf } from '../../../scripts/turn.mjs';
import { fetchGenerator, installTools, startAtoll } from './prepare.mjs';
import { columns, runRow } from './run-row.mjs';
import { rows } from './rows.mjs';

const root = join(import.meta.dirname, '../../..');
const work = join(root, 'coverage/sdk');
const say = (text) => process.stdout.write(`${text}\n`);
const secondsSince = (begun) => Math.round((performance.now() - begun) / 1000);

const turns = 3;

const chosenRows = (names) => {
  if (names.includes('--turn')) return rowsOfTurn(rows, turnOf(turns, ['test/system/sdk']), turns);
  const chosen = rows.filter(({ name }) => names.length === 0 || names.includes(name));
  if (chosen.length > 0) return chosen;
  throw new Error(`There is no row ${names.join(', ')}. There are ${rows.map(({ name }) => name).join(', ')}.`);
};

/** Two lanes for two cores; each takes the next row, the long ones first. */
const runAll = async (chosen, url) => {
  const waiting = chosen.toSorted((one, other) => Number(other.needsJar ?? false) - Number(one.needsJar ?? false));
  const results = new Map();
  const runLane = async () => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      const begun = performance.now();
      results.set(row, await runRow(row, work, url));
      say(`${row.name} (${row.language}): ${secondsSince(begun)} s`);
    }
  };
  await Promise.all([runLane(), runLane()]);
  return chosen.map((row) => ({ row, cells: results.get(row) }));
};

const tableOf = (results) => {
  const width = Math.max(...results.map(({ row }) => row.name.length));
  const line = (name, texts) =>
    [name.padEnd(width), ...texts.map((text, index) => text.padEnd(columns[index].length))].join('  ');
  const mark = (cells) => columns.map((column) => (cells.get(column) === undefined ? 'ok' : 'RED'));
  return [line('', columns), ...results.map(({ row, cells }) => line(row.name, mark(cells)))].join('\n');
};

const begun = performance.now();
const chosen = chosenRows(process.argv.slice(2));
await installTools(work);
// Without it the rows that need it are red, the others can still be green.
if (chosen.some(({ needsJar }) => needsJar)) await fetchGenerator(work).catch(({ message }) => say(message));
const { url, stop } = await startAtoll();
try {
  const results = await runAll(chosen, url);
  say(`\n${tableOf(results)}\n`);
  const red = results.flatMap(({ row, cells }) =>
    columns
      .filter((column) => cells.get(column) !== undefined)
      .map((column) => `${row.name}, ${column}: ${cells.get(column)}`),
  );
  for (const reason of red) say(`RED ${reason}\n`);
  say(`${red.length === 0 ? 'every cell is green' : `${red.length} cells are RED`} (${secondsSince(begun)} s)`);
  process.exitCode = red.length === 0 ? 0 : 1;
} finally {
  stop();
}
