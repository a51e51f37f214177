/** `atoll ls [type]`: lists the entities of a running server. */
import { Argument, type Command } from 'commander';
import { entityTypes, type EntityType } from '../../model/entity.ts';
import { sendCommand, withServer, type Schemas, type ServerOptions } from './server-connection.ts';
import type { CommandContext } from '../command-context.ts';

type EntityPage = Schemas['EntityPage'];
type ListOptions = ServerOptions & { readonly bundle?: string; readonly json?: boolean };

export const addLs = (program: Command, context: CommandContext): void => {
  withServer(program.command('ls'))
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
        const { entities, pages } = await sendCommand<EntityPage>(options, 'GET', `/entities?${query.toString()}`);
        for (const entity of entities) context.print(options.json === true ? JSON.stringify(entity) : line(entity));
        if (page + 1 >= pages) return;
      }
    });
};

const line = ({ id, bundle, model, published, title }: EntityPage['entities'][number]): string =>
  [String(id).padStart(6), bundle, model ?? '', published ? '' : '(unpublished)', title]
    .filter((part) => part !== '')
    .join('  ');
