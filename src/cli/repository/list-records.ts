/** `atoll ls`: lists what a running server holds: entities of the repository, collections, or the records of one. By hand, for it chooses among three operations. */
import { Argument } from 'commander';
import { entityTypes, type RepositoryType } from '../../repository/repository.ts';
import type { AddCommand } from '../command-context.ts';
import { sendCommand, withServer } from '../remote/server-connection.ts';
import { showAnswer, type ShowOptions } from '../remote/show-answer.ts';

type Listed = RepositoryType | 'collections';
type ListOptions = ShowOptions & { readonly bundle?: string; readonly collection?: string; readonly unfit?: boolean };

export const addLs: AddCommand = (program, context) => {
  const command = withServer(program.command('ls'))
    .description(
      'List what a running server holds: ids, titles and models of entities, its collections, or the records of one.',
    )
    .addArgument(
      new Argument('[type]', 'what to list (default: node; collections where documents are served alone)').choices([
        ...entityTypes,
        'collections',
      ]),
    )
    .option('--bundle <name>', 'only this bundle')
    .option('--collection <name>', 'the records of this collection')
    .option('--unfit', 'with --collection: only records that do not fit the document as it is now')
    .option('--json', 'print JSON lines');
  command.action(async (type: Listed | undefined, options: ListOptions) => {
    const { collection, bundle, unfit } = options;
    if (collection !== undefined) {
      const query = { limit: '200', fits: unfit === true ? ('false' as const) : undefined };
      const input = { path: { collection_name: collection }, query };
      return showAnswer('listCollectionRecords', input, options, context);
    }
    const listed = type ?? ((await sendCommand(options, 'getRepository')).hasRepository ? 'node' : 'collections');
    if (listed === 'collections') return showAnswer('listCollections', {}, options, context);
    return showAnswer('listEntities', { query: { type: listed, bundle } }, options, context);
  });
};
