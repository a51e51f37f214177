/** `atoll reload`: a running server reads its document, overlays, handlers and site anew. */
import type { Command } from 'commander';
import type { components } from '../../generated/control.ts';
import { flawText } from '../../site/read-yaml.ts';
import { askControl, withServer, type ServerOptions } from './ask-control.ts';
import type { CommandContext } from '../serve.ts';

type Schemas = components['schemas'];

/** Adds the command to the program. */
export const addReload = (program: Command, context: CommandContext): void => {
  withServer(program.command('reload'), context)
    .description(
      'Read document, overlays, handlers and site anew; ends with 2 and says where when something is broken.',
    )
    .action(async (server: ServerOptions) => {
      const { served, flaws, warnings } = await askControl<Schemas['Reload']>(server, 'POST', '/reload');
      for (const flaw of [...flaws, ...warnings]) context.warn(textOf(flaw));
      if (!served) context.exit(2);
    });
};

const textOf = ({ line, ...flaw }: Schemas['Flaw']): string => flawText({ ...flaw, line: line ?? undefined });
