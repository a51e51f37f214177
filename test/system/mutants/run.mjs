/**
 * Changes the code in a small way, a mutant, and runs the tests that load the changed file until one fails:
 * `npm run test:suite -- mutants`. A mutant that no test notices has survived. A run that was stopped goes on where it was. `run.mjs
 * [--seed n] [--count n] [--from n] [--only area] [--files n] [--workers n] [--around command] [--draw] [--survivors]`: test/README.md.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { generate } from '../../../scripts/generate-types.mjs';
import { areas, draw } from './draw.mjs';
import { createNearestTests } from './nearest-tests.mjs';
import { runTests } from './run-tests.mjs';
import { summaryOf, tableOf } from './summary.mjs';
import { copyTree, withMutant } from './tree.mjs';
import { createTypeCheck } from './types.mjs';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '150' },
    from: { type: 'string', default: '1' },
    only: { type: 'string' },
    files: { type: 'string', default: '60' },
    workers: { type: 'string', default: '2' },
    around: { type: 'string', default: '' },
    draw: { type: 'boolean', default: false },
    survivors: { type: 'boolean', default: false },
  },
});
const [count, from, mostFiles, workers] = ['count', 'from', 'files', 'workers'].map((name) => Number(values[name]));
const root = resolve(import.meta.dirname, '../../..');
const chosen = values.only === undefined ? Object.keys(areas) : [values.only];
if (!chosen.every((area) => Object.hasOwn(areas, area))) {
  throw new Error(`There is no area "${values.only}". There are ${Object.keys(areas).join(', ')}.`);
}
const folder = join(root, 'coverage/mutants');
const file = join(folder, `${[values.seed, ...(values.only === undefined ? [] : [values.only])].join('-')}.json`);

const keep = (report) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(report, undefined, 1));
  renameSync(`${file}.new`, file);
};

const kept = () => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/** The mutants of an earlier run stand as long as their files are as they were. */
const isOfNow = ({ mutants }) => mutants.every((mutant) => mutant.sha256 === hashOf(mutant.file));

const hashes = new Map();
const hashOf = (name) => {
  if (!hashes.has(name)) {
    hashes.set(
      name,
      createHash('sha256')
        .update(readFileSync(join(root, name)))
        .digest('hex'),
    );
  }
  return hashes.get(name);
};

const drawAnew = async () => {
  await generate();
  const drawn = draw({ root, seed: values.seed, count: from + count - 1, chosen, types: createTypeCheck(root) });
  return {
    seed: values.seed,
    ...drawn,
    mutants: drawn.mutants.map((each) => ({ ...each, sha256: hashOf(each.file) })),
  };
};

const earlier = kept();
const isKept = earlier !== undefined && earlier.mutants.length >= from + count - 1 && isOfNow(earlier);
const report = isKept ? earlier : await drawAnew();
keep(report);
const asked = report.mutants.slice(from - 1, from + count - 1);

const around = values.around.split(' ').filter(Boolean);

/** A copy of the project in which the tests of this tool pass, with the program built. */
const readyTree = async () => {
  const place = copyTree(root);
  const { failed, broken } = await runTests(place, ['test/system/mutants/changes.test.ts'], { around, isBuilt: false });
  if (failed.length > 0 || broken !== undefined)
    throw new Error(`Tests do not run in ${place}: ${broken ?? failed[0].test}`);
  return place;
};

/** The verdict on a mutant, and how many of the tests that load its file have seen it. */
const judge = async (place, mutant, { testsOf }) => {
  const related = testsOf(mutant);
  const before = values.survivors ? 0 : (mutant.seen ?? 0);
  const files = related.slice(before, mostFiles);
  const run = await withMutant(place, mutant, () => runTests(place, files, { around }));
  const [killer] = run.failed;
  const verdict =
    killer !== undefined || run.broken !== undefined ? 'killed' : run.isEndless ? 'timed out' : 'survived';
  Object.assign(mutant, {
    verdict,
    seen: before + run.done,
    related: related.length,
    seconds: run.seconds,
    killer: killer ?? (run.isEndless ? { file: files[run.done] } : undefined),
    broken: run.broken,
  });
};

const isOpen = ({ verdict, seen, related }) =>
  verdict === undefined || (verdict === 'survived' && (values.survivors || seen < Math.min(mostFiles, related)));

const work = async () => {
  const open = asked.filter(isOpen);
  const nearest = createNearestTests(root);
  const worker = async () => {
    const place = await readyTree();
    for (let mutant = open.shift(); mutant !== undefined; mutant = open.shift()) {
      await judge(place, mutant, nearest);
      keep(report);
      process.stdout.write(`${summaryOf(mutant)}\n`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, open.length) }, worker));
};

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
if (!values.draw) await work();
process.stdout.write(`\n${tableOf(asked, report)}\n`);
