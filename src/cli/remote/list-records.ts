/** `atoll ls`: lists what a running server holds: entities of the repository, collections, and the records of one. */
import { Argument } from 'commander';
import type { ControlSchemas as Schemas } from '../../client/control/control-types.ts';
import { counted } from '../../basics/counted.ts';
import { withoutUnseenCharacters } from '../../basics/unseen-characters.ts';
import { entityTypes, type RepositoryType } from '../../core/model/entity.ts';
import type { AddCommand, CommandContext } from '../command-context.ts';
import { type Run, runner } from './remote-command.ts';
import { sendCommand, withServer } from './server-connection.ts';

type Listed = RepositoryType | 'collections';
type ListOptions = { readonly bundle?: string; readonly collection?: string; readonly unfit?: boolean };
type RunList<Values extends readonly unknown[] = []> = Run<ListOptions, Values>;

export const addLs: AddCommand = (program, context) => {
  const [entities, collections, records] = [listEntities(context), listCollections(context), listRecords(context)];
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
  command.action(async (type: Listed | undefined, options: Parameters<RunList>[0]) => {
    if (options.collection !== undefined) return records(options, []);
    const listed = type ?? ((await sendCommand(options, 'getRepository')).hasRepository ? 'node' : 'collections');
    return listed === 'collections' ? collections(options, []) : entities(options, [listed]);
  });
};

const listEntities = (context: CommandContext): RunList<[type: RepositoryType]> =>
  runner(
    'listEntities',
    {
      input: ({ bundle }: ListOptions, type: RepositoryType) => ({ query: { type, page: '0', bundle } }),
      next: ({ page, pages }, { query }) =>
        page + 1 >= pages ? undefined : { query: { ...query, page: String(page + 1) } },
      items: ({ entities }) => entities,
      line: ({ id, bundle, model, published, title }) =>
        [String(id).padStart(6), bundle, model ?? '', published ? '' : '(unpublished)', title]
          .filter((part) => part !== '')
          .join('  '),
    },
    context,
  );

const listCollections = (context: CommandContext): RunList =>
  runner(
    'listCollections',
    {
      items: ({ collections }) => collections,
      line: collectionLine,
      check: ({ others }, { warn }) =>
        others.forEach(({ path, reason }) => warn(`${path} is not a collection: ${reason}`)),
    },
    context,
  );

const collectionLine = ({ name, path, records, unfit }: Schemas['CollectionSummary']): string =>
  [
    name.padEnd(16),
    counted(records, 'record').padStart(14),
    path ?? '(handlers)',
    ...(unfit === 0 ? [] : [`(${unfit} not fitting the document)`]),
  ].join('  ');

/** As many characters of a value are printed, without `--json`. */
const shownCharacters = 120;

const listRecords = (context: CommandContext): RunList =>
  runner(
    'listCollectionRecords',
    {
      input: ({ collection = '', unfit }: ListOptions) => ({
        path: { collection_name: collection },
        query: { offset: '0', limit: '200', fits: unfit === true ? ('false' as const) : undefined },
      }),
      next: ({ next }, { path, query }) =>
        next === undefined ? undefined : { path, query: { ...query, offset: String(next) } },
      items: ({ records }) => records,
      line: ({ id, value, fits }) => {
        const text = JSON.stringify(value);
        const shown = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
        return withoutUnseenCharacters([id.padEnd(8), ...(fits ? [] : ['(does not fit)']), shown].join('  '));
      },
    },
    context,
  );
