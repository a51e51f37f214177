/**
 * The gate before the path of every request: processor time for each request beside that of a bare server in the same round, in
 * short interleaved rounds. Compares the medians with those kept in `bench/figures/gate.json`. A row that is worse by more than
 * a quarter is measured once more with all others; worse again, it ends with 1.
 *
 *     npm run bench:suite -- gate
 *     npm run bench:suite -- gate --beside ../other    # another checkout, built, in the same rounds; nothing is judged
 *     npm run bench:suite -- gate --rows 'POST|PUT'    # some of the rows
 *     npm run bench:suite -- gate --keep               # keeps these figures, of several checkouts the best
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createAsk } from './ask.mjs';
import { machine } from './figures.mjs';
import { atollOf, nodePath, recordReplies, startBaselines, startServers } from './fleet.mjs';
import { firstCopy } from './fixture.mjs';
import { median, ratios } from './goals.mjs';
import { questionsOf } from './questions.mjs';
import { startCost } from './start-cost.mjs';

const { values } = parseArgs({
  options: {
    beside: { type: 'string', multiple: true, default: [] },
    keep: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    rows: { type: 'string', default: '' },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const checkouts = ['.', ...values.beside].map((name) => ({ name, main: join(resolve(name), 'dist/main.js') }));
process.chdir(root);
const folder = mkdtempSync(join(tmpdir(), 'atoll-gate-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const kept = 'bench/figures/gate.json';
const tolerance = 0.25;
const seconds = 0.7;
const sizes = { all: 20_000, withMedia: 50, hidden: 100 };
const log = (text) => process.stderr.write(`${text}\n`);

const startAll = async () => {
  const all = [];
  for (const [index, { main }] of checkouts.entries()) {
    const own = join(folder, String(index));
    mkdirSync(own);
    all.push((await startServers(root, own, { sizes, program: atollOf(main) })).servers);
  }
  const replies = await recordReplies(folder, all[0], sizes);
  const bare = await startBaselines(folder, replies);
  return { all, replies, bare };
};

/** What differs from another row only by who asks is left to `npm run bench`. */
const rowsOf = (questions) =>
  ratios.filter(
    ([name, question, other]) =>
      question in questions &&
      other in questions &&
      !/^(Basic|Bearer|100,000)/.test(name) &&
      new RegExp(values.rows).test(name),
  );

/** Until what is asked most is compiled. */
const warmUp = 2;

/** The ratios of every row, those of each checkout in the order of `checkouts`. */
const measure = async ({ all, replies, bare }, rounds) => {
  const asks = [];
  for (const servers of all) {
    const questions = await questionsOf({ ...servers, bare, others: {}, sizes });
    asks.push({ questions, ask: await createAsk(questions) });
  }
  const rows = rowsOf(asks[0].questions);
  const isBare = (name) => name.includes(': bare ');
  const found = new Map(rows.map(([name]) => [name, asks.map(() => [])]));
  for (let round = 0; round <= rounds; round += 1) {
    log(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    for (const [name, question, other] of rows) {
      const against = isBare(other) ? await asks[0].ask(other, seconds) : undefined;
      for (const [index, { ask }] of asks.entries()) {
        const { cpuUs } = await ask(question, round === 0 ? warmUp : seconds);
        const { cpuUs: otherUs } = against ?? (await ask(other, seconds));
        if (round > 0) found.get(name)[index].push({ ratio: otherUs / cpuUs, cpuUs });
      }
    }
  }
  const figures = [...found].map(([name, each]) => ({
    name,
    each: each.map((results) => ({
      ratio: median(results.map(({ ratio }) => ratio)),
      shown: `${median(results.map(({ cpuUs }) => cpuUs)).toFixed(0)} µs`,
    })),
  }));
  log('starts');
  const path = nodePath(firstCopy);
  const bareStart = (port) => ['bench/bare-server.mjs', 'express', String(port), replies.node.file];
  const programs = checkouts.map(({ main }) => ({
    args: atollOf(main)('--memory', '--json'),
    path: '/node/1?_format=json',
  }));
  if (values.rows !== '') return figures;
  const [own, ...starts] = await startCost([{ args: bareStart, path }, ...programs], rounds * 2);
  const start = starts.map((ms) => ({ ratio: own / ms, shown: `${ms.toFixed(0)} ms` }));
  return [...figures, { name: 'bare express × start', each: start }];
};

const lastKept = () => {
  try {
    return JSON.parse(readFileSync(kept, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
};

const tableOf = (figures, base) => {
  const head = [
    'Row',
    ...(base === undefined ? [] : ['kept']),
    ...checkouts.flatMap(({ name }) => [name, 'processor']),
  ];
  const rows = figures.map(({ name, each }) => [
    ...[name, ...(base === undefined ? [] : [String(base.figures[name] ?? '')])],
    ...each.flatMap(({ ratio, shown }) => [ratio.toFixed(2), shown]),
  ]);
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
};

/** The names of the rows that are worse than the base by more than the tolerance. */
const worseIn = (figures, base) =>
  figures
    .filter(({ name, each }) => base.figures[name] !== undefined && base.figures[name] / each[0].ratio > 1 + tolerance)
    .map(({ name }) => name);

const keep = (figures, described) => {
  const rounded = figures.map(({ name, each }) => [
    name,
    Number(Math.max(...each.map(({ ratio }) => ratio)).toPrecision(3)),
  ]);
  const text = JSON.stringify(
    { at: new Date().toISOString(), ...described, figures: Object.fromEntries(rounded) },
    null,
    2,
  );
  mkdirSync('bench/figures', { recursive: true });
  writeFileSync(kept, `${text}\n`);
  log(`kept ${kept}`);
};

const described = machine(cpus());
log('starting');
const fleet = await startAll();
const base = lastKept();
const print = (figures) => process.stdout.write(`${tableOf(figures, base)}\n\n`);
const heading = `Processor time of a bare server ÷ that of Atoll: more is better. ${values.rounds} rounds of ${seconds} s, ${described.cpus}, Node ${described.node}, load ${described.load} at the start`;
process.stdout.write(`${heading}\n\n`);
const first = await measure(fleet, Number(values.rounds));
print(first);
if (values.keep) keep(first, described);
else if (base !== undefined && values.beside.length === 0) {
  const worse = worseIn(first, base);
  if (worse.length > 0) {
    process.stdout.write(`Worse by more than a quarter: ${worse.join('; ')}. Once more:\n\n`);
    const second = await measure(fleet, Number(values.rounds));
    print(second);
    const again = worseIn(second, base).filter((name) => worse.includes(name));
    if (again.length > 0) {
      process.stdout.write(`Worse by more than a quarter, twice: ${again.join('; ')}.\n`);
      process.exitCode = 1;
    }
  }
}
process.exit();
