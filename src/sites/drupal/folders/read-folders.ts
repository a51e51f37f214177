/** Reads the folders of an exported configuration: a closed list of kinds, and the tables that migrations name. */
import { readdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize, relative, resolve } from 'node:path';
import { flawError } from '../../../basics/configuration-error.ts';
import { errorCode } from '../../../basics/error-code.ts';
import type { ImportSource } from '../../../openapi/openapi-host.ts';
import { type ConfigurationFiles, type ConfigurationText, createConfiguration } from '../configuration.ts';
import { readRegularFile, readRegularFileSync, unreadableReason } from '../../../basics/disk/regular-file.ts';
import { foreignKindOf, kindOf, patchedName } from '../entity-kinds.ts';
import { importConfiguration, type Imported } from '../import-configuration.ts';
import { levels, lockedVersions } from './locked-versions.ts';
import { tablePaths } from '../terms/migration-terms.ts';
import type { KnownTerm } from '../terms/placed-terms.ts';

/** Throws `ConfigurationError`. */
export const importSource = async (source: ImportSource, known: readonly KnownTerm[] = []): Promise<Imported> => {
  const files = await readFolders(source.folders);
  return importConfiguration(files, { terms: readNamedTables(source.terms), known, enable: source.enable });
};

type Texts = Map<string, ConfigurationText>;

type Reading = {
  readonly objects: Texts;
  readonly translations: Map<string, Texts>;
  readonly patches: Map<string, ConfigurationText[]>;
  readonly notRead: Map<string, number>;
};

/** `folders` lie over each other: a file of a later one replaces that of an earlier one. Throws `ConfigurationError`. */
export const readFolders = async (folders: readonly string[]): Promise<ConfigurationFiles> => {
  const reading: Reading = { objects: new Map(), translations: new Map(), patches: new Map(), notRead: new Map() };
  for (const folder of folders) {
    await readObjects(folder, reading.objects, reading);
    for (const language of await subfolders(join(folder, 'language'))) {
      const texts = reading.translations.get(language) ?? new Map<string, ConfigurationText>();
      reading.translations.set(language, texts);
      await readObjects(join(folder, 'language', language), texts, reading);
    }
  }
  if (reading.objects.size === 0) {
    const file = folders[0] ?? '.';
    const message = 'holds no configuration of a kind that an import reads.';
    throw flawError({ file, rule: 'file', message, remedy: 'Name the folder that `drush config:export` writes.' });
  }
  const bare: ConfigurationFiles = { ...reading, tables: new Map(), versions: await lockedVersions(folders) };
  return { ...bare, tables: await readTables(tablePaths(createConfiguration(bare)), folders) };
};

/** Keeps the texts of the kinds that an import reads, and counts the others without opening them. Translations have no patches. */
const readObjects = async (folder: string, texts: Texts, { objects, patches, notRead }: Reading): Promise<void> => {
  for (const file of await namesIn(folder)) {
    const name = file.replace(/\.yml$/, '');
    if (name === file) continue;
    const patched = patchedName(name);
    if (kindOf(name) !== undefined) texts.set(name, readText(join(folder, file)));
    else if (patched === undefined || kindOf(patched) === undefined) {
      const kind = foreignKindOf(name);
      notRead.set(kind, (notRead.get(kind) ?? 0) + 1);
    } else if (texts === objects) {
      patches.set(patched, [...(patches.get(patched) ?? []), readText(join(folder, file))]);
    }
  }
};

const readText = (file: string): ConfigurationText => {
  try {
    return { file, text: readRegularFileSync(file).toString() };
  } catch (cause) {
    const message = `cannot be read: ${unreadableReason(cause)}.`;
    throw flawError({ file, rule: 'file', message, remedy: 'Make it a file, or name another folder.' }, cause);
  }
};

const namesIn = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder).catch((cause: unknown) => {
    const message = `cannot be read: ${unreadableReason(cause)}.`;
    throw flawError({ file: folder, rule: 'file', message, remedy: 'Name a folder of exported configuration.' }, cause);
  });
  return names.sort();
};

const subfolders = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    if (errorCode(cause) === 'ENOENT' || errorCode(cause) === 'ENOTDIR') return [];
    throw cause;
  });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
};

/** Reads tables that users name. */
const readNamedTables = (files: readonly string[]): ConfigurationText[] => files.map(readText);

/** The folders of Drupal itself in a repository of a site. */
const webFolders = ['web', 'docroot', 'html', 'public', ''];

/** A migration names a table relative to the folder of Drupal. It is looked for around the configuration, never elsewhere. */
const readTables = async (
  paths: readonly string[],
  folders: readonly string[],
): Promise<ReadonlyMap<string, ConfigurationText>> => {
  const tables = new Map<string, ConfigurationText>();
  for (const path of paths) {
    for (const file of candidates(path, folders)) {
      const bytes = await readRegularFile(file).catch(() => undefined);
      if (bytes === undefined) continue;
      tables.set(path, { file, text: bytes.toString() });
      break;
    }
  }
  return tables;
};

const candidates = (path: string, folders: readonly string[]): readonly string[] => {
  if (isAbsolute(path) || path.includes('://') || !/\.(csv|tsv|txt)$/i.test(path)) return [];
  const found = folders.flatMap((folder) => {
    const roots = [resolve(folder)];
    for (let level = 0; level < levels; level += 1) roots.push(dirname(roots.at(-1) ?? folder));
    return roots.flatMap((root) =>
      webFolders.map((web) => join(root, web, path)).filter((file) => isInside(root, file)),
    );
  });
  // A folder of a module has its tables next to `config/install`.
  const inModules = folders.map((folder) => join(resolve(folder), '../../..', 'migrate', basename(path)));
  return [...new Set([...found, ...inModules].map((file) => normalize(file)))];
};

const isInside = (root: string, file: string): boolean => !relative(root, file).startsWith('..');
