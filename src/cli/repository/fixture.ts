/** `atoll fixture`: writes fixtures in the export format, from a short fixture or from a recording. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { loadNamedSite, repositoryOnDisk } from '../../application/application-disk.ts';
import { writeExport } from '../../storage/storage-export.ts';
import { counted } from '../../basics/counted.ts';
import { loadChecks } from '../recording/load-checks.ts';
import { readShort, shortFixtureAt } from '../../server/server-application.ts';
import type { CommandContext } from '../command-context.ts';
import { createProgress } from '../progress.ts';

type TargetOptions = { readonly to: string; readonly site?: string };

export const addFixture = (program: Command, context: CommandContext): void => {
  const fixture = program.command('fixture').description('Work with fixtures, which new repositories are filled with.');
  withTarget(fixture.command('expand <file>'))
    .description('Check a short fixture, and write its records as a directory.')
    .action((file: string, options: TargetOptions) => expand(file, options, context));
  withTarget(fixture.command('from-recording <dir>'))
    .description('Write the records that a recording has seen as a directory.')
    .action((directory: string, options: TargetOptions) => fromRecording(directory, options, context));
};

const withTarget = (command: Command): Command =>
  command
    .requiredOption('--to <dir>', 'a new directory, or one that was exported to before')
    .option('--site <name|dir>', 'the site: starter-site, or a directory (default: the built-in site)');

const expand = async (file: string, options: TargetOptions, context: CommandContext): Promise<void> => {
  const site = await loadNamedSite(context.root, options.site);
  const { entities, counters, blobs } = await readShort(
    (await shortFixtureAt(file)) ?? file,
    { rules: repositoryOnDisk.content, site },
    context.root,
  );
  const source = { entities: [...entities], counters, blobsOf: () => blobs };
  const { records } = await writeExport(resolve(options.to), source, createProgress(context, 'records'));
  context.print(`Wrote ${records} records to ${options.to}.`);
};

const fromRecording = async (directory: string, options: TargetOptions, context: CommandContext): Promise<void> => {
  const site = await loadNamedSite(context.root, options.site);
  const { readRecorded } = await loadChecks(context.rim, 'fixture from-recording');
  const recorded = await readRecorded(directory, site, context);
  const source = { entities: recorded.entities, counters: recorded.counters, blobsOf: () => recorded.blobs };
  const { records, blobs } = await writeExport(resolve(options.to), source, createProgress(context, 'records'));
  context.print(
    `Wrote ${counted(records, 'record')} and ${counted(blobs, 'blob')} to ${options.to}: ${recorded.summary}.`,
  );
};
