/**
 * Runs other people's programs against Atoll, from what Atoll says of itself: `npm run test:suite -- clients`. `run.mjs [part …]`
 * runs only some, `run.mjs --turn` a third of them, as the commit decides. A part is a folder here with a `part.mjs`, whose `run({ folder })` resolves with what went wrong, a line
 * each. A tool that cannot be had fails its part. What each part wrote stands in `coverage/clients/<part>/`.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { rowsOfTurn, turnOf } from '../../../scripts/turn.mjs';
import { work } from './support/tools.mjs';

const own = import.meta.dirname;
const say = (text) => process.stdout.write(`${text}\n`);

const known = readdirSync(own).filter((name) => existsSync(join(own, name, 'part.mjs')));
const given = process.argv.slice(2);
const takesTurn = given.includes('--turn');
const named = given.filter((name) => name !== '--turn');
const names = named.length > 0 ? named : rowsOfTurn(known, takesTurn ? turnOf(3, ['test/system/clients']) : 'all', 3);
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}. There are ${known.join(', ')}.`);

const runPart = async (name) => {
  const folder = join(work, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const begun = performance.now();
  const keep = (file, text) => writeFileSync(join(folder, file), text);
  try {
    const part = await import(`./${name}/part.mjs`);
    return { name, faults: await part.run({ folder, keep }), seconds: secondsSince(begun) };
  } catch (error) {
    return { name, faults: [String(error.stack ?? error)], seconds: secondsSince(begun) };
  }
};

const secondsSince = (begun) => Math.round((performance.now() - begun) / 1000);

let isRed = false;
for (const name of names) {
  const { faults, seconds } = await runPart(name);
  for (const fault of faults.slice(0, 40)) say(`  - ${fault}`);
  if (faults.length > 40) say(`  - and ${faults.length - 40} more`);
  say(`${name}: ${faults.length === 0 ? 'green' : `RED, ${faults.length} faults`} (${seconds} s)`);
  isRed ||= faults.length > 0;
}
process.exitCode = isRed ? 1 : 0;
