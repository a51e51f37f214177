/** `atoll ls [type]`: lists what a running server holds. */
import { Argument, type Command } from 'commander';
import { entityTypes, type EntityType } from '../../model/entity.ts';
import type { EntityPage } from '../../control/entity-handlers.ts';
import { askControl, withServer, type ServerOptions } from './ask-control.ts';
import type { CommandContext } from '../serve.ts';

type ListOptions = ServerOptions & { readonly bundle?: string; readonly json?: boolean };

/** Adds the command to the program. */
export const addLs = (program: Command, context: CommandContext): void => {
  withServer(program.command('ls'), context)
    .description('List ids, titles and models of what a running server holds.')
    .addArgument(new Argument('[type]', 'what to list').choices(entityTypes).default('node'))
    .option('--bundle <name>', 'only this bundle')
    .option('--json', 'print JSON lines')
    .action(async (type: EntityType, options: ListOptions) => {
      for (let page = 0; ; page += 1) {
        const query = new URLSearchParams({
          type,
          page: String(page),
          ...(options.bundle === undefined ? {} : { bundle: options.bundle }),
        });
        const found = await askControl<EntityPage>(options, 'GET', `/entities?${query.toString()}`);
        for (const entity of found.entities) {
          context.print(options.json === true ? JSON.stringify(entity) : line(entity));
        }
        if (page + 1 >= found.pages) return;
      }
    });
};

const line = ({ id, bundle, model, published, title }: EntityPage['entities'][number]): string =>
  [String(id).padStart(6), bundle, model ?? '', published ? '' : '(unpublished)', title]
    .filter((part) => part !== '')
    .join('  ');
