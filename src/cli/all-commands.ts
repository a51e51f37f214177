/** Lists the commands of the program. */
import { addExec } from './exec.ts';
import { addFaultCatalogue } from './remote/faults.ts';
import { addControlCommands } from './remote/control-commands.ts';
import { addCoverage } from './remote/coverage.ts';
import { addRecording } from './recording/recording.ts';
import { addServe } from './serve.ts';
import { addTraffic } from './remote/traffic.ts';
import type { AddCommand, CommandPart, CommandsByName, Rim } from './command-context.ts';

/** In the order of `atoll --help`. A text is the name of a command that a part of the rim brings. */
const order: readonly (AddCommand | string)[] = [
  addServe,
  addExec,
  'env',
  'token',
  'links',
  'ls',
  'export',
  'import',
  'fixture',
  addRecording,
  'check',
  'hash-password',
  'site',
  'demo',
  'prepare',
  'collection',
  'diff',
  'proxy',
  'twin',
  'mcp',
  addTraffic,
  addCoverage,
  addControlCommands,
  addFaultCatalogue,
  'verify',
];

/** The commands of the program with these parts. */
export const loadCommands = async ({
  repository,
  sites,
  checks,
  browser,
  mcp,
}: Rim): Promise<readonly AddCommand[]> => {
  const loaded = await Promise.all([repository, sites, checks, browser, mcp].map(commandsOf));
  const ofRim = new Map(loaded.flatMap(Object.entries<AddCommand>));
  return order.flatMap((each) => (typeof each === 'string' ? (ofRim.get(each) ?? []) : each));
};

const commandsOf = async (load: (() => Promise<CommandPart>) | undefined): Promise<CommandsByName> =>
  load === undefined ? {} : (await load()).loadCommands();
