/** Reads the files of a site from a folder on the disk. */
import { lstat, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { ifThere } from '../../basics/error-code.ts';
import { loadSiteFolder } from '../../repository/repository-sites.ts';
import { loadLiving } from '../../repository/repository-content.ts';
import { readYaml, yamlFiles, type YamlReader } from '../../basics/yaml/read-yaml.ts';
import { openRegularFile } from '../../basics/disk/regular-file.ts';
import type { Site, SiteFolder } from '../../repository/repository.ts';
import { siteDirectory } from './packaged-sites.ts';

/**
 * Loads a site from its folder on the disk. `read` may return contents that were prepared by the build. Throws `ConfigurationError` with file, key and remedy.
 */
export const loadSite = async (directory: string, read?: YamlReader): Promise<Site> =>
  loadLiving(await loadSiteFolder(diskFolder(directory, read)));

/** Loads the site that `--site` names: one of the package, a folder, or without a name the default one. `root` is the folder of the package. */
export const loadNamedSite = (root: string, name: string | undefined): Promise<Site> =>
  loadSite(siteDirectory(root, name));

/** `read` gets paths, and may return contents that were prepared by the build. */
export const diskFolder = (directory: string, read: YamlReader = readYaml): SiteFolder => ({
  list: async (part) =>
    (await yamlFiles(join(directory, part))).map((file) => `${part}/${file.slice(join(directory, part).length + 1)}`),
  has: async (name) => (await ifThere(lstat(join(directory, name)), ['ENOENT', 'ENOTDIR'])) !== undefined,
  read: async (name, schema) => {
    await refuseForeignLink(directory, name);
    return read(join(directory, name), schema);
  },
  pathOf: (name) => join(directory, name),
  ...diskIcons(join(directory, 'icons')),
});

/**
 * Throws `ConfigurationError` for a link that leads out of its folder: a message would show lines of a file that nobody meant. A
 * link inside the folder is fine; Kubernetes mounts configuration so.
 */
const refuseForeignLink = async (directory: string, name: string): Promise<void> => {
  const path = join(directory, name);
  const found = await ifThere(lstat(path), ['ENOENT', 'ENOTDIR']);
  if (found?.isSymbolicLink() !== true) return;
  const [own, target] = await Promise.all([realpath(directory), ifThere(realpath(path))]);
  if (target === undefined || target.startsWith(own + sep)) return;
  throw new ConfigurationError(`${path}: is a link that leads out of its folder. Put the file itself here.`);
};

/** The pictures of a folder on the disk. */
export const diskIcons = (iconDirectory: string): Pick<SiteFolder, 'iconDirectory' | 'hasIcon'> => ({
  iconDirectory,
  hasIcon: async (name) => {
    await refuseForeignLink(iconDirectory, name);
    return isReadableFile(join(iconDirectory, name));
  },
});

const isReadableFile = async (path: string): Promise<boolean> => {
  const handle = await openRegularFile(path).catch(() => undefined);
  await handle?.close();
  return handle !== undefined;
};
