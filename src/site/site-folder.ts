/** Says where the files of a site come from: a folder on the disk, or contents in memory. */
import { join } from 'node:path';
import * as v from 'valibot';
import { openRegularFile } from './regular-file.ts';
import { ConfigurationError } from '../basics/configuration-error.ts';
import { readYaml, yamlFiles, type YamlReader } from './read-yaml.ts';

/** The files of a site by their names below its folder: `site.yml`, `bundles/node.page.yml`. */
export type SiteFolder = {
  /** The names of the files of a part, such as `bundles`, in order. */
  list(part: string): Promise<readonly string[]>;
  /** Throws `ConfigurationError`. */
  readonly read: YamlReader;
  /** What messages call a file. */
  pathOf(name: string): string;
  readonly iconDirectory: string;
  /** Whether there is a picture of this name. */
  readonly hasIcon: (name: string) => Promise<boolean>;
};

/** `read` gets paths, and may return contents that were prepared by the build. */
export const diskFolder = (directory: string, read: YamlReader = readYaml): SiteFolder => ({
  list: async (part) =>
    (await yamlFiles(join(directory, part))).map((file) => `${part}/${file.slice(join(directory, part).length + 1)}`),
  read: (name, schema) => read(join(directory, name), schema),
  pathOf: (name) => join(directory, name),
  ...diskIcons(join(directory, 'icons')),
});

/** `origin` is where the contents were made from. Messages name it. */
export const memoryFolder = (
  origin: string,
  files: ReadonlyMap<string, unknown>,
  icons: Pick<SiteFolder, 'iconDirectory' | 'hasIcon'>,
): SiteFolder => ({
  list: async (part) => [...files.keys()].filter((name) => name.startsWith(`${part}/`)).sort(),
  read: async (name, schema) => {
    const result = v.safeParse(schema, files.get(name));
    if (result.success) return result.output;
    const [{ message }] = result.issues;
    throw new ConfigurationError(`${origin}: ${name}: ${v.getDotPath(result.issues[0]) ?? ''}: ${message}`);
  },
  pathOf: (name) => `${origin}: ${name}`,
  ...icons,
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
