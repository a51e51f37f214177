/** `atoll reload`: a running server reads its document, overlays, handlers and site anew. */
import type { Command } from 'commander';
import type { components } from '../control/generated.ts';
import { flawText } from '../control/reloads.ts';
import { askControl, withServer, type ServerOptions } from './ask-control.ts';
import type { Surroundings } from './serve.ts';

type Schemas = components['schemas'];

/** Adds the command to the program. */
export const addReload = (program: Command, around: Surroundings): void => {
  withServer(program.command('reload'), around)
    .description(
      'Read document, overlays, handlers and site anew; ends with 2 and says where when something is broken.',
    )
    .action(async (server: ServerOptions) => {
      const { served, flaws, warnings } = await askControl<Schemas['Reload']>(server, 'POST', '/reload');
      for (const flaw of [...flaws, ...warnings]) around.warn(textOf(flaw));
      if (!served) around.exit(2);
    });
};

const textOf = ({ line, ...flaw }: Schemas['Flaw']): string => flawText({ ...flaw, line: line ?? undefined });
