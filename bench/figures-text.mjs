/** Writes the results of `npm run bench` as tables. */
import { figureOf, median } from './goals.mjs';

const table = (head, rows) => [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
const whole = (value) => Math.round(value).toLocaleString('en');
const short = (value) => (value >= 10 ? whole(value) : value.toFixed(2));

const questionRows = (results) => {
  const figure = figureOf(results);
  const express = 'GET node: bare express';
  return [...results.keys()].map((name) => [
    ...[name, whole(figure(name)), figure(name, 'cpuUs').toFixed(0), figure(name, 'p99').toFixed(0)],
    ...[express, 'GET node: bare node:http'].map((other) => (figure(name) / figure(other)).toFixed(2)),
    (figure(express, 'cpuUs') / figure(name, 'cpuUs')).toFixed(2),
  ]);
};

const startRows = (starts) =>
  [...starts].map(([name, all]) => {
    const firsts = all.map(({ firstMs }) => firstMs).filter((ms) => ms !== undefined);
    return [name, whole(median(all.map(({ readyMs }) => readyMs))), firsts.length === 0 ? '' : short(median(firsts))];
  });

const fillRows = (fill) =>
  Object.entries(fill).map(([name, { writes, reads, rssMb }]) => [
    ...[name, whole(writes.perSecond), whole(writes.p99Ms), whole(writes.longestMs)],
    ...[whole(reads.perSecond), whole(reads.p99Ms), whole(reads.longestMs), whole(rssMb)],
  ]);

const goalRows = (goals) =>
  goals.map(({ name, shown, byCpu, sign, goal, isMet }) => [
    ...[name, short(shown), byCpu === undefined ? '' : byCpu.toFixed(2)],
    ...(goal === undefined ? ['', ''] : [`${sign} ${goal}`, isMet ? 'yes' : 'MISSED']),
  ]);

const comparison = (last, worse) => {
  if (last === undefined) return 'No figures of a release are kept: `npm run bench -- --keep` keeps these.';
  const since = `those of ${last.version} (${last.at.slice(0, 10)}, ${last.cpus}, load ${last.load})`;
  if (worse.length === 0) return `No ratio is worse by more than a tenth than ${since}.`;
  const lines = worse.map(
    ({ name, was, is, isByCpu }) => `- WORSE: ${name}: ${was} → ${is}${isByCpu ? ' by CPU' : ''}`,
  );
  return [`Worse by more than a tenth than ${since}:`, '', ...lines].join('\n');
};

export const figuresText = ({ heading, results, starts, fill, goals, last, worse }) =>
  [
    heading,
    table(
      ['Question', 'answers/s', 'CPU µs', 'p99 ms', '× express', '× node:http', '× express by CPU'],
      questionRows(results),
    ),
    table(['Start', 'ready, ms', 'first answer after it, ms'], startRows(starts)),
    table(['Filling', 'writes/s', 'p99 ms', 'longest ms', 'reads/s', 'p99 ms', 'longest ms', 'RSS MB'], fillRows(fill)),
    table(['Goal', 'measured', 'by CPU', 'wanted', 'met'], goalRows(goals)),
    comparison(last, worse),
    '',
  ].join('\n\n');
