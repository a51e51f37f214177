/** `atoll reset`: puts a world of a running server back. */
import type { Command } from 'commander';
import type { components } from '../../generated/control.ts';
import { ConfigurationError } from '../../site/read-yaml.ts';
import { askControl, withServer, type ServerOptions } from './ask-control.ts';
import type { CommandContext } from '../serve.ts';

type ResetOptions = ServerOptions & { readonly to?: string; readonly yes?: boolean };

/** Adds the command to the program. */
export const addReset = (program: Command, context: CommandContext): void => {
  withServer(program.command('reset'), context)
    .description('Put a world back to what it was made from, or to a snapshot.')
    .option('--to <snapshot>', 'a snapshot of the world, or of the main world')
    .option('--yes', 'also where the repository is on disk: what it holds is gone then')
    .action(async ({ to, yes, ...server }: ResetOptions) => {
      if (yes !== true) await refuseOnDisk(server);
      await askControl(server, 'POST', '/reset', to === undefined ? {} : { to });
    });
};

/** Somebody may have years of work in it. */
const refuseOnDisk = async (server: ServerOptions): Promise<void> => {
  const { durability } = await askControl<components['schemas']['Health']>(server, 'GET', '/health');
  if (durability === 'memory') return;
  throw new ConfigurationError(`The repository at ${server.url} is kept on disk. Add --yes if all it holds may go.`);
};
