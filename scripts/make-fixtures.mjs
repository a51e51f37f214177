/**
 * Makes the fixtures and the media icons, the same bytes on every run: `node scripts/make-fixtures.mjs`. With `--check` it writes
 * nothing and exits with 1 when the committed files differ. `scripts/fixtures/` has the content.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emptyFixture, starterFixture } from './fixtures/fixture.mjs';
import { icons } from './fixtures/icons.mjs';

const dataDirectory = fileURLToPath(new URL('../data/', import.meta.url));

const outputs = () => [
  { directory: join(dataDirectory, 'site', 'icons'), files: icons() },
  { directory: join(dataDirectory, 'fixtures', 'empty'), files: emptyFixture() },
  { directory: join(dataDirectory, 'fixtures', 'starter'), files: starterFixture() },
];

const filesIn = (directory) => {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
};

/** The paths that are missing, superfluous or different. */
const differences = ({ directory, files }) => {
  const present = new Set(filesIn(directory));
  const wrong = [...files].filter(
    ([path, bytes]) => !present.has(path) || !readFileSync(join(directory, path)).equals(bytes),
  );
  const superfluous = [...present].filter((path) => !files.has(path));
  return [...wrong.map(([path]) => path), ...superfluous].map((path) => join(directory, path));
};

const write = ({ directory, files }) => {
  rmSync(directory, { recursive: true, force: true });
  for (const [path, bytes] of files) {
    const target = join(directory, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes);
  }
};

if (process.argv.includes('--check')) {
  const different = outputs().flatMap(differences);
  if (different.length > 0) {
    process.stderr.write(`Not as scripts/make-fixtures.mjs makes it; run it and commit:\n${different.join('\n')}\n`);
    process.exitCode = 1;
  }
} else {
  outputs().forEach(write);
}
