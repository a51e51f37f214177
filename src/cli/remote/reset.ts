/** `atoll reset`: resets a world of a running server. */
import type { Command } from 'commander';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { sendCommand, withServer, type Schemas, type ServerOptions } from './server-connection.ts';

type ResetOptions = ServerOptions & { readonly to?: string; readonly yes?: boolean };

export const addReset = (program: Command): void => {
  withServer(program.command('reset'))
    .description('Put a world back to what it was made from, or to a snapshot.')
    .option('--to <snapshot>', 'a snapshot of the world, or of the main world')
    .option('--yes', 'also where the repository is on disk: what it holds is gone then')
    .action(async ({ to, yes, ...server }: ResetOptions) => {
      if (yes !== true) await refuseOnDisk(server);
      await sendCommand(server, 'POST', '/reset', { to });
    });
};

/** A repository on disk may hold years of work. */
export const refuseOnDisk = async (server: ServerOptions): Promise<void> => {
  const { durability } = await sendCommand<Schemas['Health']>(server, 'GET', '/health');
  if (durability === 'memory') return;
  throw new ConfigurationError(`The repository at ${server.url} is kept on disk. Add --yes if all it holds may go.`);
};
