/** `atoll health`: whether a server answers, how safely it stores, and which version it is. */
import type { Command } from 'commander';
import type { components } from '../../generated/control.ts';
import { askControl, withServer, type ServerOptions } from './ask-control.ts';
import type { CommandContext } from '../serve.ts';

/** Adds the command to the program. */
export const addHealth = (program: Command, context: CommandContext): void => {
  withServer(program.command('health'), context)
    .description('Say whether a server answers, how safely it stores, and its version; ends with 2 when it does not.')
    .action(async (server: ServerOptions) => {
      const health = await askControl<components['schemas']['Health']>(server, 'GET', '/health');
      context.print(`${health.status}  durability ${health.durability}  version ${health.version}`);
    });
};
