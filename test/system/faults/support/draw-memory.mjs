/**
 * Draws the memory of two soaks, one with constant and one with growing data, as the picture of docs/inside/performance.md:
 * `node test/system/faults/support/draw-memory.mjs CONSTANT GROWING [BEFORE] > docs/inside/memory.svg`, each a file of `--samples`.
 */
import { readFileSync } from 'node:fs';

const [constant, growing, before] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));
const [width, height, left, bottom] = [440, 240, 44, 34];

/** A round number of parts, so that the top is at least `most`. */
const stepFor = (most) => [1, 2, 5, 10, 20, 50, 100, 200].find((step) => most / step <= 6) ?? 500;

const panel = (at, title, lines, ceiling) => {
  const points = lines.flatMap(({ values }) => values);
  const minutes = Math.max(...points.map(([x]) => x));
  const step = stepFor(Math.max(...points.map(([, y]) => y)));
  const top = Math.ceil(Math.max(ceiling ?? 0, ...points.map(([, y]) => y)) / step) * step;
  const x = (minute) => (left + (minute / minutes) * (width - left - 10)).toFixed(1);
  const y = (mb) => (height - bottom - (mb / top) * (height - bottom - 30)).toFixed(1);
  const grid = Array.from({ length: top / step + 1 }, (_, part) => part * step).map(
    (mb) =>
      `<line x1="${left}" x2="${width - 10}" y1="${y(mb)}" y2="${y(mb)}" stroke="#ddd"/>` +
      `<text x="${left - 6}" y="${Number(y(mb)) + 4}" text-anchor="end">${mb}</text>`,
  );
  const every = stepFor(minutes);
  const ticks = Array.from({ length: Math.floor(minutes / every) + 1 }, (_, part) => part * every).map(
    (minute) => `<text x="${x(minute)}" y="${height - bottom + 16}" text-anchor="middle">${minute}</text>`,
  );
  const drawn = lines.map(
    ({ colour, values, dash = '' }) =>
      `<polyline fill="none" stroke="${colour}" stroke-width="1.5" stroke-dasharray="${dash}" points="${values
        .map(([minute, mb]) => `${x(minute)},${y(mb)}`)
        .join(' ')}"/>`,
  );
  const names = lines.map(
    ({ name, colour }, index) =>
      `<text x="${left + 8 + index * 128}" y="${height - 2}" fill="${colour}">${name}</text>`,
  );
  const limit =
    ceiling === undefined
      ? ''
      : `<line x1="${left}" x2="${width - 10}" y1="${y(ceiling)}" y2="${y(ceiling)}" stroke="#c00" stroke-dasharray="6 4"/>`;
  return `<g transform="translate(${at} 0)"><text x="${left}" y="16" font-weight="bold">${title}</text>
${[...grid, limit, ...ticks, ...drawn, ...names].join('\n')}</g>`;
};

/** One point for each few seconds is enough for the eye. */
const curve = (samples, value = ({ mb }) => mb) =>
  samples.filter((_, at) => at % 4 === 0).map((sample) => [sample.seconds / 60, value(sample)]);
const alive = ({ alive: collections }) => collections.map(({ seconds, mb }) => [seconds / 60, mb]);
const [blue, green, grey, orange] = ['#1f5fa8', '#2a7d46', '#999', '#b3640f'];

const panels = [
  panel(
    0,
    'Constant data: MB over minutes',
    [
      ...(before === undefined ? [] : [{ name: 'resident, before', colour: grey, values: curve(before.samples) }]),
      { name: 'resident', colour: blue, values: curve(constant.samples) },
      { name: 'alive', colour: green, values: alive(constant) },
    ],
    300,
  ),
  panel(width + 20, 'Growing data: MB over minutes', [
    { name: 'resident', colour: blue, values: curve(growing.samples) },
    { name: 'alive', colour: green, values: alive(growing) },
    { name: 'records', colour: orange, values: curve(growing.samples, ({ data }) => data), dash: '5 3' },
  ]),
];
process.stdout.write(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${2 * width + 20} ${height}" font-family="sans-serif" font-size="11">
<rect width="100%" height="100%" fill="#fff"/>
${panels.join('\n')}
</svg>
`,
);
