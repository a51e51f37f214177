/** The part `sites` as the command line has it: its commands, and what imports a configuration for others. */
import type { CommandsByName, SitesPart } from '../command-context.ts';

export const importSource: SitesPart['importSource'] = async (source) =>
  (await import('../../sites/sites.ts')).importSource(source);

export const loadCommands = async (): Promise<CommandsByName> => {
  const [{ addSite }, { addCollection }, { addDiff }] = await Promise.all([
    import('./site.ts'),
    import('./collection.ts'),
    import('./diff.ts'),
  ]);
  return { site: addSite, collection: addCollection, diff: addDiff };
};
