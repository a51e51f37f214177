/** Prints differences for whoever works on them: `GROUP=caches-on SHOW=all`, `SHOW=113`, `SHOW=100-120`, or `SHOW=` a text of the label or path. */
import { appendFileSync } from 'node:fs';
import type { Compared } from './sequence.ts';
import type { Group } from './groups.ts';

type Judged = Compared & { readonly open: readonly string[] };

export const show = (group: Group, judged: readonly Judged[]): void => {
  dump(group, judged);
  const wanted = process.env['SHOW'];
  if (wanted === undefined) return;
  const range = /^(\d+)(?:-(\d+))?$/.exec(wanted);
  const lines = judged
    .filter(({ exchange }) =>
      range === null
        ? wanted === 'all' || `${exchange.label} ${exchange.request.path}`.includes(wanted)
        : exchange.number >= Number(range[1]) && exchange.number <= Number(range[2] ?? range[1]),
    )
    .filter(({ open }) => range !== null || open.length > 0)
    .flatMap((one) => [
      ...head(group, one),
      ...one.open.map((line) => `    ${line}`),
      ...(range === null ? [] : both(one)),
    ]);
  const unexplained = judged.filter(({ open }) => open.length > 0).length;
  process.stdout.write(`${lines.join('\n')}\n${group}: ${judged.length} compared, ${unexplained} unexplained\n`);
};

const head = (group: Group, { exchange: { number, label, request, sent } }: Judged): string[] => [
  `${group}:${number} [${label}] ${request.method} ${request.path} as ${request.credentials ?? 'nobody'} ${sent?.toString('utf8').slice(0, 500) ?? ''}`,
];

const both = ({ exchange: { request, response }, answer }: Judged): string[] => [
  `    sent ${JSON.stringify(request.headers)}`,
  `    real ${response.status} ${JSON.stringify(response.headers)} ${JSON.stringify(response.body)}`,
  `    ours ${answer.status} ${JSON.stringify(answer.headers)} ${answer.text}`,
];

const dump = (group: Group, judged: readonly Judged[]): void => {
  const file = process.env['DUMP'];
  if (file === undefined) return;
  for (const { exchange, answer, open, differences } of judged) {
    if (differences.length === 0) continue;
    const sent = exchange.sent?.toString('utf8').slice(0, 400);
    const { number: n, label, request, response: real } = exchange;
    const ours = { status: answer.status, text: answer.text.slice(0, 500) };
    appendFileSync(
      file,
      `${JSON.stringify({ group, n, label, request, sent, real, ours, d: open, all: differences })}\n`,
    );
  }
};
