/** Shows a folder as an import will leave it, so that the site can be checked before anything is written. */
import { memoryFolder, type SiteFolder } from '../../../repository/repository.ts';
import type { Imported } from '../import-configuration.ts';
import { staysAsItIs, type EarlierImport } from './write-site.ts';

type PlannedSite = {
  /** The folder that is written, as it is now. */
  readonly disk: SiteFolder;
  /** What messages call the contents that are not written yet. */
  readonly origin: string;
  readonly imported: Imported;
  readonly earlier: EarlierImport;
  /** The icons of the package. */
  readonly icons: Pick<SiteFolder, 'iconDirectory' | 'hasIcon'>;
};

export const plannedSite = ({ disk, origin, imported, earlier, icons }: PlannedSite): SiteFolder => {
  const own = memoryFolder(origin, imported.siteFiles, icons);
  const isOwn = (name: string): boolean => imported.siteFiles.has(name) && !staysAsItIs(name, earlier);
  return {
    // Files that people have added stay. Those of the earlier import go.
    list: async (part) => {
      const added = (await disk.list(part)).filter((name) => !earlier.files.includes(name));
      return [...new Set([...(await own.list(part)), ...added])].sort();
    },
    has: async (name) => isOwn(name) || (!earlier.files.includes(name) && (await disk.has(name))),
    read: (name, schema) => (isOwn(name) ? own : disk).read(name, schema),
    pathOf: (name) => (isOwn(name) ? own : disk).pathOf(name),
    ...(({ iconDirectory, hasIcon }) => ({ iconDirectory, hasIcon }))(earlier.files.length === 0 ? icons : disk),
  };
};
