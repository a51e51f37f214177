/** `atoll fixture expand`: writes the long form of a short fixture, a directory in the export format. */
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { loadSite } from '../site/load-site.ts';
import { siteDirectory } from '../site/packaged-sites.ts';
import { writeExport } from '../storage/export/export-writer.ts';
import { fixtureSchema, readShort } from '../worlds/read-fixture.ts';
import type { CommandContext } from './command-context.ts';
import { createProgress } from './progress.ts';

type ExpandOptions = { readonly to: string; readonly site?: string };

export const addFixture = (program: Command, context: CommandContext): void => {
  program
    .command('fixture')
    .description('Work with fixtures, which new repositories are filled with.')
    .command('expand <file>')
    .description('Check a short fixture, and write the records that it stands for as a directory.')
    .requiredOption('--to <dir>', 'a new directory, or one that was exported to before')
    .option('--site <name|dir>', 'the site: starter-site, or a directory (default: the built-in site)')
    .action((file: string, options: ExpandOptions) => expand(file, options, context));
};

const expand = async (file: string, options: ExpandOptions, context: CommandContext): Promise<void> => {
  const site = await loadSite(siteDirectory(context.root, options.site));
  const { entities, counters, blobs } = await readShort(file, site, join(context.root, fixtureSchema));
  const source = { entities: [...entities], counters, blobsOf: () => blobs };
  const { records } = await writeExport(resolve(options.to), source, createProgress(context, 'records'));
  context.print(`Wrote ${records} records to ${options.to}.`);
};
