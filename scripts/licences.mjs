/** Collects the licences of the packages whose code is inside the bundles. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of the package that a file belongs to. Undefined for our own files. */
const folderOf = (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];

const licenceOf = async (folder) => {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
  // Some packages name their licence but do not include its text.
  const text = file === undefined ? '' : (await readFile(join(folder, file), 'utf8')).trim();
  if (license === undefined && text === '') throw new Error(`${name} has no licence.`);
  return `${name} ${version} (${license ?? 'see below'})\n\n${text}\n`;
};

/** One text with all licences, from esbuild's metafiles. Throws when a package has no licence. */
export const licencesOf = async (metafiles) => {
  const folders = new Set(metafiles.flatMap(({ inputs }) => Object.keys(inputs).map(folderOf)));
  folders.delete(undefined);
  const texts = await Promise.all([...folders].sort().map(licenceOf));
  return `Atoll holds code of these packages.\n\n${[...new Set(texts)].join(`\n${'-'.repeat(80)}\n\n`)}`;
};
