/** One row of the table: a client is generated, compiled and run, and each cell says what came of it. */
import { cp, link, mkdir, readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { commandsOf } from './guide.mjs';
import { steps } from './rows.mjs';
import { run } from './shell.mjs';

const own = import.meta.dirname;
const written = 'http://localhost:8000';

export const columns = ['generate', 'other document', 'compile', ...steps];

/**
 * Runs a row in a folder of its own below `work`, against the server at `url`. Resolves with a map from each column to
 * what went wrong there, undefined where nothing did.
 */
export const runRow = async (row, work, url) => {
  const folder = join(work, row.name);
  await layOut(row, work, folder);
  const generated = await faultOf(() => generate(row, folder, url));
  const compiled = generated === undefined ? await faultOf(() => compile(row, folder)) : 'there is no client';
  const told = compiled === undefined ? await scenario(row, folder, url) : () => 'there is no program';
  return new Map([
    ['generate', generated],
    ['other document', await faultOf(() => generateFromOther(row, folder, url))],
    ['compile', compiled],
    ...steps.map((step) => [step, told(step)]),
  ]);
};

const faultOf = (action) =>
  action().then(
    () => undefined,
    ({ message }) => message,
  );

const layOut = async ({ files, needsJar }, work, folder) => {
  await mkdir(folder, { recursive: true });
  await Promise.all(files.map((name) => cp(join(own, 'clients', name), join(folder, name))));
  const jars = needsJar ? (await readdir(work)).filter((name) => name.endsWith('.jar')) : [];
  await Promise.all(jars.map((name) => link(join(work, name), join(folder, name))));
};

const generate = async ({ name }, folder, url) => {
  for (const command of commandsOf(name)) {
    if (command.startsWith('npm install ')) await checkPins(command);
    else await runHere(command.replaceAll(written, url), folder);
  }
};

/** npx must take what is installed here, and no other version from elsewhere. */
const runHere = (command, folder) =>
  run(command, { folder, env: command.startsWith('npx ') ? { npm_config_offline: 'true' } : {} });

/** What the guide installs is what stands in the lock file; nothing is installed a second time. */
const checkPins = async (command) => {
  const { dependencies } = JSON.parse(await readFile(join(own, 'package.json'), 'utf8'));
  for (const wanted of command.split(' ').filter((word) => /.@\d/.test(word))) {
    const [name, version] = [wanted.slice(0, wanted.lastIndexOf('@')), wanted.slice(wanted.lastIndexOf('@') + 1)];
    if (dependencies[name] !== version) {
      throw new Error(`The guide installs ${wanted}, test/system/sdk/package.json has ${dependencies[name]}.`);
    }
  }
};

/** The guide's command on the document in the other version, into a place of its own. */
const generateFromOther = async ({ name, otherDocument: { from, to } }, folder, url) => {
  const command = commandsOf(name).find((each) => each.includes(`${written}/${from}`));
  if (command === undefined) throw new Error(`The guide does not generate ${name} from ${from}.`);
  const [, option, place] = / (-o|--output|--output-path) (\S+)/.exec(command);
  await mkdir(join(folder, 'other', dirname(place)), { recursive: true });
  const ofOther = command.replaceAll(`${written}/${from}`, `${url}/${to}`);
  await runHere(ofOther.replace(` ${option} ${place}`, ` ${option} other/${place}`), folder);
  if ((await readdir(join(folder, 'other'))).length === 0) throw new Error('Nothing was generated.');
};

const compile = async (row, folder) => {
  for (const command of row.compile) await run(command, { folder });
};

/** Runs the scenario and reads what it tells, a line of JSON a step. The result says what went wrong in a step. */
const scenario = async (row, folder, url) => {
  try {
    const output = await run(row.scenario, { folder, env: { ATOLL_URL: url } });
    const lines = output.split('\n').filter((line) => line.startsWith('{'));
    const told = new Map(lines.map((line) => JSON.parse(line)).map((each) => [each.step, each]));
    return (step) => {
      const { ok, why } = told.get(step) ?? { ok: false, why: 'the scenario did not tell of it' };
      return ok === true ? undefined : String(why);
    };
  } catch ({ message }) {
    return () => message;
  }
};
