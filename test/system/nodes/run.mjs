/**
 * Runs `npm test` under each version of Node that the package promises: `npm run test:suite -- nodes`, or with arguments for some of
 * them and some of the tests: `npm run test:suite -- nodes 24 test/library`. The npm package `node` brings the programs.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';

/** The newest of each line when this was written; the first line is the floor of `engines`. */
const versions = ['20.20.2', '22.23.3', '24.21.0'];

const places = resolve('coverage/nodes');

/** The folder of a version's `node`, installed when it is not there yet. */
const programOf = (version) => {
  if (process.versions.node === version) return dirname(process.execPath);
  const place = join(places, version);
  const folder = join(place, 'node_modules/node/bin');
  if (!existsSync(join(folder, 'node'))) {
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), '{ "private": true }');
    const install = ['install', '--no-audit', '--no-fund', '--no-save', `node@${version}`];
    const { status } = spawnSync('npm', install, { cwd: place, stdio: 'inherit' });
    if (status !== 0) throw new Error(`Node ${version} cannot be installed.`);
  }
  return folder;
};

const [lines, tests] = [[], []];
for (const argument of process.argv.slice(2)) (/^\d+$/.test(argument) ? lines : tests).push(argument);
const chosen = versions.filter((version) => lines.length === 0 || lines.includes(version.split('.')[0]));
if (chosen.length === 0) throw new Error(`There is none of ${lines.join(', ')} among ${versions.join(', ')}.`);

const outcomes = chosen.map((version) => {
  const folder = programOf(version);
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
  const told = spawnSync('node', ['--version'], { env, encoding: 'utf8' }).stdout.trim();
  if (told !== `v${version}`) throw new Error(`${folder} holds Node ${told}, not ${version}.`);
  process.stdout.write(`\n== npm test under Node ${version}\n`);
  const begun = Date.now();
  const { status } = spawnSync('npm', ['test', '--', ...tests], { env, stdio: 'inherit' });
  return { version, passed: status === 0, seconds: Math.round((Date.now() - begun) / 1000) };
});

for (const { version, passed, seconds } of outcomes) {
  process.stdout.write(`Node ${version.padEnd(8)} ${passed ? 'passed' : 'FAILED'} in ${seconds} s\n`);
}
if (outcomes.some(({ passed }) => !passed)) process.exitCode = 1;
