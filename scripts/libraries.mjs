/**
 * Takes the libraries out of `package.json` for `npm pack` and puts them back afterwards. In the repository they are
 * `dependencies`, so that audits and updates see them; the package holds their code, so nobody has to install them.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';

const file = 'package.json';
/** What `dependencies` is called in the packed manifest. npm does not know the word. */
const packedName = 'bundledLibraries';

const renameKey = (manifest, from, to) =>
  Object.fromEntries(Object.entries(manifest).map(([key, value]) => [key === from ? to : key, value]));

const renameInFile = async (from, to) => {
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  if (!Object.hasOwn(manifest, from)) return;
  // Replaced in one step: another process may read it at this moment.
  const unfinished = `${file}.${process.pid}.tmp`;
  await writeFile(unfinished, `${JSON.stringify(renameKey(manifest, from, to), null, 2)}\n`);
  await rename(unfinished, file);
};

const [command] = process.argv.slice(2);
if (command === 'hide') await renameInFile('dependencies', packedName);
else if (command === 'show') await renameInFile(packedName, 'dependencies');
else if (command === 'publish') {
  // npm packs first and then reads this folder again for what it registers, when the libraries are back.
  throw new Error('Publish the tarball that `npm run release` makes: npm publish atoll-server-<version>.tgz');
} else throw new Error('Say hide, show or publish.');
