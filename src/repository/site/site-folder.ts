/** Says where the files of a site come from. Contents in memory are here; who reads a disk gives a folder of it. */
import * as v from 'valibot';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { YamlReader } from '../../basics/yaml/read-yaml.ts';

/** The files of a site by their names below its folder: `site.yml`, `bundles/node.page.yml`. */
export type SiteFolder = {
  /** The names of the files of a part, such as `bundles`, in order. */
  list(part: string): Promise<readonly string[]>;
  /** Whether there is such a file, for one that a site may lack. */
  has(name: string): Promise<boolean>;
  /** Throws `ConfigurationError`. */
  readonly read: YamlReader;
  /** What messages call a file. */
  pathOf(name: string): string;
  readonly iconDirectory: string;
  /** Whether there is a picture of this name. */
  readonly hasIcon: (name: string) => Promise<boolean>;
};

/** `origin` is where the contents were made from. Messages name it. */
export const memoryFolder = (
  origin: string,
  files: ReadonlyMap<string, unknown>,
  { iconDirectory, hasIcon }: Pick<SiteFolder, 'iconDirectory' | 'hasIcon'>,
): SiteFolder => ({
  list: async (part) => [...files.keys()].filter((name) => name.startsWith(`${part}/`)).sort(),
  has: async (name) => files.has(name),
  read: async (name, schema) => {
    const result = v.safeParse(schema, files.get(name));
    if (result.success) return result.output;
    const [{ message }] = result.issues;
    throw new ConfigurationError(`${origin}: ${name}: ${v.getDotPath(result.issues[0]) ?? ''}: ${message}`);
  },
  pathOf: (name) => `${origin}: ${name}`,
  ...{ iconDirectory, hasIcon },
});
