/** Lists the commands of the program. */
import { addCheck } from './check.ts';
import { addEnv } from './remote/env.ts';
import { addExec } from './exec.ts';
import { addExport } from './export.ts';
import { addFaultCatalogue } from './remote/faults.ts';
import { addFixture } from './fixture.ts';
import { addHashPassword } from './hash-password.ts';
import { addImport } from './import.ts';
import { addLs } from './remote/list-records.ts';
import { addControlCommands } from './remote/control-commands.ts';
import { addCoverage } from './remote/coverage.ts';
import { addRecording } from './recording/recording.ts';
import { addServe } from './serve.ts';
import { addToken } from './remote/token.ts';
import { addTraffic } from './remote/traffic.ts';
import type { AddCommand, CommandPart, CommandsByName, Rim } from './command-context.ts';

/** In the order of `atoll --help`. A text is the name of a command that a part of the rim brings. */
const order: readonly (AddCommand | string)[] = [
  addServe,
  addExec,
  addEnv,
  addToken,
  'links',
  addLs,
  addExport,
  addImport,
  addFixture,
  addRecording,
  addCheck,
  addHashPassword,
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
export const loadCommands = async ({ sites, checks, browser, mcp }: Rim): Promise<readonly AddCommand[]> => {
  const loaded = await Promise.all([sites, checks, browser, mcp].map(commandsOf));
  const ofRim = new Map(loaded.flatMap(Object.entries<AddCommand>));
  return order.flatMap((each) => (typeof each === 'string' ? (ofRim.get(each) ?? []) : each));
};

const commandsOf = async (load: (() => Promise<CommandPart>) | undefined): Promise<CommandsByName> =>
  load === undefined ? {} : (await load()).loadCommands();
