/** Writes an imported site into a folder, and reads what an earlier import has left there. */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isRecord } from '../../../basics/json.ts';
import { ConfigurationError } from '../../../basics/configuration-error.ts';
import { errorCode } from '../../../basics/error-code.ts';
import { parseData } from '../configuration.ts';
import { dataOf, listOf, textOf, textsOf, wholeOf } from '../lenient-values.ts';
import type { Imported } from '../import-configuration.ts';
import type { KnownTerm } from '../terms/placed-terms.ts';
import { siteYaml } from './site-yaml.ts';

/** The file that tells the next import which files are its own. It holds the report too. */
const marker = 'import.json';

export type EarlierImport = { readonly files: readonly string[]; readonly terms: readonly KnownTerm[] };

/** Throws `ConfigurationError` for a folder with anything but an earlier import in it. */
export const readEarlierImport = async (folder: string): Promise<EarlierImport> => {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  if (names.length === 0) return { files: [], terms: [] };
  const text = await readFile(join(folder, marker), 'utf8').catch(() => undefined);
  if (text === undefined) {
    throw new ConfigurationError(`${folder}: holds other files. Name a new folder, or one that an import has written.`);
  }
  const files = textsOf(dataOf(JSON.parse(text))['files']).filter(isOwnName);
  const vocabularies = files.filter((name) => name.startsWith('vocabularies/'));
  const terms = await Promise.all(vocabularies.map((name) => termsIn(join(folder, name))));
  return { files, terms: terms.flat() };
};

/** Names as an import makes them: nothing else is ever removed. */
const isOwnName = (name: string): boolean =>
  /^(site\.yml|accounts\.yml|(bundles|vocabularies|roles|resources|lists)\/[A-Za-z0-9_.-]+\.yml)$/.test(name);

const termsIn = async (file: string): Promise<KnownTerm[]> => {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  const { id, terms } = parseData({ file, text });
  return listOf(terms).flatMap((term) => {
    const { tid, uuid, name } = dataOf(term);
    const known = { vocabulary: textOf(id), tid: wholeOf(tid), uuid: textOf(uuid), name: textOf(name) };
    return isRecord(term) && isComplete(known) ? [known] : [];
  });
};

const isComplete = (term: { readonly [K in keyof KnownTerm]: KnownTerm[K] | undefined }): term is KnownTerm =>
  Object.values(term).every((member) => member !== undefined);

/** Accounts that are there already stay: people may have added some. */
export const staysAsItIs = (name: string, earlier: EarlierImport): boolean =>
  name === 'accounts.yml' && earlier.files.includes(name);

/** `icons` is the folder of the package's icons. */
export const writeSite = async (
  folder: string,
  { siteFiles, report }: Imported,
  earlier: EarlierImport,
  icons: string,
): Promise<void> => {
  for (const name of earlier.files) {
    if (!siteFiles.has(name) && name !== 'accounts.yml') await rm(join(folder, name), { force: true });
  }
  for (const [name, content] of siteFiles) {
    if (staysAsItIs(name, earlier)) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), await siteYaml(name, content));
  }
  await mkdir(join(folder, 'icons'), { recursive: true });
  for (const icon of await readdir(icons)) await copyFile(join(icons, icon), join(folder, 'icons', icon));
  const written = { files: [...siteFiles.keys()].sort(), report };
  await writeFile(join(folder, marker), `${JSON.stringify(written, null, 2)}\n`);
};
