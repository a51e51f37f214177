/** Puts the table of start options together. */
import type { OptionRow, OptionRows } from '../../basics/options/option-rows.ts';
import { startOptions, importOptions, storeOptions } from '../../server/server.ts';
import { processOptions } from './process-options.ts';

/** The rows of both commands and of the library, in the order of the help and of docs/use/commands.md. */
export const commandOptions = { ...startOptions, ...importOptions, ...storeOptions, ...processOptions };

export const rowOf = (name: string): OptionRow | undefined => (commandOptions as OptionRows)[name];

/** As it is written on a command line: `--drupal-config`. */
export const writtenFlag = (name: string): string =>
  `--${rowOf(name)?.flag ?? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
