/** `atoll demo`: writes a folder for any static host, with which the repository works in each visitor's browser. */
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { counted } from '../../basics/counted.ts';
import type { CommandContext } from '../command-context.ts';
import { parserOf } from '../options/option-parsers.ts';
import { addDrupalOptions, importLine, importSourceOf, type DrupalOptions } from '../options/drupal-options.ts';
import { refuseContradictions } from '../options/start-options.ts';
import { repeated } from '../../basics/options/option-kinds.ts';

type DemoOptions = DrupalOptions & {
  readonly out: string;
  readonly site?: string;
  readonly fixture?: string;
  readonly seed?: string;
  readonly overlay?: readonly string[];
};

/** Loaded here, because no other command prepares a site. */
const loadParts = () =>
  Promise.all([import('../../browser/browser.ts'), import('./demo-files.ts'), import('./demo-folder.ts')]);

export const addDemo = (program: Command, context: CommandContext): void => {
  const command = program
    .command('demo')
    .description('Write a folder for any static host: the repository then works in the browser of each visitor.')
    .requiredOption('--out <dir>', 'the folder: a new or empty one, or one of an earlier demo')
    .option('--site <name|dir>', 'the site: starter-site, or a directory (default: the built-in site)')
    .option(
      '--fixture <name|path>',
      'what the repository begins with, as for serve (default: starter, or sample where that does not fit the site)',
    )
    .option('--seed <text>', 'the seed of a sample')
    .option('--overlay <file>', 'an OpenAPI Overlay over the document; may be repeated', parserOf(repeated('<file>')));
  addDrupalOptions(command).action((options: DemoOptions) => {
    refuseContradictions(command);
    return writeDemo(options, context);
  });
};

const writeDemo = async (options: DemoOptions, context: CommandContext): Promise<void> => {
  const [{ prepareSite }, { demoFiles }, folder] = await loadParts();
  const { root } = context;
  const out = resolve(options.out);
  const earlier = await folder.readEarlierDemo(out);
  const parts = await prepareSite({
    ...{ root, prepared: context.prepared, site: options.site, drupalConfig: importSourceOf(options, context.rim) },
    ...{ fixtures: options.fixture === undefined ? undefined : [options.fixture], seed: options.seed },
    ...{ overlays: options.overlay, warn: context.warn },
  });
  if (parts.imported !== undefined) context.warn(importLine(parts.imported));
  const files = await demoFiles(parts, {
    browser: join(root, 'dist/browser'),
    console: join(root, 'dist/console'),
    apiPage: join(root, 'dist/api-page'),
  });
  await folder.writeDemoFolder(out, files, earlier);
  const bytes = files.reduce((sum, { content }) => sum + content.byteLength, 0);
  context.print(
    `Wrote ${counted(files.length, 'file')} (${(bytes / 1e6).toFixed(1)} MB) to ${options.out}. ` +
      'Put the folder on any static host with HTTPS; nothing has to run there.',
  );
};
