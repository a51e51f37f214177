/** Plans the import of a configuration into a folder: reads it, shows the site as it will be, and then writes it. */
import { join } from 'node:path';
import { diskFolder, loadNamedSite } from '../../../application/application-disk.ts';
import type { ImportReport, ImportSource } from '../../../openapi/openapi-host.ts';
import { loadSiteFolder } from '../../../repository/repository-sites.ts';
import type { Site } from '../../../repository/repository.ts';
import { losesSomething, reportText } from '../report.ts';
import { plannedSite } from './planned-site.ts';
import { importSource } from './read-folders.ts';
import { readEarlierImport, writeSite } from './write-site.ts';

type ImportPlan = {
  /** What the import takes and does not take. */
  readonly report: ImportReport;
  /** Whether anything of the real site is missing or not judged. */
  readonly losesSomething: boolean;
  /** The report in Markdown. */
  toText(): string;
  /**
   * Loads the site as the folder will have it, with what people have added there. Rejects with `ConfigurationError` where it could not be
   * served.
   */
  plannedSite(): Promise<Site>;
  /** The site that an earlier import has left in the folder. Undefined without one, and where people have made it unreadable. */
  earlierSite(): Promise<Site | undefined>;
  /** Writes the files of the site, and removes those of an earlier import. */
  write(): Promise<void>;
};

type ImportPlaces = {
  /** The folder of the package. */
  readonly root: string;
  /** The folder of the site: a new one, or one of an earlier import. */
  readonly out: string;
};

/** Reads a configuration and what the folder has. Writes nothing yet. Throws `ConfigurationError`, also for a folder with other files. */
export const planImport = async (source: ImportSource, { root, out }: ImportPlaces): Promise<ImportPlan> => {
  const earlier = await readEarlierImport(out);
  const imported = await importSource(source, earlier.terms);
  const { report } = imported;
  const packaged = diskFolder(join(root, 'data/site'));
  const origin = source.folders.join(' + ');
  return {
    ...{ report, losesSomething: losesSomething(report), toText: () => reportText(report) },
    plannedSite: () =>
      loadSiteFolder(plannedSite({ disk: diskFolder(out), origin, imported, earlier, icons: packaged })),
    earlierSite: async () => (earlier.files.length === 0 ? undefined : loadNamedSite(root, out).catch(() => undefined)),
    write: () => writeSite(out, imported, earlier, packaged.iconDirectory),
  };
};
