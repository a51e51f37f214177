/** Notes what a site is loaded from. */
import type { SiteFolder } from '../../core/site/site-folder.ts';

type RecordedFolder = {
  /** The folder itself, for one loading. */
  readonly folder: SiteFolder;
  /** The contents that were read, as their schemas returned them, by their names in the order of the alphabet. */
  readonly files: () => Readonly<Record<string, unknown>>;
  /** The names of the pictures that were found, in the order of the alphabet. */
  readonly icons: () => readonly string[];
};

export const recordFolder = (folder: SiteFolder): RecordedFolder => {
  const files = new Map<string, unknown>();
  const icons = new Set<string>();
  return {
    folder: {
      ...folder,
      read: async (name, schema) => {
        const content = await folder.read(name, schema);
        files.set(name, content);
        return content;
      },
      hasIcon: async (name) => {
        const isThere = await folder.hasIcon(name);
        if (isThere) icons.add(name);
        return isThere;
      },
    },
    files: () => Object.fromEntries([...files.keys()].sort().map((name) => [name, files.get(name)])),
    icons: () => [...icons].sort(),
  };
};
