/** The contents of the files of the package's sites, as their YAML says them. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { listFile, bundleFile, resourceFile, roleFile, siteFile, vocabularyFile } from '../support/site-files.ts';
import { readYaml } from '../../src/basics/yaml/read-yaml.ts';
import { root } from '../support/atoll.ts';
import type { DescribedSite } from './exported-site.ts';

export const siteFolder = join(root, 'data/site');

export const starterSiteFolder = join(root, 'data/sites/starter-site');

const readAll = async <S extends Parameters<typeof readYaml>[1]>(folder: string, schema: S) =>
  Promise.all((await readdir(folder)).sort().map((name) => readYaml(join(folder, name), schema)));

export const describedSite = async (folder: string): Promise<DescribedSite> => ({
  general: await readYaml(join(folder, 'site.yml'), siteFile),
  bundles: await readAll(join(folder, 'bundles'), bundleFile),
  vocabularies: await readAll(join(folder, 'vocabularies'), vocabularyFile),
  roles: await readAll(join(folder, 'roles'), roleFile),
  resources: await readAll(join(folder, 'resources'), resourceFile),
  lists: await readAll(join(folder, 'lists'), listFile),
});

export const builtInSite = (): Promise<DescribedSite> => describedSite(siteFolder);
