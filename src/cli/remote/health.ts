/** `atoll health`: prints whether a server answers, its durability and its version. */
import type { Command } from 'commander';
import { sendCommand, withServer, type Schemas, type ServerOptions } from './server-connection.ts';
import type { CommandContext } from '../command-context.ts';

export const addHealth = (program: Command, context: CommandContext): void => {
  withServer(program.command('health'))
    .description('Say whether a server answers, how safely it stores, and its version; ends with 2 when it does not.')
    .action(async (server: ServerOptions) => {
      const health = await sendCommand<Schemas['Health']>(server, 'GET', '/health');
      for (const { message } of health.reasons) context.warn(message);
      context.print(`${health.status}  durability ${health.durability}  version ${health.version}`);
    });
};
