/** Remembers from which files the program in `dist/` was built, so that `npm start` builds only after a change. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const note = 'dist/built.json';

/** What the program and the console are built from beside the files of their bundles. The lock file stands for `node_modules`. */
const otherSources = async () => {
  const folders = await Promise.all(
    ['scripts', 'console', 'data/site', 'data/sites', 'data/fixtures'].map(async (folder) =>
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    ),
  );
  return [
    'openapi.yaml',
    'src/control/openapi.yaml',
    'data/fixture.schema.json',
    'package-lock.json',
    ...folders.flat(),
  ];
};

const hashOf = async (files) => {
  const hash = createHash('sha256');
  const contents = await Promise.all(files.map((file) => readFile(file).catch(() => 'no such file')));
  for (const [index, file] of files.entries()) hash.update(JSON.stringify(file)).update(contents[index]).update('\0');
  return hash.digest('hex');
};

/** The sources of the bundle, and all others, each once and in one order. */
const sourcesOf = async (bundled) => [...new Set([...bundled, ...(await otherSources())])].sort();

/** Writes the note after a build. Writes none when a file has changed since the build began. */
export const noteBuild = async (metafiles, begun) => {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const bundled = inputs.filter((file) => existsSync(file) && !file.includes('node_modules/'));
  const files = await sourcesOf(bundled);
  const changed = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs >= begun));
  if (changed.includes(true)) return;
  await writeFile(note, JSON.stringify({ sha256: await hashOf(files), bundled }));
};

/** Whether `dist/` has the program as its sources are now. */
export const isBuilt = async () => {
  const needed = ['dist/main.js', 'dist/prepared.json', 'dist/console/index.html', 'dist/browser/browser.js'];
  if (!needed.every((file) => existsSync(file))) return false;
  const text = await readFile(note, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  const { sha256, bundled } = JSON.parse(text);
  return sha256 === (await hashOf(await sourcesOf(bundled)));
};
