/** `atoll site`: the commands about descriptions of sites. */
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { addSiteDiff } from './site-diff.ts';
import { addSiteImport } from './site-import.ts';

export const addSite = (program: Command, context: CommandContext): void => {
  const site = program.command('site').description('Work with descriptions of sites.');
  addSiteImport(site, context);
  addSiteDiff(site, context);
};
