/**
 * Remembers from which files the two parts of `dist/` were built, so that `npm start` builds only after a change: the program, and
 * the rest. So it does of the program that tests start. A part has its note only when all of
 * it was built.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a part has, and what it is built from beside the files of its bundles. The lock file stands for `node_modules`. */
const parts = {
  program: { note: 'dist/built-program.json', needed: [], files: ['package-lock.json'], folders: ['scripts'] },
  rest: {
    note: 'dist/built.json',
    needed: ['dist/prepared.json', 'dist/console/index.html', 'dist/help/index.html'],
    files: [
      ...['openapi.yaml', 'src/server/control/openapi.yaml', 'data/fixture.schema.json', 'package-lock.json'],
      'docs/README.md',
    ],
    folders: ['scripts', 'console', 'data/site', 'data/sites', 'data/fixtures', 'docs/use'],
  },
  tests: { note: 'coverage/built.json', needed: [], files: ['package-lock.json'], folders: ['scripts'] },
};

const filesIn = async (folder) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const hashOf = async (files) => {
  const hash = createHash('sha256');
  const contents = await Promise.all(files.map((file) => readFile(file).catch(() => 'no such file')));
  for (const [index, file] of files.entries()) hash.update(JSON.stringify(file)).update(contents[index]).update('\0');
  return hash.digest('hex');
};

/** The sources of the bundles, and all others, each once and in one order. */
const sourcesOf = async ({ files, folders }, bundled) => {
  const found = await Promise.all(folders.map(filesIn));
  return [...new Set([...bundled, ...files, ...found.flat()])].sort();
};

/** Before a part is built: it is not built any more. */
export const forgetBuild = (name) => rm(parts[name].note, { force: true });

/** Writes the note of a part after it was built. Writes none when a file has changed since the build began. */
export const noteBuild = async (name, metafiles, begun) => {
  const part = parts[name];
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const bundled = inputs.filter((file) => existsSync(file) && !file.includes('node_modules/'));
  const files = await sourcesOf(part, bundled);
  const changed = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs >= begun));
  if (changed.includes(true)) return;
  const outputs = metafiles.flatMap((metafile) => Object.keys(metafile.outputs)).filter((file) => existsSync(file));
  await writeFile(part.note, JSON.stringify({ sha256: await hashOf(files), bundled, outputs }));
};

/** Whether this part is there as its sources are now. */
export const isBuilt = async (name) => {
  const part = parts[name];
  const text = await readFile(part.note, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  const { sha256, bundled, outputs } = JSON.parse(text);
  if (![...part.needed, ...outputs].every((file) => existsSync(file))) return false;
  return sha256 === (await hashOf(await sourcesOf(part, bundled)));
};
