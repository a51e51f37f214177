/** `atoll reload`: makes a running server read its document, overlays, handlers and site again. */
import type { Command } from 'commander';
import { flawText } from '../../basics/configuration-error.ts';
import { sendCommand, withServer, type Schemas, type ServerOptions } from './server-connection.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';

export const addReload = (program: Command, context: CommandContext): void => {
  withServer(program.command('reload'))
    .description(
      'Read document, overlays, handlers and site anew; ends with 2 and says where when something is broken.',
    )
    .action(async (server: ServerOptions) => {
      const { served, flaws, warnings } = await sendCommand<Schemas['Reload']>(server, 'POST', '/reload');
      for (const flaw of [...flaws, ...warnings]) context.warn(flawText({ ...flaw, line: flaw.line ?? undefined }));
      if (!served) context.exit(exitCodes.configuration);
    });
};
