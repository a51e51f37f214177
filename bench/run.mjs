/**
 * Measures Atoll beside alternatives (`npm run bench`): medians of interleaved rounds, with every reply checked, as ratios
 * against the goals of `goals.mjs`. Marks missed goals, and what got worse since the figures that were kept last. Ends with 1
 * when a reply is wrong.
 *
 *     npm run bench -- --short    # at most three minutes, without the other mock servers
 *     npm run bench -- --keep     # keeps the ratios as those of this version, in bench/figures/
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleLibrary } from '../scripts/bundle.mjs';
import { askInRounds } from './ask.mjs';
import { fillAndRead } from './beside.mjs';
import { asAdmin, newNode } from './content.mjs';
import { figuresText } from './figures-text.mjs';
import { keepFigures, lastFigures, machine, worseThan } from './figures.mjs';
import { firstCopy } from './fixture.mjs';
import { atoll, base, nodePath, startFleet } from './fleet.mjs';
import { goalsOf } from './goals.mjs';
import { questionsOf } from './questions.mjs';
import { startInRounds, startsOf } from './starts.mjs';

const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, keep: { type: 'boolean', default: false } },
});
const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const isShort = values.short;
const [rounds, seconds] = isShort ? [3, 1] : [7, 3];
const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const described = machine(cpus());

const run = (command, ...args) => {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
};
const log = (text) => process.stderr.write(`${text}\n`);

log('building');
run('npm', 'run', '--silent', 'build');
await bundleLibrary('dist');
if (!isShort) run('npm', 'ci', '--prefix', 'bench', '--no-audit', '--no-fund', '--silent');

log('starting');
const fleet = await startFleet(root, folder, isShort);
const questions = await questionsOf(fleet);
const results = await askInRounds(questions, {
  ...{ rounds, seconds },
  onRound: (round) => log(`round ${round} of ${rounds}`),
});
const loaded = { atoll: fleet.watched.rssMb(), bare: fleet.bare.node.rssMb(), large: fleet.large.rssMb() };
await fleet.stop();

log('starts');
const path = nodePath(firstCopy);
const bare = (port) => ['bench/bare-server.mjs', 'express', String(port), fleet.replies.node.file];
const starts = await startInRounds(startsOf({ atoll, bare, data: fleet.data, path }), rounds);

log('filling');
const filled = join(folder, 'filled');
const write = { method: 'POST', path: '/node?_format=json', headers: asAdmin, body: newNode };
const setupRequest = (request) => ({ ...request, path: nodePath(firstCopy + Math.floor(Math.random() * 1000)) });
const filling = { write, path, seconds: isShort ? 8 : 40 };
const answers = [join(folder, 'answers.json'), fleet.document, join(folder, 'bare-filled')];
const fill = {
  atoll: await fillAndRead({
    ...{ ...filling, name: 'Atoll, filling', read: { method: 'GET', setupRequest } },
    args: atoll('--data', filled, '--base-url', base, '--fixture', fleet.thousand),
  }),
  bare: await fillAndRead({
    ...{ ...filling, name: 'bare express, filling', path: '/', read: { method: 'GET', path: '/' } },
    args: (port) => ['bench/bare-write-server.mjs', String(port), ...answers],
  }),
};

const goals = goalsOf({ results, starts, memory: { idle: fleet.idle, loaded }, fill });
const last = lastFigures();
const worse = last === undefined ? [] : worseThan(last, goals);
const heading = `${rounds} interleaved rounds of ${seconds} s, ${described.cpus}, Node ${described.node}, load ${described.load} at the start`;
process.stdout.write(figuresText({ heading, results, starts, fill, goals, last, worse }));
if (values.keep) log(`kept ${keepFigures(goals, described)}`);
