/** Writes objects of a configuration into a folder, one YAML file each, as an export does, and serves them. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { importSource } from '../../src/sites/sites.ts';
import { startServer, type TestServer } from '../support/server.ts';
import type { Objects } from './exported-site.ts';

export const writeObjects = async (folder: string, objects: Objects): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await Promise.all(
    Object.entries(objects).map(([name, data]) => writeFile(join(folder, `${name}.yml`), stringify(data))),
  );
};

export const writeText = async (file: string, text: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
};

/** Calls back with a new folder, and removes it afterwards. */
export const inFolder = async <T>(use: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-drupal-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** A server of the site that an import makes of the objects, with content made for it. */
export const startImport = (objects: Objects): Promise<TestServer> =>
  inFolder(async (folder) => {
    await writeObjects(folder, objects);
    const source = { folders: [folder], terms: [] };
    const drupalConfig = { ...source, read: () => importSource(source) };
    return startServer({ drupalConfig, fixture: 'sample', seed: 'imported', traffic: 0 });
  });
