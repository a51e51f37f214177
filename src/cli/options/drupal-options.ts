/** The options of several commands that make a site from an exported configuration. */
import type { Command } from 'commander';
import type { ExportedConfiguration, ImportReport } from '../../openapi/openapi-host.ts';
import { counted } from '../../basics/counted.ts';
import type { Rim } from '../command-context.ts';
import { exportedConfiguration } from './exported-configuration.ts';
import { addOptions } from './start-options.ts';

export type DrupalOptions = {
  readonly drupalConfig?: string | undefined;
  readonly also?: readonly string[] | undefined;
  readonly terms?: readonly string[] | undefined;
  readonly enable?: readonly string[] | undefined;
};

/** Adds the options that make a site from an exported configuration. */
export const addDrupalOptions = (command: Command): Command =>
  addOptions(command, ['drupalConfig', 'also', 'terms', 'enable']);

/** The folders and tables of these options. Undefined when they name none. */
export const importSourceOf = (
  { drupalConfig, also = [], terms = [], enable }: DrupalOptions,
  rim: Rim,
): ExportedConfiguration | undefined =>
  drupalConfig === undefined
    ? undefined
    : exportedConfiguration({ folders: [drupalConfig, ...also], terms, enable }, rim);

/** One line for the log of a server that has imported its site. */
export const importLine = ({ taken, partly, notJudged }: ImportReport): string => {
  const places = (notes: ImportReport['partly']): number => notes.reduce((sum, { where }) => sum + where.length, 0);
  const lost = places(partly.filter((note) => note.lost));
  return (
    `imported ${counted(taken['fields'] ?? 0, 'field')} and ${counted(taken['terms'] ?? 0, 'term')}; ` +
    `taken in part: ${lost}, not judged: ${places(notJudged)} (atoll site import lists them)`
  );
};
