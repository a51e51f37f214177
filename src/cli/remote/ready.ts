/** `atoll ready`: says whether a server may get requests, for a health check without another program. */
import type { Command } from 'commander';
import { sendCommand, withServer, type Schemas, type ServerOptions } from './server-connection.ts';
import type { CommandContext } from '../command-context.ts';

export const addReady = (program: Command, context: CommandContext): void => {
  withServer(program.command('ready'))
    .description('Say whether a server may get requests; ends with 2 and the reason when it may not.')
    .action(async (server: ServerOptions) => {
      const { status, checks } = await sendCommand<Schemas['Ready']>(server, 'GET', '/ready');
      context.print([status, ...checks.map(({ name, message }) => `${name}: ${message}`)].join('  '));
    });
};
