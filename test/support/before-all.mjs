/**
 * Before a run of tests: makes the files that Git does not have, and builds the program, as the package has it, for all the files
 * that start it. One build serves all runs until a source changes.
 */
import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stop } from 'esbuild';
import { forgetBuild, isBuilt, noteBuild } from '../../scripts/built.mjs';
import { bundleProgram } from '../../scripts/bundle.mjs';
import { generate } from '../../scripts/generate-types.mjs';

const dayMs = 24 * 60 * 60 * 1000;

const changedAt = async (path) => (await stat(path).catch(() => undefined))?.mtimeMs;

/** The code that expands it, or what it expands, may have changed. The first test that needs it makes it again. */
const dropOldFixture = async () => {
  const made = 'coverage/fixture-starter.json';
  const expanding = ['src/server/worlds/short-fixture', 'src/application/short-fixture'];
  const folders = await Promise.all(
    expanding.map(async (path) => (await readdir(path).catch(() => [])).map((name) => join(path, name))),
  );
  const sources = [...folders.flat(), 'data/fixtures/starter/fixture.yaml'];
  const [madeAt = 0, ...times] = await Promise.all([made, ...sources].map(changedAt));
  if (times.some((time) => time >= madeAt)) await rm(made, { force: true });
};

/** Two runs in one clone get ready one after the other. A lock that a killed run has left is taken after two minutes. */
const alone = async (work) => {
  const lock = 'coverage/getting-ready';
  while (
    !(await mkdir(lock).then(
      () => true,
      () => false,
    ))
  ) {
    if (Date.now() - ((await changedAt(lock)) ?? Date.now()) > 120_000)
      await rm(lock, { recursive: true, force: true });
    else await sleep(200);
  }
  await work().finally(() => rm(lock, { recursive: true, force: true }));
};

export default async () => {
  await generate();
  await mkdir('coverage', { recursive: true });
  await alone(getReady);
};

const folder = 'coverage';

const getReady = async () => {
  await dropOldFixture();
  if (!(await isBuilt('tests'))) await build();
};

const build = async () => {
  const begun = Date.now();
  await forgetBuild('tests');
  const unfinished = `${folder}-${process.pid}`;
  const metafiles = await bundleProgram(unfinished);
  await stop();
  // Another run may be using the program that is there, so its parts stay, and `main.js` is replaced at the end.
  await cp(unfinished, folder, { recursive: true, filter: (source) => !source.endsWith('main.js') });
  await rename(join(unfinished, 'main.js'), join(folder, 'main.js'));
  await nameDecoder(unfinished);
  await rm(unfinished, { recursive: true });
  await removeOld();
  const moved = metafiles.map(({ inputs, outputs }) => ({
    inputs,
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([file, output]) => [join(folder, basename(file)), output]),
    ),
  }));
  await noteBuild('tests', moved, begun);
};

/** The process that reads files runs this, when tests start it from the source. */
const nameDecoder = async (unfinished) => {
  const made = (await readdir(unfinished)).find((name) => name.startsWith('decoder-'));
  if (made !== undefined) await rename(join(unfinished, made), join(folder, 'decoder.cjs'));
};

const removeOld = async () => {
  for (const name of (await readdir(folder)).filter((each) => /-[A-Z0-9]{8}(?:\.js|\.cjs|-.*\.code)$/.test(each))) {
    const file = join(folder, name);
    if (Date.now() - (await stat(file)).mtimeMs > dayMs) await rm(file, { force: true });
  }
};
