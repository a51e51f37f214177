/** Keeps the ratios of a release in `bench/figures/`, and compares a run with the last ones that were kept. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';

const folder = 'bench/figures';

/** What two runs must have in common to be compared closely. */
export const machine = (cpus) => ({
  cpus: `${cpus.length} × ${cpus[0].model.trim()}`,
  node: process.version,
  load: Number(loadavg()[0].toFixed(1)),
});

/** A figure of a goal as it is kept: a ratio, by processor time where that was measured, and whether more is better. */
const keptFigure = ({ ratio, byCpu, sign }) => ({
  ratio: Number(ratio.toPrecision(3)),
  ...(byCpu === undefined ? {} : { byCpu: Number(byCpu.toPrecision(3)) }),
  isMoreBetter: sign !== '≤',
});

/** Writes the figures under the version of the package. */
export const keepFigures = (goals, described) => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const figures = Object.fromEntries(goals.map((goal) => [goal.name, keptFigure(goal)]));
  const kept = { version, at: new Date().toISOString(), ...described, figures };
  const file = join(folder, `${version}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
  return file;
};

/** The figures that were kept last. Undefined when there are none. */
export const lastFigures = () => {
  let files = [];
  try {
    files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return undefined;
  }
  const kept = files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  return kept.sort((a, b) => (a.at < b.at ? 1 : -1))[0];
};

/** More than a tenth is worse; less is chance. */
const tolerance = 0.1;

/** What got worse: by processor time where both runs have it, because other work of the machine distorts that least. */
export const worseThan = (last, goals) =>
  goals.flatMap((goal) => {
    const before = last.figures[goal.name];
    if (before === undefined) return [];
    const now = keptFigure(goal);
    const isByCpu = before.byCpu !== undefined && now.byCpu !== undefined;
    const [was, is] = isByCpu ? [before.byCpu, now.byCpu] : [before.ratio, now.ratio];
    const worse = now.isMoreBetter ? was / is - 1 : is / was - 1;
    return worse > tolerance ? [{ name: goal.name, was, is, isByCpu }] : [];
  });
