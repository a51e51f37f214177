/** Reads the files of a site from a folder on the disk. */
import { join } from 'node:path';
import { loadSiteFolder } from '../../core/site/load-site.ts';
import { readYaml, yamlFiles, type YamlReader } from '../../basics/yaml/read-yaml.ts';
import { openRegularFile } from '../../basics/disk/regular-file.ts';
import type { Site } from '../../core/site/site.ts';
import type { SiteFolder } from '../../core/site/site-folder.ts';

/**
 * Loads a site from its folder on the disk. `read` may return contents that were prepared by the build. Throws `ConfigurationError` with file, key and remedy.
 */
export const loadSite = (directory: string, read?: YamlReader): Promise<Site> =>
  loadSiteFolder(diskFolder(directory, read));

/** `read` gets paths, and may return contents that were prepared by the build. */
export const diskFolder = (directory: string, read: YamlReader = readYaml): SiteFolder => ({
  list: async (part) =>
    (await yamlFiles(join(directory, part))).map((file) => `${part}/${file.slice(join(directory, part).length + 1)}`),
  read: (name, schema) => read(join(directory, name), schema),
  pathOf: (name) => join(directory, name),
  ...diskIcons(join(directory, 'icons')),
});

/** The pictures of a folder on the disk. */
export const diskIcons = (iconDirectory: string): Pick<SiteFolder, 'iconDirectory' | 'hasIcon'> => ({
  iconDirectory,
  hasIcon: (name) => isReadableFile(join(iconDirectory, name)),
});

const isReadableFile = async (path: string): Promise<boolean> => {
  const handle = await openRegularFile(path).catch(() => undefined);
  await handle?.close();
  return handle !== undefined;
};
