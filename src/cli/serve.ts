/** `atoll serve`: starts the server, prints its addresses, and stops it in order. */
import type { Command } from 'commander';
import { recordTypes } from '../storage/storage-export.ts';
import { isPackagedSite, systemClock, systemIds, startSettings } from '../server/server.ts';
import { databaseOpener } from './serving/open-databases.ts';
import { loadChecks } from './recording/load-checks.ts';
import { readBytesAddress } from '../storage/storage.ts';
import type { Started } from '../server/server-start.ts';
import type { CommandContext } from './command-context.ts';
import { hostedApplication } from './options/hosted-application.ts';
import { importSourceOf } from './options/drupal-options.ts';
import { readControlToken, readSigningKey } from './options/secret-files.ts';
import { addStartOptions, readOptions, type ReadOptions, refuseContradictions } from './options/start-options.ts';
import { contentLines } from './serving/content-lines.ts';
import { createLog, logEvent, logReload } from './serving/server-log.ts';
import { startTable } from './serving/start-table.ts';
import { stopInOrder } from './serving/stop-in-order.ts';
import { directoryOf, readStore, repositoryPlace, type RepositoryPlace } from './serving/store-options.ts';
import { surviveHandlers } from './stray-errors.ts';

type ServeValues = ReadOptions<'serve'>['values'];

export const addServe = (program: Command, context: CommandContext): void => {
  const added = addStartOptions(program.command('serve').description('Serve a repository.'), 'serve');
  added.action(async (_: object, command: Command) => {
    const read = readOptions(command, 'serve', context.environment);
    const { replay } = read.values;
    if (replay === undefined) return serve(read, command, context);
    return (await loadChecks(context.rim, '--replay')).serveRecording(replay, read.values, command, context);
  });
};

/** Loads what only a server needs. Without it every other command starts in half the time. */
export const loadServer = () => Promise.all([import('pino'), import('../server/server-start.ts')]);

const serve = async (read: ReadOptions<'serve'>, command: Command, context: CommandContext): Promise<void> => {
  const [{ pino }, { start }] = await loadServer();
  const { values } = read;
  const store = await readStore(read, context.environment);
  refuseContradictions(command, values);
  const drupalConfig = importSourceOf(values, context.rim);
  const directory = directoryOf(read, store);
  const log = createLog(pino, values, context);
  surviveHandlers(values.handlers, context, {
    error: (line) => log.error(line),
    fatal: (error) => log.fatal({ err: error }, 'an unexpected error ended the server'),
  });
  const started = await start({
    ...startSettings({ ...values, drupalConfig, jwtKey: await readSigningKey(values.jwtKey) }),
    loadApplication: hostedApplication(context.rim),
    root: context.root,
    // `npm start` runs this command, and says so as long as it does.
    isConsoleBeingBuilt: () => context.environment['ATOLL_BUILDS_CONSOLE'] === 'true',
    prepared: context.prepared,
    data: directory,
    openDatabase: databaseOpener(store, context.rim),
    bucket: values.bytes === undefined ? undefined : readBytesAddress(values.bytes, read.sourceOf('bytes')),
    watch: values.watch ?? hasWatchedFiles(values),
    demoAccounts: values.demoAccounts === true,
    controlToken: await readControlToken(read),
    clock: systemClock,
    ids: systemIds,
    warn: (message) => log.warn(message),
    onReload: (reload) => logReload(log, reload),
    onEvent: (event) => logEvent(log, event),
    areAnswersHeard: log.isLevelEnabled('debug'),
    onError: (error) => log.error({ err: error }, 'an answer could not be written'),
  });
  for (const line of contentLines(started, values)) log.info(line);
  if (store === undefined && (await countRecords(started)) > manyRecords) context.limitHeapGrowth();
  // Before the ready line: a script that reads it may stop the server at once.
  stopInOrder(started, values.drainNotice * 1000, context, log);
  const place = repositoryPlace(store, directory);
  await sayReady(started, place, values, context);
  await started.warmSigningKey();
  await started.loadSoon();
};

/** Only a terminal gets a line for each request, so only there their printer is loaded. */
const sayReady = async (
  started: Started,
  place: RepositoryPlace,
  { json, quiet, checkReplies }: ServeValues,
  context: CommandContext,
): Promise<void> => {
  if (context.isTerminal && quiet !== true && json !== true) {
    const { printRequests } = await import('./serving/request-lines.ts');
    printRequests(started, checkReplies, context);
  }
  context.print(json === true ? readyLine(started, place) : await startTable(started, place));
};

/** The folder of a site of the user can change while the server runs, too. */
const hasWatchedFiles = ({ overlays, documents, handlers, drupalConfig, site }: ServeValues): boolean =>
  [overlays, documents, handlers, drupalConfig].some((path) => path !== undefined) ||
  (site !== undefined && !isPackagedSite(site));

/** With more records than this, they make up most of the heap, not the requests. */
const manyRecords = 20_000;

const countRecords = async ({ world }: Started): Promise<number> => {
  const totals = recordTypes.map(async (type) => (await world.store.list(type, { offset: 0, limit: 0 })).total);
  return (await Promise.all(totals)).reduce((sum, total) => sum + total, 0);
};

const readyLine = ({ url }: Started, { data, store }: RepositoryPlace): string =>
  JSON.stringify({ ready: true, url, data: data ?? null, ...(store === undefined ? {} : { store }) });
