/** The contents of the built-in site's files, as its YAML says them. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readYaml } from '../../src/site/read-yaml.ts';
import { bundleFile, resourceFile, roleFile, siteFile, vocabularyFile } from '../../src/site/site-files.ts';
import { root } from '../support/atoll.ts';
import type { DescribedSite } from './exported-site.ts';

export const siteFolder = join(root, 'data/site');

const readAll = async <S extends Parameters<typeof readYaml>[1]>(part: string, schema: S) =>
  Promise.all(
    (await readdir(join(siteFolder, part))).sort().map((name) => readYaml(join(siteFolder, part, name), schema)),
  );

export const builtInSite = async (): Promise<DescribedSite> => ({
  general: await readYaml(join(siteFolder, 'site.yml'), siteFile),
  bundles: await readAll('bundles', bundleFile),
  vocabularies: await readAll('vocabularies', vocabularyFile),
  roles: await readAll('roles', roleFile),
  resources: await readAll('resources', resourceFile),
});
